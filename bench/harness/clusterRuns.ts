import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Cluster } from '../../lab/queue/cluster';
import { query } from '../../lab/queue/postgres';
import { activateWorkflow, createWorkflow } from '../../lab/workflows';
import { registeringExample } from './example';
import { registrationNodes } from './registrations';
import { usage } from './usage';

const CALLS_AT_A_TIME = 20;
const ALL_ENDED_MS = 300_000;
const LISTENS_WITHIN_MS = 30_000;
/** Event for which the example registers people. */
const EVENT = 1012;
const PAGE = 200;
const ADDRESS = /start-\d+@[\w-]+\.example/;

/** An execution as n8n has it on record, and the address that it was started with. */
export interface OnRecord {
	status: string;
	address: string | undefined;
}

/** The example in a cluster, and what became of its starts. */
export class ClusterRuns {
	private constructor(
		private readonly cluster: Cluster,
		private readonly workflow: string,
		private readonly hook: string,
	) {}

	static async open(cluster: Cluster): Promise<ClusterRuns> {
		const { rest, credentials } = cluster.lab;
		const hook = randomUUID();
		const { id } = await createWorkflow(rest, await registeringExample(hook), credentials);
		await activateWorkflow(rest, id);
		const runs = new ClusterRuns(cluster, id, hook);
		await runs.start('start-0@warm.example');
		await runs.ended(1);
		return runs;
	}

	/** Starts one execution; n8n has acknowledged it when this resolves. It listens a moment after publishing. */
	private async start(email: string): Promise<void> {
		const url = `${this.cluster.lab.n8nUrl}/webhook/${this.hook}`;
		for (const until = Date.now() + LISTENS_WITHIN_MS; ; await delay(100)) {
			const { status } = await axios.post(url, { email }, { proxy: false, validateStatus: null });
			if (status === 200) return;
			if (status !== 404 || Date.now() > until) throw new Error(`n8n answered ${status}`);
		}
	}

	/** Starts this many executions, each with an address of its own, and returns the addresses. */
	async startAll(count: number, during?: (started: number) => void): Promise<string[]> {
		const round = randomUUID();
		const addresses = Array.from(
			{ length: count },
			(_, index) => `start-${index}@${round}.example`,
		);
		let started = 0;
		const lane = async () => {
			while (started < count) {
				const email = addresses[started++]!;
				during?.(started);
				await this.start(email);
			}
		};
		await Promise.all(Array.from({ length: CALLS_AT_A_TIME }, lane));
		return addresses;
	}

	/** Waits until `count` executions have ended, and counts them by status. */
	async ended(count: number): Promise<Record<string, number>> {
		const sql = `SELECT status, count(*)::int AS many FROM execution_entity WHERE "workflowId" = '${this.workflow}' GROUP BY status`;
		for (const until = Date.now() + ALL_ENDED_MS; ; await delay(250)) {
			const found = await query<{ status: string; many: number }>(this.cluster.postgres, sql);
			const over = found.filter(({ status }) => !['new', 'running'].includes(status));
			if (over.reduce((sum, { many }) => sum + many, 0) >= count) {
				return Object.fromEntries(found.map(({ status, many }) => [status, many]));
			}
			if (Date.now() > until) throw new Error(`Not all have ended: ${JSON.stringify(found)}`);
		}
	}

	/** All executions by the address that each was started with. */
	async onRecord(): Promise<OnRecord[]> {
		const sql = `SELECT e.status, d.data FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = '${this.workflow}'`;
		const found = await query<{ status: string; data: string | null }>(this.cluster.postgres, sql);
		return found.map(({ status, data }) => ({ status, address: ADDRESS.exec(data ?? '')?.[0] }));
	}

	/** Counts the registrations of each of these addresses at the service. */
	async registered(addresses: string[]): Promise<number[]> {
		const { url, headers } = registrationNodes(this.cluster, EVENT);
		const times = new Map<string, number>();
		for (let page = 1, length = PAGE; length === PAGE; page++) {
			const { data } = await axios.get<Array<{ Email: string }>>(url, {
				params: { page, pageSize: PAGE },
				headers,
				proxy: false,
			});
			for (const { Email } of data) times.set(Email, (times.get(Email) ?? 0) + 1);
			({ length } = data);
		}
		return addresses.map((address) => times.get(address) ?? 0);
	}

	/** Starts this many executions, waits for all of them, and returns executions per second and n8n's share of a core. */
	async throughput(count: number): Promise<{ throughput: number; core: number }> {
		const processes = [this.cluster.lab.n8n, ...this.cluster.workers];
		const used = async () => {
			const all = await Promise.all(processes.map(async ({ pid }) => await usage(pid)));
			return all.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
		};
		const done = (await this.ended(1)).success!;
		const [before, began] = [await used(), Date.now()];
		await this.startAll(count);
		const { success } = await this.ended(done + count);
		if (success !== done + count) throw new Error(`${success} of ${done + count} have succeeded`);
		const ms = Date.now() - began;
		return { throughput: (1000 * count) / ms, core: (100 * ((await used()) - before)) / ms };
	}
}
