// How a trigger starts a workflow once per key, and learns the end of its run.
//
// Relies on: `emit(data, responsePromise, donePromise, deduplicationKey)` declares four parameters. n8n settles
//   `donePromise` when the run has ended, or at once if n8n already has the key (n8n,
//   dist/workflows/triggers/trigger-execution-context.factory.js). The column of the key holds 255 characters (@n8n/db,
//   `ExecutionEntity.deduplicationKey`).
// Verified on: 1.123.81 (too old), 2.20.12, 2.33.7, 2.40.7, 2.41.1 (test:generations).
// If absent: an older n8n accepts the key and ignores it, so `canDeduplicate` is false and published triggers do not start. An
//   `emit` with default or rest parameters would have a smaller `length` and be taken for an older n8n.

import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';

/** Index of the key among the parameters of `emit`. */
const KEY_POSITION = 3;

const MAX_KEY_LENGTH = 255;

/** Whether this n8n starts a workflow once per key. */
export const canDeduplicate = ({ emit }: Pick<ITriggerFunctions, 'emit'>): boolean =>
	emit.length > KEY_POSITION;

/** Returns the last 255 characters of a key, which n8n can store. The keys of one trigger differ in their last characters. */
export const storableKey = (key: string): string => key.slice(-MAX_KEY_LENGTH);

/**
 * Starts the workflow. Resolves when its run has ended, or at once if n8n has the key already. Rejects if n8n did not start
 * the workflow, and also if a started run was cancelled or timed out (`hadWorkflowStarted`).
 */
export async function emitOnce(
	context: Pick<ITriggerFunctions, 'emit' | 'helpers'>,
	key: string,
	items: INodeExecutionData[],
): Promise<void> {
	const done = context.helpers.createDeferredPromise<IRun>();
	context.emit([items], undefined, done, key);
	await done.promise;
}
