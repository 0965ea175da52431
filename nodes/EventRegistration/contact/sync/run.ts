import { BadInput, toNodeError } from '../../../engine/errors';
import { toPathSegment } from '../../../engine/http/path';
import type { Batch, ItemResult } from '../../../engine/operation';
import { withSharedListLock, withExclusiveListLock } from '../listLock';
import { findExceededLimit } from './changeLimits';
import { digestOf, planText } from './digest';
import type { SyncedList } from './list';
import {
	isChange,
	createContactResult,
	createRowResult,
	stoppedFailure,
	summaryOf,
	SyncOutput,
	SyncSummary,
} from './output';
import { makePlan, createTextDeduplicator } from './plan';
import { readWholeList } from './readList';
import type { ListReading } from './readList';
import { readInput } from './rows';
import type { SyncInput, SyncValues } from './rows';
import type { SyncPlan } from './types';
import { writePlan } from './write';
import type { WriteResults } from './writeResults';

/**
 * Makes a contact list equal to the input items, or shows what that would change. Everything is read before anything is
 * written. An error that concerns all items fails the node, or every item if the user chose to continue.
 */
export async function syncContacts(batch: Batch<SyncValues>): Promise<ItemResult[]> {
	try {
		const input = await readInput(batch);
		if (Array.isArray(input)) return input;
		const { mode, contactListId } = input.values;
		const lock = mode === 'apply' ? withExclusiveListLock : withSharedListLock;
		return await lock(input.call, contactListId, async () => await sync(batch, input));
	} catch (error) {
		const isCancelled = batch.context.getExecutionCancelSignal()?.aborted === true;
		if (batch.continueOnFail || isCancelled) return batch.calls.map(() => ({ error }));
		const secrets = batch.calls[0]?.secrets();
		throw toNodeError(batch.context.getNode(), error, undefined, secrets);
	}
}

async function sync(batch: Batch<SyncValues>, input: SyncInput): Promise<ItemResult[]> {
	const { call, scope, values } = input;
	const { expectedPlan, mode } = values;
	const contactListId = toPathSegment('Contact List', values.contactListId);
	const list: SyncedList = { call, params: { contactListId } };
	const { plan, reading, asOf } = await planFor(list, input);
	const listIdentity = {
		baseUrl: call.client.connection.baseUrl,
		listId: contactListId.replace(/^0+/, ''),
	};
	const digest = digestOf(listIdentity, scope, plan);
	if (expectedPlan && digest !== expectedPlan.digest) throw planChangedError(plan);
	const exceededReason = findExceededLimit(plan, reading.size, {
		removals: values.maxRemovals,
		changes: values.maxChanges,
	});
	if (mode === 'apply' && exceededReason !== undefined) throw limitExceededError(exceededReason);
	if (exceededReason !== undefined) call.hint(`Apply would stop here: ${exceededReason}.`);
	const writeResults =
		mode === 'apply'
			? await writePlan(list, scope, plan, {
					reading,
					callOf: (index) => batch.calls[index]!,
					continueOnFail: batch.continueOnFail,
					previewAsOf: expectedPlan?.asOf,
				})
			: undefined;
	if (writeResults?.isStopped && !batch.continueOnFail) throw stoppedFailure(writeResults);
	if (writeResults) addHints(input, writeResults);
	return toItemResults(
		batch,
		input,
		plan,
		planText({ asOf, digest }),
		writeResults,
		exceededReason,
	);
}

/**
 * Reads the list and plans the changes that make it equal to the input. Contacts that the plan does not need can be freed
 * afterwards.
 */
async function planFor(
	list: SyncedList,
	{
		scope,
		values: { expectedPlan, missing: missingPolicy },
		rows,
		invalidCount,
		invalidRows,
	}: SyncInput,
): Promise<{ plan: SyncPlan; reading: ListReading; asOf: number }> {
	const { contacts, reading } = await readWholeList(
		list,
		scope,
		createTextDeduplicator(scope, rows),
	);
	const asOf = expectedPlan?.asOf ?? reading.readAtMs;
	const plan = makePlan(scope, rows, contacts, {
		missingPolicy,
		asOf,
		invalidRows,
		...(invalidCount > 0 && {
			removalBlockedReason: 'Nothing is removed while input items are invalid',
		}),
	});
	return { plan, reading, asOf };
}

/** Adds output items to the results of their input items. Adds those without an input item to the batch. */
function toItemResults(
	batch: Batch<SyncValues>,
	{ scope, values: { show }, results, invalidCount }: SyncInput,
	plan: SyncPlan,
	textOfPlan: string,
	writeResults: WriteResults | undefined,
	exceededReason: string | undefined,
): ItemResult[] {
	const items = new SyncOutput(scope, textOfPlan);
	const summary = new SyncSummary();
	for (const planned of plan.rows) {
		const { index } = planned.row;
		const rowResult = createRowResult(planned, writeResults);
		if ('error' in rowResult) {
			results[index] = { error: rowResult.error };
			summary.add({ change: 'invalid' });
			continue;
		}
		const item = () => items.row(planned, rowResult);
		if (show === 'summary') summary.add(rowResult, item);
		else if (show === 'all' || isChange(rowResult.change)) results[index] = { items: [item()] };
	}
	for (const planned of plan.unmatched) {
		const contactResult = createContactResult(planned, writeResults);
		const item = () => items.contact(planned, contactResult);
		if (show === 'summary') summary.add(contactResult, item);
		else batch.addUnpaired(item());
	}
	if (show === 'summary') {
		for (let count = 0; count < invalidCount; count++) summary.add({ change: 'invalid' });
		batch.addUnpaired(summary.toItem(textOfPlan, exceededReason));
	}
	return results;
}

function addHints({ call }: SyncInput, writeResults: WriteResults): void {
	const uncertain = writeResults.count('uncertain');
	if (uncertain > 0) {
		call.hint(
			`The answers about ${uncertain === 1 ? '1 contact' : `${uncertain} contacts`} were lost, so it's unclear whether they were written. Run Sync again: it reads the list and writes what is missing. With 'Expected Plan', make a new preview first.`,
		);
	}
	if (writeResults.respelled.size > 0) {
		const names = [...writeResults.respelled].sort().map((name) => `'${name}'`);
		call.hint(
			`The service stores ${names.join(', ')} in another spelling than the one sent, so every run updates such contacts again. Send the values as the service stores them.`,
		);
	}
}

const planChangedError = (plan: SyncPlan) =>
	new BadInput(
		'The plan is another one than the expected one, so nothing was written',
		`The list or the input has changed since the preview, or an earlier run was interrupted and may have written a part. Today's plan: ${summaryOf(plan).toText()}. Make a new preview.`,
	);

const limitExceededError = (reason: string) =>
	new BadInput(
		`Nothing was written: ${reason}`,
		"Check the node that supplies the items: part of them may be missing. If this is right, raise the limit with 'Stop If More …' in the options.",
	);
