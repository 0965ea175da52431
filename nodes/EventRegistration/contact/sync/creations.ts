import type { Call, Result } from '../../../engine/operation';
import { toBody } from '../../form/form';
import { contactForm } from '../../form/forms';
import { CONTACTS_PER_REQUEST } from '../addInBatches';
import { BulkAdd, isUncertain } from '../bulkAdd';
import { CONTACTS_PATH } from '../listLock';
import type { SyncedList } from './list';
import { MAX_FAILED_IN_A_ROW } from './outcomes';
import type { Outcomes } from './outcomes';
import type { PlannedRow } from './types';

export type PlannedCreation = Extract<PlannedRow, { change: 'created' }>;

/**
 * Adds contacts in batches. A contact that the service rejects fails alone. `callOf` returns the call of an input item. A contact
 * whose answer was lost in an earlier try of this run (Retry On Fail) is not sent again: the service may still add it.
 */
export async function writeCreations(
	{ params }: SyncedList,
	creations: readonly PlannedCreation[],
	callOf: (index: number) => Call,
	outcomes: Outcomes,
): Promise<void> {
	const unsent: PlannedCreation[] = [];
	for (const creation of creations) {
		const { outcome } = callOf(creation.row.index).journal;
		if (outcome && 'error' in outcome && isUncertain(outcome.error)) {
			outcomes.leaveOpen(creation, outcome.error);
		} else unsent.push(creation);
	}
	if (unsent.length === 0 || outcomes.isStopped) return;
	const results: Result[] = [];
	const entries = unsent.map(({ row, changes }) => ({
		call: callOf(row.index),
		listId: params.contactListId,
		contact: toBody(
			new Map(changes.map(({ field, to }) => [field, to])),
			contactForm.properties,
			false,
		),
		request: {
			method: 'POST' as const,
			path: CONTACTS_PATH,
			params,
			effect: 'these contacts were added',
		},
		batchSize: CONTACTS_PER_REQUEST,
		splitsRejected: true,
	}));
	let failedInARow = 0;
	let addedBefore = 0;
	const stopsAfter = (error: unknown) => {
		const added = results.filter((result) => 'items' in result).length;
		failedInARow = added > addedBefore ? 1 : failedInARow + 1;
		addedBefore = added;
		const stops = adding.unsent.has(error)
			? outcomes.stopsAfterUnsent(error)
			: outcomes.stopsAfter(error);
		return stops || failedInARow >= MAX_FAILED_IN_A_ROW;
	};
	const adding: BulkAdd = new BulkAdd(entries, results, stopsAfter);
	await adding.run();
	for (const creation of unsent) {
		const result = results[creation.row.index];
		if (!result || !('error' in result)) outcomes.succeed(creation);
		else if (adding.unsent.has(result.error)) outcomes.failUnsent(creation, result.error);
		else outcomes.fail(creation, result.error);
	}
}
