import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Cluster } from '../../lab/queue/cluster';
import { query } from '../../lab/queue/postgres';
import { activateWorkflow, createWorkflow } from '../../lab/workflows';
import { readUsage } from './processUsage';
import { readRegistrationExample } from './registrationExample';
import { createRegistrationNodes } from './registrationNodes';

const MAX_CONCURRENT_CALLS = 20;
const END_TIMEOUT_MS = 300_000;
const LISTEN_TIMEOUT_MS = 30_000;
/** Event for which the example registers people. */
const EVENT_ID = 1012;
const PAGE_SIZE = 200;
const START_ADDRESS = /start-\d+@[\w-]+\.example/;

/** An execution in n8n's database, and the address that it was started with. */
export interface RecordedExecution {
	status: string;
	address: string | undefined;
}

/** Starts the example in a cluster, and reads the results of these starts. */
export class ClusterRuns {
	private constructor(
		private readonly cluster: Cluster,
		private readonly workflowId: string,
		private readonly webhookPath: string,
	) {}

	static async open(cluster: Cluster): Promise<ClusterRuns> {
		const { rest, credentials } = cluster.lab;
		const webhookPath = randomUUID();
		const { id } = await createWorkflow(
			rest,
			await readRegistrationExample(webhookPath),
			credentials,
		);
		await activateWorkflow(rest, id);
		const runs = new ClusterRuns(cluster, id, webhookPath);
		await runs.startExecution('start-0@warm.example');
		await runs.waitForEndedExecutions(1);
		return runs;
	}

	/**
	 * Starts one execution and resolves when n8n has acknowledged it. Retries, because n8n listens only a moment after
	 * publishing.
	 */
	private async startExecution(email: string): Promise<void> {
		const url = `${this.cluster.lab.n8nUrl}/webhook/${this.webhookPath}`;
		for (const deadline = Date.now() + LISTEN_TIMEOUT_MS; ; await delay(100)) {
			const { status } = await axios.post(url, { email }, { proxy: false, validateStatus: null });
			if (status === 200) return;
			if (status !== 404 || Date.now() > deadline) throw new Error(`n8n answered ${status}`);
		}
	}

	/** Starts this many executions, each with an address of its own, and returns the addresses. */
	async startAll(count: number, onStart?: (startedCount: number) => void): Promise<string[]> {
		const roundId = randomUUID();
		const addresses = Array.from(
			{ length: count },
			(_, index) => `start-${index}@${roundId}.example`,
		);
		let startedCount = 0;
		const runWorker = async () => {
			while (startedCount < count) {
				const email = addresses[startedCount++]!;
				onStart?.(startedCount);
				await this.startExecution(email);
			}
		};
		await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, runWorker));
		return addresses;
	}

	/** Waits until at least `count` executions have ended. Returns the number of all executions by status. */
	async waitForEndedExecutions(count: number): Promise<Record<string, number>> {
		const sql = `SELECT status, count(*)::int AS total FROM execution_entity WHERE "workflowId" = '${this.workflowId}' GROUP BY status`;
		for (const deadline = Date.now() + END_TIMEOUT_MS; ; await delay(250)) {
			const rows = await query<{ status: string; total: number }>(this.cluster.postgres, sql);
			const endedRows = rows.filter(({ status }) => !['new', 'running'].includes(status));
			if (endedRows.reduce((sum, { total }) => sum + total, 0) >= count) {
				return Object.fromEntries(rows.map(({ status, total }) => [status, total]));
			}
			if (Date.now() > deadline)
				throw new Error(`Not all executions have ended: ${JSON.stringify(rows)}`);
		}
	}

	/** Returns all executions, each with the address that it was started with. */
	async readExecutions(): Promise<RecordedExecution[]> {
		const sql = `SELECT e.status, d.data FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = '${this.workflowId}'`;
		const rows = await query<{ status: string; data: string | null }>(this.cluster.postgres, sql);
		return rows.map(({ status, data }) => ({
			status,
			address: START_ADDRESS.exec(data ?? '')?.[0],
		}));
	}

	/** Counts the registrations of each of these addresses at the service. */
	async countRegistrations(addresses: string[]): Promise<number[]> {
		const { url, headers } = createRegistrationNodes(this.cluster, EVENT_ID);
		const countByEmail = new Map<string, number>();
		for (let page = 1, length = PAGE_SIZE; length === PAGE_SIZE; page++) {
			const { data } = await axios.get<Array<{ Email: string }>>(url, {
				params: { page, pageSize: PAGE_SIZE },
				headers,
				proxy: false,
			});
			for (const { Email } of data) countByEmail.set(Email, (countByEmail.get(Email) ?? 0) + 1);
			({ length } = data);
		}
		return addresses.map((address) => countByEmail.get(address) ?? 0);
	}

	/** Starts this many executions, waits for all of them, and returns executions per second and n8n's share of a core. */
	async measureThroughput(count: number): Promise<{ throughput: number; corePercent: number }> {
		const processes = [this.cluster.lab.n8n, ...this.cluster.workers];
		const readCpuMs = async () => {
			const usages = await Promise.all(processes.map(async ({ pid }) => await readUsage(pid)));
			return usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
		};
		const succeededBefore = (await this.waitForEndedExecutions(1)).success!;
		const [cpuMsBefore, startedAtMs] = [await readCpuMs(), Date.now()];
		await this.startAll(count);
		const { success } = await this.waitForEndedExecutions(succeededBefore + count);
		if (success !== succeededBefore + count)
			throw new Error(`${success} of ${succeededBefore + count} executions have succeeded`);
		const elapsedMs = Date.now() - startedAtMs;
		return {
			throughput: (1000 * count) / elapsedMs,
			corePercent: (100 * ((await readCpuMs()) - cpuMsBefore)) / elapsedMs,
		};
	}
}
