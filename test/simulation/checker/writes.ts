import type { History } from '../history';
import { checkSyncWrites } from './syncWrites';
import { eventsOf, Verdict } from './verdict';
import type { EventOf } from './verdict';
import { isSaidUnclear, readWritingExecutions } from './writeRecords';
import type { WriteRequest, WritingExecution } from './writeRecords';

/** Checks the promises of nodes that add, change or remove something. */
export function checkWrites(history: History): Verdict {
	const verdict = new Verdict();
	const executions = readWritingExecutions(history);
	for (const execution of executions) {
		verdict.startsChecked++;
		checkSentOnce(history, execution, verdict);
		checkForgery(execution, verdict);
		checkOutputs(execution, verdict);
		checkEnd(history, execution, verdict);
		if (execution.settings.sync) checkSyncWrites(history, executions, execution, verdict);
		else checkResults(execution, verdict);
		if (execution.settings.operation.startsWith('upsert'))
			checkDuplicates(history, executions, execution, verdict);
	}
	checkRetryAfter(history, verdict);
	return verdict;
}

/** Checks that a write is sent again only if it was certainly not carried out. Removals have no second effect. */
function checkSentOnce(history: History, execution: WritingExecution, verdict: Verdict): void {
	const { id, items, writes } = execution;
	for (const index of items.keys()) {
		let open: WriteRequest | undefined;
		for (const write of writes) {
			if (!write.items.includes(index) || write.method === 'DELETE') continue;
			const isAnother = open && (open.method !== write.method || open.path !== write.path);
			if (open && !isAnother) {
				if (isMissingUpdate(history, execution, open, write))
					verdict.excuse('a try of a Sync makes an update that the list does not have');
				else verdict.violate('nothing is sent twice', write.at, `${id} item ${index}`);
			}
			if (write.ending !== 'rejected') open = write;
		}
	}
}

/** Whether a Sync read the list after an update, and the contact did not have the update then. */
function isMissingUpdate(
	history: History,
	{ requests, settings }: WritingExecution,
	{ request, endedAt }: WriteRequest,
	{ at: sentAt, method, contact }: WriteRequest,
): boolean {
	const read = requests.findLast(({ at, path }) => at <= sentAt && path.includes('/contacts?'));
	if (!settings.sync || method !== 'PATCH' || !read || read.at < endedAt) return false;
	const readAt = history.findIndex(
		(event) => event.type === 'executed' && event.request === read.request,
	);
	const last = history
		.slice(0, readAt)
		.findLast((event) => event.type === 'recordChanged' && event.id === contact);
	return last?.type === 'recordChanged' && last.request !== request;
}

/** Fields that state a result. n8n adds the other fields of the input to an item of the error output. */
const RESULT_FIELDS: Record<string, string[]> = {
	sync: ['change', 'applied'],
	upsertContact: ['created'],
	upsertRegistration: ['created'],
	sms: ['sent'],
};

function checkForgery({ id, outputs, settings }: WritingExecution, verdict: Verdict): void {
	const stating = ['error', ...(RESULT_FIELDS[settings.operation] ?? [])];
	for (const { json, at } of outputs)
		if (
			Object.entries(json).some(
				([name, value]) =>
					value === 'forged' && (json.error === undefined || stating.includes(name)),
			)
		)
			verdict.violate('the input does not pass for a result', at, `${id} ${JSON.stringify(json)}`);
}

/** Checks that every item of the input has exactly one item of the output. Preview and Sync add items without one. */
function checkOutputs({ id, items, outputs, end }: WritingExecution, verdict: Verdict): void {
	if (outputs.length === 0 && end?.status !== 'success') return;
	for (const index of items.keys()) {
		const count = outputs.filter(({ from }) => from === index).length;
		if (count !== 1)
			verdict.violate('every item has one result', outputs[0]?.at ?? 0, `${id} ${index}: ${count}`);
	}
}

/** Checks that a result was confirmed by the service, and that a failure says so if the write may have been carried out. */
function checkResults({ id, writes, outputs }: WritingExecution, verdict: Verdict): void {
	for (const { json, from, at } of outputs) {
		const own = writes.filter((write) => write.items.includes(from ?? -1));
		const violate = (promise: string) =>
			verdict.violate(promise, at, `${id} item ${from}: ${JSON.stringify(json)}`);
		const last = own.at(-1);
		if (json.error === undefined) {
			if (last?.ending !== 'confirmed' || last.endedAt > at)
				violate('no success that the service did not confirm');
			const isCreated = last?.method === 'POST';
			if (typeof json.created === 'boolean' && json.created !== isCreated)
				violate('no success that the service did not confirm');
		} else if (last?.ending === 'confirmed') violate('a confirmed write is reported');
		else if (last?.ending === 'unclear' && !isSaidUnclear(JSON.stringify(json)))
			violate('uncertain is never reported as certain');
	}
}

