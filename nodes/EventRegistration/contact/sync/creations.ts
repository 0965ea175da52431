import type { Call, Result } from '../../../engine/operation';
import { toBody } from '../../form/form';
import { contactForm } from '../../form/forms';
import { CONTACTS_PER_REQUEST } from '../addInBatches';
import { BulkAdd } from '../bulkAdd';
import { CONTACTS_PATH } from '../listLock';
import type { SyncedList } from './list';
import type { Outcomes } from './outcomes';
import type { PlannedRow } from './types';

export type PlannedCreation = Extract<PlannedRow, { change: 'created' }>;

/** Adds contacts in batches. A contact that the service rejects fails alone. `callOf` returns the call of an input item. */
export async function writeCreations(
	{ params }: SyncedList,
	creations: readonly PlannedCreation[],
	callOf: (index: number) => Call,
	outcomes: Outcomes,
): Promise<void> {
	if (creations.length === 0 || outcomes.isStopped) return;
	const results: Result[] = [];
	const entries = creations.map(({ row, changes }) => ({
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
	const adding = new BulkAdd(entries, results, outcomes.stopsAfter);
	await adding.run();
	for (const creation of creations) {
		const result = results[creation.row.index];
		if (!result || !('error' in result)) outcomes.succeed(creation);
		else if (adding.unsent.has(result.error)) outcomes.failUnsent(creation, result.error);
		else outcomes.fail(creation, result.error);
	}
}
