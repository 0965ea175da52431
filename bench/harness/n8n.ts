import { parse } from 'flatted';

import { Flow } from '../../lab/drive/flows';
import type { FlowNode } from '../../lab/drive/flows';
import type { Lab } from '../../lab/lab';
import { freePort } from '../../lab/ports';
import type { Progress } from '../../lab/progress';
import { unwrap } from '../../lab/rest';
import type { ServiceName } from '../../sandbox/service';
import { heapOf, inspectedAt } from './heap';
import { startTemporaryLab } from './temporaryLab';
import { usage } from './usage';

/** About a tenth of them, some 11,000, belong to one event. */
const REGISTRATIONS = 100_000;

/** A real n8n with the pack, and the sandbox as the services that it calls. */
export interface BenchN8n {
	lab: Lab;
	/** Delays each response of a service; 0 removes the delay. */
	delayResponses(service: ServiceName, ms: number): void;
	/**
	 * Creates and publishes a workflow behind a webhook that responds with the first item of the last node. n8n saves no successful
	 * execution of it. Each node is connected to the next one; `further` connections replace those of the nodes that they name.
	 */
	open(nodes: FlowNode[], further?: Record<string, unknown>): Promise<Workflow>;
	/** Runs `work` while a credential of the lab has other data. */
	withCredential<T>(type: string, data: Record<string, string>, work: () => Promise<T>): Promise<T>;
	/** Runs `work` and returns its duration and n8n's CPU time, in seconds. */
	measure(work: () => Promise<unknown>): Promise<{ time: number; processor: number }>;
	/** Returns n8n's heap after a garbage collection, in megabytes. */
	heap(): Promise<number>;
	stop(): Promise<void>;
}

/** Calls a workflow and returns its response. */
export type Workflow = <T>(body?: object) => Promise<T>;

/** Returns the error of the last failed execution, which n8n's response does not contain. */
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
	const sandbox = { registrations: REGISTRATIONS, contacts: 1, strict: false };
	const inspector = await freePort();
	const env = {
		N8N_PAYLOAD_SIZE_MAX: '64',
		N8N_LOG_LEVEL: 'warn',
		...inspectedAt(inspector),
	};
	const { lab, stop } = await startTemporaryLab({ sandbox, env, progress });
	return {
		lab,
		delayResponses(service, ms) {
			lab.sandbox.faultRules.clear(service);
			if (ms > 0) lab.sandbox.faultRules.add({ service, kind: 'slow', delayMs: ms });
		},
		async open(nodes, further) {
			const settings = { saveDataSuccessExecution: 'none' };
			const respondWithLastNode = { responseMode: 'lastNode', responseData: 'firstEntryJson' };
			const flow = await Flow.open(lab, nodes, settings, respondWithLastNode, further);
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
		stop,
	};
}
