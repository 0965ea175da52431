import { setTimeout as delay } from 'node:timers/promises';

import { listExecutions as listAllExecutions } from '../../lab/drive/executions';
import type { Flow } from '../../lab/drive/flows';
import type { Lab } from '../../lab/lab';

/** An execution in n8n's REST interface. */
export interface Execution {
	id: string;
	status: string;
	stoppedAt: string;
	data: string;
}

/** Calls `work` with the indexes from 0 to `count` - 1, within a concurrency limit. */
export async function runConcurrently(
	count: number,
	concurrency: number,
	work: (index: number) => Promise<unknown>,
): Promise<void> {
	let nextIndex = 0;
	const runWorker = async () => {
		while (nextIndex < count) await work(nextIndex++);
	};
	await Promise.all(Array.from({ length: concurrency }, runWorker));
}

/** Returns the executions of a workflow that have a status, without their data. */
export const listExecutions = async (
	{ rest }: Pick<Lab, 'rest'>,
	{ id }: Pick<Flow, 'id'>,
	status: string,
): Promise<Execution[]> => await listAllExecutions(rest, { workflowId: id, status: [status] });

/** Waits until this many executions have a status. */
export async function waitForStatus(
	lab: Lab,
	flow: Flow,
	status: string,
	count: number,
	timeoutMs: number,
): Promise<Execution[]> {
	for (const deadline = Date.now() + timeoutMs; ; await delay(3000)) {
		const executions = await listExecutions(lab, flow, status);
		if (executions.length === count) return executions;
		if (Date.now() > deadline)
			throw new Error(`${executions.length} of ${count} executions are ${status}`);
	}
}
