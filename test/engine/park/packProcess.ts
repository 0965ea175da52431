import * as n8nWorkflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';

/** The waiting nodes, loaded into a process of their own. */
export interface PackProcess {
	nodes: Record<'twoFactor' | 'passwordlessIdentity', new () => INodeType>;
	/** State that the pack shares in this process. */
	shared: () => Map<string, unknown>;
	/** Kills the process: its timers never fire. */
	kill: () => void;
	readonly isAlive: boolean;
}

const SHARED = Symbol.for('n8n-nodes-gatehouse');

/** Starts a process in which n8n resumes parked executions after the given time to poll again. */
export function startPackProcess(resumeAfterMs = 300_000): PackProcess {
	let alive = true;
	const sleep = async (ms: number, signal?: AbortSignal) => {
		if (!alive) await new Promise(() => undefined);
		await n8nWorkflow.sleep(ms, signal);
		if (!alive) await new Promise(() => undefined);
	};
	const shared = new Map<string, unknown>([['park times 1', { resumeAfterMs: resumeAfterMs }]]);
	Object.assign(sleep, { [SHARED]: shared });
	let nodes: PackProcess['nodes'] | undefined;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => ({ ...n8nWorkflow, sleep }));
		/* eslint-disable @typescript-eslint/no-require-imports */
		nodes = {
			twoFactor: require('../../../nodes/TwoFactor/TwoFactor.node').TwoFactor,
			passwordlessIdentity: require('../../../nodes/PasswordlessIdentity/PasswordlessIdentity.node')
				.PasswordlessIdentity,
		};
		/* eslint-enable @typescript-eslint/no-require-imports */
	});
	return {
		nodes: nodes!,
		shared: () => shared,
		kill: () => {
			alive = false;
		},
		get isAlive() {
			return alive;
		},
	};
}
