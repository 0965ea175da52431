import type { ItemCall, ItemResult } from '../../../engine/operation';
import { contactForm } from '../../form/formDefinitions';
import { serializeFormValues } from '../../form/mappedValues';
import { lists } from '../../lists';
import { contactListShape } from '../../records';
import { CONTACTS_PER_REQUEST } from '../addInBatches';
import { BulkAdd, isUncertain } from '../bulkAdd';
import type { SyncedList } from './list';
import type { ListReading } from './readList';
import { findSignedUp } from './signUps';
import type { PlannedCreation } from './signUps';
import type { SyncScope } from './types';
import { MAX_CONSECUTIVE_FAILURES } from './writeResults';
import type { WriteResults } from './writeResults';

/** The reading that new contacts are checked against, and the calls that send them. */
interface CreationChecks {
	scope: SyncScope;
	reading: ListReading;
	/** Returns the call of an input item. */
	callOf: (index: number) => ItemCall;
}

/**
 * Adds contacts in batches. A contact that the service rejects fails alone. If a contact's response was lost in an earlier
 * try of this run (Retry On Fail), the contact is not sent again, because the service may still add it. A contact that
 * someone else has added meanwhile is not sent either.
 */
export async function writeCreations(
	list: SyncedList,
	creations: readonly PlannedCreation[],
	writeResults: WriteResults,
	{ scope, reading, callOf }: CreationChecks,
): Promise<void> {
	const unsent: PlannedCreation[] = [];
	for (const creation of creations) {
		const { settled } = callOf(creation.row.index).journal;
		if (settled && 'error' in settled && isUncertain(settled.error)) {
			writeResults.markUncertain(creation);
		} else unsent.push(creation);
	}
	if (unsent.length === 0 || writeResults.isStopped) return;
	let signedUp: Map<PlannedCreation, string>;
	try {
		signedUp = await findSignedUp(list, scope, reading, unsent);
	} catch (error) {
		for (const creation of unsent) writeResults.recordDefiniteFailure(creation, error);
		return;
	}
	for (const [creation, reason] of signedUp) writeResults.skip(creation, reason);
	const others = unsent.filter((creation) => !signedUp.has(creation));
	await addAll(list, others, writeResults, callOf);
}

async function addAll(
	{ params }: SyncedList,
	unsent: readonly PlannedCreation[],
	writeResults: WriteResults,
	callOf: CreationChecks['callOf'],
): Promise<void> {
	if (unsent.length === 0) return;
	const results: ItemResult[] = [];
	const entries = unsent.map(({ row, changes }) => ({
		call: callOf(row.index),
		listId: params.contactListId,
		contact: serializeFormValues(
			new Map(changes.map(({ field, to }) => [field, to])),
			contactForm.properties,
			false,
		),
		request: {
			method: 'POST' as const,
			path: lists.contacts.path,
			params,
			effect: 'these contacts were added',
			requiredContent: 'record' as const,
			identify: contactListShape.identify,
		},
		batchSize: CONTACTS_PER_REQUEST,
		splitsRejected: true,
	}));
	let consecutiveFailures = 0;
	let addedBefore = 0;
	const stopsAfter = (error: unknown) => {
		const addedCount = results.filter((result) => 'items' in result).length;
		consecutiveFailures = addedCount > addedBefore ? 1 : consecutiveFailures + 1;
		addedBefore = addedCount;
		const stops = bulkAdd.errorsBeforeSend.has(error)
			? writeResults.stopsAfterDefiniteFailure(error)
			: writeResults.stopsAfter(error);
		return stops || consecutiveFailures >= MAX_CONSECUTIVE_FAILURES;
	};
	const bulkAdd: BulkAdd = new BulkAdd(entries, results, stopsAfter);
	await bulkAdd.run();
	for (const creation of unsent) {
		const result = results[creation.row.index];
		if (!result || !('error' in result)) writeResults.succeed(creation);
		else if (bulkAdd.errorsBeforeSend.has(result.error))
			writeResults.recordDefiniteFailure(creation, result.error);
		else writeResults.recordFailureOfSentWrite(creation, result.error);
	}
}
