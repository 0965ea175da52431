import type { History, ListedRecord } from '../history';
import { expectSync, hasSameMeaning, keyOf } from './expectedSync';
import type { ExpectedSync } from './expectedSync';
import type { EventOf, Verdict } from './verdict';
import { contactsBefore, inputOf } from './writeRecords';
import type { OutputItem, WriteRequest, WritingExecution } from './writeRecords';

/** The service shows its time in whole seconds: a contact of that second may have been added before or after. */
const TIME_STEP_MS = 2000;

type Change = EventOf<'recordChanged'>;

/** Checks a Sync: what it wrote, what it says about it, and the list that it leaves. */
export function checkSyncWrites(
	history: History,
	executions: readonly WritingExecution[],
	execution: WritingExecution,
	verdict: Verdict,
): void {
	const { id, writes, items, end } = execution;
	if (items[0]!.mode === 'preview' && writes.length > 0)
		verdict.violate('a preview writes nothing', writes[0]!.at, id);
	for (const write of writes)
		for (const change of write.changes) checkWrite(history, execution, write, change, verdict);
	checkLimits(history, execution, verdict);
	checkExpectedPlan(history, executions, execution, verdict);
	for (const output of execution.outputs) checkResult(history, execution, output, verdict);
	if (end?.status === 'success' && items[0]!.mode === 'apply')
		checkList(history, execution, verdict);
}

/** Checks that a change at the service is one that the input asks for. */
function checkWrite(
	history: History,
	execution: WritingExecution,
	{ at: sentAt }: WriteRequest,
	change: Change,
	verdict: Verdict,
): void {
	const { id, requests } = execution;
	const input = inputOf(execution);
	const { before, after, at } = change;
	const violate = (promise: string) =>
		verdict.violate(promise, at, `${id} ${JSON.stringify({ before, after })}`);
	const rows = (values: Record<string, string>) =>
		input.rows.filter((row) => keyOf(input.matchBy, row) === keyOf(input.matchBy, values));
	if (!after) {
		const isAsked =
			input.missing === 'remove' &&
			input.invalidRows.length === 0 &&
			rows(before!).length === 0 &&
			input.rows.every(({ Email }) => Email !== before!.Email);
		if (!isAsked) violate('a contact in the input is never removed');
	} else if (before) {
		const names = Object.keys({ ...before, ...after });
		const changed = names.filter((name) => before[name] !== after[name]);
		const isAsked = changed.every(
			(name) => name in input.kinds && rows(before).some((row) => row[name] === after[name]),
		);
		if (!isAsked) violate('what was not asked for is not changed');
	} else {
		if (rows(after).length === 0) violate('what was not asked for is not changed');
		const others = contactsBefore(history, history.indexOf(change)).filter(
			({ values }) =>
				keyOf(input.matchBy, values) === keyOf(input.matchBy, after) ||
				(after.Email !== '' && values.Email === after.Email),
		);
		const readAt = lastCheckAt(requests, sentAt);
		if (others.length === 0) return;
		if (others.every(({ addedAt }) => addedAt >= readAt))
			verdict.excuse('a person signed up between the last check and the addition');
		else violate('nobody is added twice');
	}
}

/**
 * Returns when a try checked for the last time for people who have signed up: before its first addition, and before it read the
 * size of the list, by which it later finds the contacts of a rejected batch that were added.
 */
function lastCheckAt(requests: ReadonlyArray<EventOf<'requested'>>, sentAt: number): number {
	const earlier = requests.filter(({ at }) => at <= sentAt);
	const formAt = earlier.findLastIndex(({ path }) => path.endsWith('/contactform'));
	const ofTry = earlier.slice(formAt + 1);
	const first = ofTry.findIndex(({ method }) => method === 'POST');
	const reads = ofTry.slice(0, first).filter(({ method }) => method === 'GET');
	const isBatch = Array.isArray(ofTry[first]?.sent) && ofTry[first].sent.length > 1;
	return reads.at(isBatch ? -2 : -1)?.at ?? 0;
}

