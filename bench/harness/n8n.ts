import { parse } from 'flatted';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Flow } from '../../lab/drive/flows';
import type { FlowNode } from '../../lab/drive/flows';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { freePort } from '../../lab/ports';
import type { Progress } from '../../lab/progress';
import { unwrap } from '../../lab/rest';
import type { ServiceName } from '../../sandbox/service';
import { heapOf, inspectedAt } from './heap';
import { usage } from './usage';

/** A tenth of them belong to one event: 11,000 and some. */
const REGISTRATIONS = 100_000;

/** A real n8n with the pack, and the sandbox as the service that it asks. */
export interface BenchN8n {
	lab: Lab;
	/** Lets a service answer only after so many milliseconds. */
	answerAfter(service: ServiceName, ms: number): void;
	/**
	 * Opens a workflow that is called and answers with the first item of its last node; n8n saves nothing of it. Its nodes follow
	 * each other, where `further` connections do not say otherwise.
	 */
	open(nodes: FlowNode[], further?: Record<string, unknown>): Promise<Workflow>;
	/** Does something while a credential of the lab holds other data. */
	withCredential<T>(type: string, data: Record<string, string>, work: () => Promise<T>): Promise<T>;
	/** Does something and tells how many seconds it took, and how many of n8n's processor. */
	measure(work: () => Promise<unknown>): Promise<{ time: number; processor: number }>;
	/** What n8n holds in memory once all rubbish is thrown out, in megabytes. */
	heap(): Promise<number>;
	stop(): Promise<void>;
}

/** Calls a workflow and gives its answer. */
export type Workflow = <T>(body?: object) => Promise<T>;

/** What the last execution that failed has died of: n8n's answer does not tell. */
async function lastError({ rest }: Lab): Promise<string> {
	const params = { filter: JSON.stringify({ status: ['error'] }), limit: 1 };
	const { data: list } = await rest.get('/executions', { params });
	const [failed] = unwrap<{ results: Array<{ id: string }> }>(list).results;
	if (!failed) return 'no execution has failed';
	const { data } = await rest.get(`/executions/${failed.id}`);
	const { resultData } = parse(unwrap<{ data: string }>(data).data) as {
		resultData: { error?: { message: string; description?: string; node?: { name: string } } };
	};
	const { message, description = '', node } = resultData.error ?? { message: 'no reason given' };
	return `${node?.name ?? 'n8n'}: ${message} ${description}`;
}

export async function startBenchN8n(progress: Progress): Promise<BenchN8n> {
	const userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-bench-'));
	const remove = async () => await rm(userFolder, { recursive: true, force: true });
	const sandbox = { registrations: REGISTRATIONS, contacts: 1, strict: false };
	const inspector = await freePort();
	const env = {
		N8N_PAYLOAD_SIZE_MAX: '64',
		N8N_LOG_LEVEL: 'warn',
		...inspectedAt(inspector),
	};
	const lab = await startLab({ userFolder, sandbox, env, progress }).catch(
		async (error: unknown) => {
			await remove();
			throw error;
		},
	);
	return {
		lab,
		answerAfter(service, ms) {
			lab.sandbox.weather.clear(service);
			if (ms > 0) lab.sandbox.weather.set({ service, kind: 'slow', delayMs: ms });
		},
		async open(nodes, further) {
			const settings = { saveDataSuccessExecution: 'none' };
			const answer = { responseMode: 'lastNode', responseData: 'firstEntryJson' };
			const flow = await Flow.open(lab, nodes, settings, answer, further);
			return async <T>(body: object = {}) => {
				const { status, data } = await flow.call(body);
				if (status !== 200) throw new Error(`n8n answered ${status}: ${await lastError(lab)}`);
				return data as T;
			};
		},
		async withCredential(type, changes, work) {
			const credential = lab.credentials.find((one) => one.type === type)!;
			const own = lab.sandbox.credentials[type]!;
			const set = async (data: object) =>
				void (await lab.rest.patch(`/credentials/${credential.id}`, { ...credential, data }));
			await set({ ...own, ...changes });
			try {
				return await work();
			} finally {
				await set(own);
			}
		},
		async measure(work) {
			const before = await usage(lab.n8n.pid);
			const began = performance.now();
			await work();
			const time = (performance.now() - began) / 1000;
			const { cpuMs } = await usage(lab.n8n.pid);
			return { time, processor: (cpuMs - before.cpuMs) / 1000 };
		},
		heap: async () => await heapOf(inspector),
		async stop() {
			await lab.stop();
			await remove();
		},
	};
}
