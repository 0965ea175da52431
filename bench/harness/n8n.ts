import { parse } from 'flatted';

import { Flow } from '../../lab/drive/flows';
import type { FlowNode } from '../../lab/drive/flows';
import type { Lab } from '../../lab/lab';
import { findFreePort } from '../../lab/ports';
import type { Progress } from '../../lab/progress';
import { unwrap } from '../../lab/rest';
import type { ServiceName } from '../../sandbox/service';
import { measureHeapMb, createInspectorEnv } from './heap';
import { readUsage } from './processUsage';
import { startTemporaryLab } from './temporaryLab';

/** Registrations in the sandbox. About a tenth of them, some 11,000, belong to one event. */
const REGISTRATION_COUNT = 100_000;

/** A real n8n with the pack, and the sandbox as the services that it calls. */
export interface BenchN8n {
	lab: Lab;
	/** Runs `work` while each response of a service is delayed. */
	withDelay<T>(service: ServiceName, delayMs: number, work: () => Promise<T>): Promise<T>;
	/**
	 * Creates and publishes a workflow behind a webhook that responds with the first item of the last node. n8n saves no
	 * successful execution of the workflow. Each node is connected to the next one; `connectionOverrides` replace the
	 * connections of the nodes that they name.
	 */
	openWorkflow(
		nodes: FlowNode[],
		connectionOverrides?: Record<string, unknown>,
	): Promise<CallWorkflow>;
	/** Runs `work` while a credential of the lab has other data. */
	withCredential<T>(type: string, data: Record<string, string>, work: () => Promise<T>): Promise<T>;
	/** Runs `work` and returns its duration and n8n's CPU time, in seconds. */
	measure(work: () => Promise<unknown>): Promise<{ time: number; cpu: number }>;
	/** Returns n8n's heap after a garbage collection, in megabytes. */
	measureHeapMb(): Promise<number>;
	stop(): Promise<void>;
}

/** Calls a workflow and returns its response. */
export type CallWorkflow = <T>(body?: object) => Promise<T>;

/** Returns the error of the last failed execution, which n8n's response does not contain. */
async function readLastError({ rest }: Lab): Promise<string> {
	const params = { filter: JSON.stringify({ status: ['error'] }), limit: 1 };
	const { data: list } = await rest.get('/executions', { params });
	const [lastFailed] = unwrap<{ results: Array<{ id: string }> }>(list).results;
	if (!lastFailed) return 'no execution has failed';
	const { data } = await rest.get(`/executions/${lastFailed.id}`);
	const { resultData } = parse(unwrap<{ data: string }>(data).data) as {
		resultData: { error?: { message: string; description?: string; node?: { name: string } } };
	};
	const { message, description = '', node } = resultData.error ?? { message: 'n8n gave no reason' };
	return `${node?.name ?? 'n8n'}: ${message} ${description}`;
}

export async function startBenchN8n(progress: Progress): Promise<BenchN8n> {
	const sandbox = { registrations: REGISTRATION_COUNT, contacts: 1, strict: false };
	const inspectorPort = await findFreePort();
	const env = {
		N8N_PAYLOAD_SIZE_MAX: '64',
		N8N_LOG_LEVEL: 'warn',
		...createInspectorEnv(inspectorPort),
	};
	const { lab, stop } = await startTemporaryLab({ sandbox, env, progress });
	return {
		lab,
		async withDelay(service, delayMs, work) {
			const { faultRules } = lab.sandbox;
			if (delayMs > 0) faultRules.add({ service, kind: 'slow', delayMs });
			try {
				return await work();
			} finally {
				faultRules.clear(service);
			}
		},
		async openWorkflow(nodes, connectionOverrides) {
			const settings = { saveDataSuccessExecution: 'none' };
			const respondWithLastNode = { responseMode: 'lastNode', responseData: 'firstEntryJson' };
			const flow = await Flow.open(lab, nodes, settings, respondWithLastNode, connectionOverrides);
			return async <T>(body: object = {}) => {
				const { status, data } = await flow.call(body);
				if (status !== 200) throw new Error(`n8n answered ${status}: ${await readLastError(lab)}`);
				return data as T;
			};
		},
		async withCredential(type, changes, work) {
			const credential = lab.credentials.find((candidate) => candidate.type === type)!;
			const originalData = lab.sandbox.credentials[type]!;
			const setCredentialData = async (data: object) =>
				void (await lab.rest.patch(`/credentials/${credential.id}`, { ...credential, data }));
			await setCredentialData({ ...originalData, ...changes });
			try {
				return await work();
			} finally {
				await setCredentialData(originalData);
			}
		},
		async measure(work) {
			const usageBefore = await readUsage(lab.n8n.pid);
			const startedAtMs = performance.now();
			await work();
			const time = (performance.now() - startedAtMs) / 1000;
			const { cpuMs } = await readUsage(lab.n8n.pid);
			return { time, cpu: (cpuMs - usageBefore.cpuMs) / 1000 };
		},
		measureHeapMb: async () => await measureHeapMb(inspectorPort),
		stop,
	};
}