/** Checks that no more is written than the limits allow. */
function checkLimits(history: History, execution: WritingExecution, verdict: Verdict): void {
	const { id, writes, endedAt, startedAt } = execution;
	const { maxRemovals, maxChanges } = inputOf(execution);
	const sizes = history.flatMap((event, index) =>
		event.at >= startedAt && event.at <= endedAt && event.type === 'executed'
			? [contactsBefore(history, index).length]
			: [],
	);
	const size = Math.max(0, ...sizes);
	const allowed = (text: string | undefined, byDefault: number) => {
		if (text === undefined) return byDefault;
		return text.endsWith('%') ? (parseFloat(text) * size) / 100 : Number(text);
	};
	const changes = writes.flatMap((write) => write.changes);
	const removed = changes.filter(({ after }) => !after).length;
	const isShareOfNothing = maxChanges?.endsWith('%') === true && Math.min(...sizes) === 0;
	const isTooMuch =
		removed > allowed(maxRemovals, Math.max(5, size / 10)) ||
		(!isShareOfNothing && changes.length - removed > allowed(maxChanges, Infinity));
	// Each try of Retry On Fail makes a plan of its own, with limits of its own.
	if (isTooMuch && !execution.settings.retryOnFail)
		verdict.violate('limits hold', writes[0]!.at, id);
}

/** Checks that nothing is written unless the plan is the one that was signed off. */
function checkExpectedPlan(
	history: History,
	executions: readonly WritingExecution[],
	execution: WritingExecution,
	verdict: Verdict,
): void {
	const { id, items, writes, startedAt } = execution;
	const { expected } = items[0]!;
	const preview = executions.find(
		(one) => one !== execution && one.outputs.some(({ json }) => json.plan === expected),
	);
	const first = writes[0];
	if (expected === undefined || !preview || !first) return;
	if (isDisturbed(history, preview) || isDisturbed(history, execution, first.at)) return;
	const [then, now] = [preview.startedAt, startedAt].map((at) =>
		expectSync(inputOf(execution), contactsAt(history, at), preview.startedAt - TIME_STEP_MS),
	);
	// A run that was disturbed between two tries of Retry On Fail has written a part.
	if (execution.settings.retryOnFail) return;
	if (signatureOf(then!) !== signatureOf(now!))
		verdict.violate('nothing is written but the expected plan', first.at, id);
}

/** Returns a text that is equal for plans that write the same. A row that is not written may become a conflict meanwhile. */
const signatureOf = ({ rows, unmatched }: ExpectedSync): string =>
	JSON.stringify([
		rows.flatMap(({ change, key, written, contact }) =>
			change === 'created' || change === 'updated' ? [[change, key, written, contact]] : [],
		),
		[...unmatched].filter(([, change]) => change === 'removed'),
	]);

const contactsAt = (history: History, at: number): ListedRecord[] => {
	const index = history.findIndex((event) => event.at > at);
	return contactsBefore(history, index < 0 ? history.length : index);
};

/** Whether an organizer or another execution changed contacts during an execution. */
const isDisturbed = (
	history: History,
	{ startedAt, endedAt, writes }: WritingExecution,
	until = endedAt,
): boolean =>
	history.some(
		(event) =>
			event.type === 'recordChanged' &&
			event.table === 'contacts' &&
			event.at >= startedAt &&
			event.at <= until &&
			!writes.some(({ request }) => request === event.request),
	);

/** Checks that an item says what the service confirmed. */
function checkResult(
	history: History,
	execution: WritingExecution,
	{ at, from, json }: OutputItem,
	verdict: Verdict,
): void {
	const { id, writes } = execution;
	const { change, applied, ContactId, error } = json;
	const violate = (promise: string) =>
		verdict.violate(promise, at, `${id} item ${from}: ${JSON.stringify(json)}`);
	const own = writes.filter((write) =>
		from === null ? write.contact === String(ContactId) : write.items.includes(from),
	);
	const last = own.at(-1);
	if (applied === true) {
		const isGone = change === 'removed' && isSaidGone(history, execution, Number(ContactId));
		if (last?.ending !== 'confirmed' && !isGone)
			violate('no success that the service did not confirm');
	} else if (applied === null) {
		if (!own.some(({ ending }) => ending === 'unclear'))
			violate('a certain result is not reported as uncertain');
	} else if (error !== undefined) {
		if (last?.ending === 'unclear' && !isUnclearText(json))
			violate('uncertain is never reported as certain');
	} else if (last?.ending === 'unclear' && change !== 'unchanged' && change !== 'duplicate') {
		// A later try may have found the contact in the list, beside another one with its key.
		const isReadAgain = execution.requests.some(
			({ path, at: readAt }) => path.includes('/contacts?') && readAt >= last.endedAt,
		);
		if (change !== 'conflict' || !isReadAgain) violate('uncertain is never reported as certain');
	}
}