/** Checks that an execution fails only for a reason, and that its error says so if a write may have been carried out. */
function checkEnd(history: History, execution: WritingExecution, verdict: Verdict): void {
	const { id, startedAt, endedAt, settings, items, writes, end, outputs } = execution;
	if (end?.status === 'crashed' || end?.status === undefined) {
		if (end && !execution.wasInterrupted)
			verdict.violate('an execution ends', end.at, `${id} crashed without a kill`);
		return;
	}
	if (end.status === 'error') {
		const text = `${end.message} ${end.description}`;
		const isUnclear = items.some((_, index) => isLeftUnclear(execution, index));
		if (isUnclear && !isSaidUnclear(text))
			verdict.violate('uncertain is never reported as certain', end.at, `${id} ${text}`);
	}
	const failed = outputs.filter(({ json }) => json.error !== undefined);
	if (end.status !== 'error' && failed.length === 0) return;
	const hasInvalid = items.some(({ Email = '' }) => !Email.includes('@'));
	const hasFault = eventsOf(history, 'responded').some(
		({ at, fault }) => fault !== undefined && at >= startedAt && at <= endedAt,
	);
	// Organizers can make an address ambiguous, and a plan another one than expected.
	const hasOrganizer = eventsOf(history, 'recordChanged').some(
		({ at, request }) => at > 0 && !writes.some((write) => write.request === request),
	);
	const canStop =
		settings.sync !== undefined && (end.message ?? outputs[0]?.json.error) !== undefined;
	const text = `${end.message ?? ''} ${end.description ?? ''} ${failed.map(({ json }) => String(json.error)).join(' ')}`;
	const isLimited = canStop && /Nothing was written: .* would be/.test(text);
	if (!hasInvalid && !hasFault && !hasOrganizer && !isLimited)
		verdict.violate('an item fails only if something failed', end.at, `${id} ${text}`);
}

/** Whether the last write about an item may have been carried out. */
function isLeftUnclear({ writes }: WritingExecution, index: number): boolean {
	const last = writes.findLast((write) => write.items.includes(index));
	return last?.ending === 'unclear';
}

/** Checks that Create or Update adds no person a second time. */
function checkDuplicates(
	history: History,
	executions: readonly WritingExecution[],
	{ id, requests, writes, startedAt }: WritingExecution,
	verdict: Verdict,
): void {
	/** Whether a record was added without a lock: by an organizer, an operation that only adds, or a dead process. */
	const isUnlocked = ({ request }: RecordChange) => {
		const adder = executions.find((one) => one.writes.some((write) => write.request === request));
		const isPlain = ['addContacts', 'register'].includes(adder?.settings.operation ?? '');
		return adder === undefined || isPlain || adder.wasInterrupted;
	};
	for (const { changes, at: sentAt } of writes) {
		for (const change of changes.filter(({ before }) => !before)) {
			const present = recordsWithAddressOf(history, change);
			if (present.length === 0) continue;
			const address = addressOf(change);
			const searches = requests.filter(
				({ path, sent, at }) =>
					at <= sentAt && path.includes('/search') && JSON.stringify(sent).includes(address),
			);
			const searchedAt = Math.max(startedAt, ...searches.map(({ at }) => at));
			if (present.every((one) => one.at >= searchedAt && isUnlocked(one)))
				verdict.excuse('a person was added between the search and the addition');
			else verdict.violate('nobody is added twice', change.at, `${id} ${address}`);
		}
	}
}

type RecordChange = EventOf<'recordChanged'>;

const addressOf = ({ after }: RecordChange) => (after?.Email ?? '').trim().toLowerCase();

/** Returns the additions and changes that gave another record the address of a new one before it was added. */
function recordsWithAddressOf(history: History, added: RecordChange): RecordChange[] {
	const records = new Map<string, RecordChange>();
	for (const event of eventsOf(history, 'recordChanged')) {
		if (event === added) break;
		if (event.table !== added.table) continue;
		if (!event.after) records.delete(event.id);
		else if (!event.before || addressOf(event) !== addressOf(records.get(event.id) ?? event))
			records.set(event.id, event);
	}
	return [...records.values()].filter((event) => addressOf(event) === addressOf(added));
}

/** Checks that a process repeats no kind of request before the time that a service demanded. */
function checkRetryAfter(history: History, verdict: Verdict): void {
	const kinds = new Map<number, string>();
	let notBefore = new Map<string, number>();
	for (const event of history) {
		if (event.type === 'processStarted') notBefore = new Map();
		if (event.type === 'requested') {
			const kind = `${event.method} ${event.path.replace(/\?.*/, '').replace(/\/\d+(?=\/|$)/g, '/*')}`;
			kinds.set(event.request, kind);
			if (event.at < (notBefore.get(kind) ?? 0))
				verdict.violate('Retry-After is kept', event.at, event.path);
		}
		if (event.type === 'responded' && event.retryAfterMs)
			notBefore.set(kinds.get(event.request)!, event.at + event.retryAfterMs);
	}
}
