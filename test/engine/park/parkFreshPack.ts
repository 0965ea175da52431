import * as n8nWorkflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';

/** The nodes that wait, loaded anew into a process of their own. */
export interface Life {
	nodes: Record<'twoFactor' | 'passwordlessIdentity', new () => INodeType>;
	/** What the pack shares in this process. */
	shared: () => Map<string, unknown>;
	/** The process is gone: whatever it was waiting for never comes. */
	die: () => void;
	readonly alive: boolean;
}

const SHARED = Symbol.for('n8n-nodes-gatehouse');

/** Starts a process, in which parked executions look again after so long. */
export function newLife(lookAgainMs = 300_000): Life {
	let alive = true;
	const sleep = async (ms: number, signal?: AbortSignal) => {
		if (!alive) await new Promise(() => undefined);
		await n8nWorkflow.sleep(ms, signal);
		if (!alive) await new Promise(() => undefined);
	};
	const shared = new Map<string, unknown>([['park times 1', { resumeAfterMs: lookAgainMs }]]);
	Object.assign(sleep, { [SHARED]: shared });
	let nodes: Life['nodes'] | undefined;
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
		die: () => {
			alive = false;
		},
		get alive() {
			return alive;
		},
	};
}