const isUnclearText = (json: object) => /unclear|may have|uncertain/i.test(JSON.stringify(json));

/** Whether the service, or something before it, answered that it does not know a contact. */
const isSaidGone = (history: History, { requests }: WritingExecution, contact: number): boolean => {
	const own = requests.filter(({ path }) => path.endsWith(`/contacts/${contact}`));
	return history.some(
		(event) =>
			event.type === 'responded' &&
			own.some(({ request }) => request === event.request) &&
			(event.status === 404 || event.status === 410),
	);
};

const hasFailedRequest = (
	history: History,
	{ requests }: WritingExecution,
	contact: number,
): boolean =>
	requests.some(
		({ request, path }) =>
			path.endsWith(`/contacts/${contact}`) &&
			history.some(
				(event) =>
					event.type === 'responded' && event.request === request && event.fault !== undefined,
			),
	);

/** Checks the list that an undisturbed Sync leaves, and the changes that it reports. */
function checkList(history: History, execution: WritingExecution, verdict: Verdict): void {
	const { id, startedAt, endedAt, outputs, settings } = execution;
	const isWhole = outputs.every(
		({ json }) => json.error === undefined && json.change !== 'uncertain',
	);
	if (!isWhole || isDisturbed(history, execution)) return;
	const input = inputOf(execution);
	const before = contactsAt(history, startedAt);
	const after = contactsBefore(
		history,
		history.findIndex(({ at }) => at > endedAt),
	);
	const expected = expectSync(input, before);
	const violate = (promise: string, detail: unknown) =>
		verdict.violate(promise, endedAt, `${id} ${JSON.stringify(detail)}`);
	const isOpen = expectSync(input, after).rows.filter(
		({ change }, index) =>
			(change === 'created' || change === 'updated') && expected.rows[index]!.change !== 'conflict',
	);
	if (isOpen.length > 0) violate('after a run the list equals its plan', isOpen);
	const recent = (contact: ListedRecord) => contact.addedAt >= startedAt - TIME_STEP_MS;
	for (const contact of before) {
		const isLeft = after.some((one) => one.id === contact.id);
		const isRemoved = expected.unmatched.get(contact.id) === 'removed';
		const expects = execution.items[0]!.expected !== undefined;
		const reported = outputs.find(
			({ json, from }) => from === null && json.ContactId === contact.id,
		)?.json;
		// With an expected plan, a contact that was added or changed after the preview stays.
		const hasReason = reported?.change === 'missing' && reported.reason !== undefined;
		const isKept =
			isLeft &&
			(recent(contact) ||
				(hasReason && (expects || hasFailedRequest(history, execution, contact.id))));
		if (isLeft && isRemoved && isSaidGone(history, execution, contact.id))
			verdict.excuse('a contact counts as removed if the service says that it is gone');
		else if (isLeft === isRemoved && !isKept)
			violate('after a run the list equals its plan', contact);
	}
	const created = expected.rows.filter(({ change }) => change === 'created').length;
	if (after.filter(({ id: one }) => !before.some((old) => old.id === one)).length !== created)
		violate('after a run the list equals its plan', { created });
	if (settings.retryOnFail) return;
	const rows = execution.items.flatMap((item, index) =>
		keyOf(input.matchBy, item) === '' ? [] : [index],
	);
	for (const [position, index] of rows.entries()) {
		const { change, written } = expected.rows[position]!;
		const shown = outputs.find(({ from }) => from === index)?.json;
		const changes = (shown?.changes ?? []) as Array<{ field: string; to: string }>;
		const areSame =
			changes.length === Object.keys(written).length &&
			changes.every(({ field, to }) => hasSameMeaning('text', written[field] ?? '', to));
		if (shown?.change !== change || !areSame)
			violate('a row is reported as it was planned', { shown, change, written });
	}
}
