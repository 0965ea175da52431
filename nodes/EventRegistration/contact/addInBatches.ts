import type { IDataObject } from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../../engine/errors';
import { field } from '../../engine/field';
import type { Batch, ItemResult } from '../../engine/operation';
import { describeRow, listRows } from '../../engine/run/rows';
import { groupBy } from '../../engine/values/groupBy';
import { buildFormBody } from '../form/body';
import { contactForm } from '../form/formDefinitions';
import type { FormParameters } from '../form/inputs';
import { BulkAdd, isFatal, isUncertain } from './bulkAdd';
import type { ContactToAdd } from './contactToAdd';
import { withSharedListLock } from './listLock';

export const CONTACTS_PER_REQUEST = 100;

export const contactsPerRequest = field({
	displayName: 'Contacts per Request',
	name: 'contactsPerRequest',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000 },
	default: CONTACTS_PER_REQUEST,
	description: 'Maximum number of contacts to send in one request',
	read: (raw) => {
		const size = Math.floor(Number(raw));
		return size >= 1 ? Math.min(size, 1000) : CONTACTS_PER_REQUEST;
	},
});

export const findRefused = field({
	displayName: 'Isolate Rejected Contacts',
	name: 'findRefused',
	type: 'boolean',
	default: true,
	description:
		'Whether to resend a rejected batch in smaller parts to find the invalid contacts. If off, the whole batch fails.',
	read: (raw) => raw !== false,
});

type AddValues = FormParameters<'contactListId'> & {
	contactsPerRequest?: number;
	findRefused?: boolean;
};

/**
 * Adds the contacts of all items, list by list, in batches. All items are read before the first contact is sent. A contact
 * that the service rejects fails alone, unless Isolate Rejected Contacts is off. A contact that may have been added is not
 * sent again.
 */
export async function addInBatches(batch: Batch<AddValues>): Promise<ItemResult[]> {
	const entries: ContactToAdd[] = [];
	const results = await batch.each(async (values, call) => {
		if (call.journal.settled) return {};
		const {
			contactListId: listId,
			contactsPerRequest: batchSize = CONTACTS_PER_REQUEST,
			findRefused: splitsRejected = true,
		} = values;
		const request = await call.buildRequest();
		const contact = await buildFormBody(contactForm, values, call, { enforcesRequired: true });
		if (Object.keys(contact).length === 0) {
			throw new BadInput(
				'This contact is empty',
				'Map at least one form field to a value. In automatic mode, input fields must be named like the form fields.',
			);
		}
		entries.push({ call, listId, contact, request, batchSize, splitsRejected });
		return {};
	});
	const earlier = earlierResults(batch);
	for (const [index, result] of earlier) results[index] = result;
	if (!batch.continueOnFail && results.some(isFailure)) {
		if (earlier.size > 0) addCountsToFirstError(batch, results, (index) => earlier.has(index));
		return results;
	}
	for (const list of groupBy(entries, ({ listId }) => listId).values()) {
		const { call, listId } = list[0]!;
		const bulkAdd = new BulkAdd(list, results, (error) => !batch.continueOnFail || isFatal(error));
		await withSharedListLock(call, listId, async () => await bulkAdd.run()).catch(
			(error: unknown) => bulkAdd.fail(list, error),
		);
	}
	if (!batch.continueOnFail) addCountsToFirstError(batch, results);
	return results;
}

const isFailure = (result: ItemResult | undefined): result is { error: unknown } =>
	result !== undefined && 'error' in result;

/** Returns the results of earlier tries of this run, by item. The contacts of these items were added, or may have been. */
function earlierResults({ calls }: Pick<Batch, 'calls'>): Map<number, ItemResult> {
	const results = new Map<number, ItemResult>();
	for (const { itemIndex, journal } of calls) {
		const { settled } = journal;
		if (!settled) continue;
		// `BulkAdd` settles the journal with the output item.
		const result = 'error' in settled ? settled : { items: [settled.value as IDataObject] };
		results.set(itemIndex, result);
	}
	return results;
}

/**
 * Adds the results of all contacts to the first failure. This failure ends the run, so the user sees no other message. A contact
 * that was not sent counts as not added.
 */
function addCountsToFirstError(
	{ context, calls: { length: count } }: Pick<Batch, 'calls' | 'context'>,
	results: ItemResult[],
	wasSent: (index: number) => boolean = () => true,
): void {
	const failures = results.flatMap((result, index) =>
		'error' in result ? [{ index, error: result.error }] : [],
	);
	const [first] = failures;
	if (!first || count === 1) return;
	const { index: firstIndex, error } = first;
	if (!(error instanceof ServiceFailure || error instanceof BadInput)) return;
	const uncertainIndexes = failures
		.filter((failure) => isUncertain(failure.error))
		.map(({ index }) => index);
	const failed = new Set(failures.map(({ index }) => index));
	const uncertain = new Set(uncertainIndexes);
	const indexes = Array.from({ length: count }, (_, index) => index);
	const isAdded = (index: number) => wasSent(index) && !failed.has(index);
	const notAdded = indexes.filter((index) => !isAdded(index) && !uncertain.has(index));
	const counts = [
		`${indexes.filter(isAdded).length} of ${count} contacts were added`,
		notAdded.length > 0 && `${notAdded.length} ${notAdded.length > 1 ? 'were' : 'was'} not`,
		uncertainIndexes.length > 0 && `${uncertainIndexes.length} may or may not have been`,
	];
	const advice = [
		notAdded.length > 0 && `Not added: ${listRows(notAdded)}.`,
		uncertainIndexes.length > 0 &&
			`It's unclear whether ${listRows(uncertainIndexes)} ${uncertainIndexes.length > 1 ? 'were' : 'was'} added: check the list before you run ${uncertainIndexes.length > 1 ? 'them' : 'it'} again.`,
		error.advice,
		'To get contacts that fail on a branch of their own while the others pass, set On Error in the settings of this node to Continue (using error output).',
	];
	const row = describeRow(context.getInputData()[firstIndex]!.json, firstIndex, count)!;
	const text = {
		message: `${counts.filter(Boolean).join(', ')}: ${row}: ${error.message}`,
		advice: advice.filter(Boolean).join(' '),
	};
	results[firstIndex] = {
		error: error instanceof BadInput ? new BadInput(text.message, text.advice) : error.with(text),
	};
}
