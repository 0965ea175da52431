import * as n8nWorkflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';

/** A simulated process: the node that parks executions, loaded as modules of its own with its own shared state. */
export interface PackProcess {
	nodes: Record<'twoFactor', new () => INodeType>;
	/** State that the pack shares in this process. */
	shared: () => Map<string, unknown>;
	/** Kills the process: no `sleep` in it ends from now on. */
	kill: () => void;
	readonly isAlive: boolean;
}

/** Key of the state that the pack attaches to n8n's `sleep`. */
const SHARED = Symbol.for('n8n-nodes-gatehouse');

const neverResolve = async () => await new Promise(() => undefined);

/** Starts a process in which n8n resumes parked executions after the given time to poll again. */
export function startPackProcess(resumeAfterMs = 300_000): PackProcess {
	let isAlive = true;
	const sleep = async (ms: number, signal?: AbortSignal) => {
		if (!isAlive) await neverResolve();
		await n8nWorkflow.sleep(ms, signal);
		if (!isAlive) await neverResolve();
	};
	const shared = new Map<string, unknown>([['park times 1', { resumeAfterMs }]]);
	Object.assign(sleep, { [SHARED]: shared });
	let nodes: PackProcess['nodes'] | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => ({ ...n8nWorkflow, sleep }));
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		nodes = { twoFactor: require('../../../nodes/TwoFactor/TwoFactor.node').TwoFactor };
	});
	return {
		nodes: nodes!,
		shared: () => shared,
		kill: () => {
			isAlive = false;
		},
		get isAlive() {
			return isAlive;
		},
	};
}
