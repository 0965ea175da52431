import type { History, RecordedPlan, SyncInput } from '../history';
import { expectSync, hasSameMeaning, keyOf } from './expectedSync';
import type { ExpectedSync } from './expectedSync';
import { eventsOf, Verdict } from './verdict';
import type { EventOf } from './verdict';

/** Checks that each plan writes what makes the list equal to its input, and nothing else. */
export function checkSyncPlan(history: History): Verdict {
	const verdict = new Verdict();
	const signatures = new Map<string, { digest: string; run: number }>();
	const writesByDigest = new Map<string, string>();
	for (const planned of eventsOf(history, 'planned')) {
		verdict.startsChecked++;
		const { run, plan, digest, at } = planned;
		const { input } = eventsOf(history, 'syncBegan').find((event) => event.run === run)!;
		const read = eventsOf(history, 'listRead').findLast((event) => event.run === run)!;
		const expected = expectSync(input, read.contacts, read.asOf);
		checkRows(planned, input, expected, verdict);
		checkUnmatched(planned, expected, verdict);
		if ((planned.exceeded !== undefined) !== expected.isExceeded)
			verdict.violate('limits hold', at, `run ${run}: ${planned.exceeded}`);
		const writes = writesOf(plan, input, read);
		const known = signatures.get(writes);
		if (known && known.digest !== digest)
			verdict.violate('equal plans are the expected plan', at, `runs ${known.run} and ${run}`);
		if ((writesByDigest.get(digest) ?? writes) !== writes)
			verdict.violate('another plan is not the expected one', at, `run ${run}`);
		signatures.set(writes, { digest, run });
		writesByDigest.set(digest, writes);
	}
	for (const end of eventsOf(history, 'syncEnded')) checkResult(history, end, verdict);
	return verdict;
}

function checkRows(
	{ run, plan, at }: EventOf<'planned'>,
	input: SyncInput,
	expected: ExpectedSync,
	verdict: Verdict,
): void {
	const violate = (promise: string, detail: unknown) =>
		verdict.violate(promise, at, `run ${run}: ${JSON.stringify(detail)}`);
	if (plan.rows.length !== input.rows.length) {
		violate('every item has one result', plan.rows.length);
		return;
	}
	for (const [index, row] of plan.rows.entries()) {
		const { change, contact, written } = expected.rows[index]!;
		const both = { index, planned: row, expected: expected.rows[index] };
		if (row.change !== change || (contact !== undefined && row.contact !== contact))
			violate('a row is planned as documented', both);
		const planned = Object.fromEntries(row.changes.map(({ field, to }) => [field, to]));
		const names = Object.keys({ ...planned, ...written });
		if (names.some((name) => planned[name]?.trim() !== written[name]?.trim()))
			violate('only fields that differ are written', both);
	}
}

function checkUnmatched(
	{ run, plan, at }: EventOf<'planned'>,
	{ unmatched }: ExpectedSync,
	verdict: Verdict,
): void {
	const seen = new Set<number>();
	for (const { contact, change } of plan.unmatched) {
		const expected = unmatched.get(contact);
		if (change === 'removed' && expected !== 'removed')
			verdict.violate('a contact in the input or a new one stays', at, `run ${run}: ${contact}`);
		else if (expected !== change || seen.has(contact))
			verdict.violate('every missing contact is listed', at, `run ${run}: ${contact}`);
		seen.add(contact);
	}
	if (seen.size !== unmatched.size)
		verdict.violate('every missing contact is listed', at, `run ${run}`);
}

/** Returns a text that is equal for plans that write the same, whatever the order of rows and contacts. */
function writesOf(
	{ rows, unmatched }: RecordedPlan,
	{ matchBy, kinds, rows: given }: SyncInput,
	{ contacts }: EventOf<'listRead'>,
): string {
	const names = Object.keys(kinds).sort();
	const writes: unknown[] = rows.map(({ change, contact, changes }, index) => {
		if (change !== 'created' && change !== 'updated') return undefined;
		const texts = changes
			.filter(({ field }) => field !== matchBy)
			.map(({ field, from, to }) => [field, from.trim(), to.trim()]);
		return [change, contact ?? keyOf(matchBy, given[index]!), texts.sort()];
	});
	for (const { change, contact } of unmatched) {
		if (change !== 'removed') continue;
		const { values } = contacts.find(({ id }) => id === contact)!;
		writes.push([change, contact, names.map((name) => (values[name] ?? '').trim())]);
	}
	const lines = writes.filter(Boolean).map((write) => JSON.stringify(write));
	return [matchBy, ...names, ...lines.sort()].join('\n');
}

/** Checks that a run that was not disturbed has left what its input says, and that another run would write nothing. */
function checkResult(
	history: History,
	{ run, isComplete, contacts, at }: EventOf<'syncEnded'>,
	verdict: Verdict,
): void {
	if (!isComplete) return;
	const began = eventsOf(history, 'syncBegan').find((event) => event.run === run)!;
	const read = eventsOf(history, 'listRead').findLast((event) => event.run === run)!;
	const isDisturbed = eventsOf(history, 'organized').some(
		(one) => one.at >= began.at && one.at <= at,
	);
	if (isDisturbed) return;
	const { input } = began;
	const before = expectSync(input, read.contacts, read.asOf);
	const after = expectSync(input, contacts, read.asOf);
	// A conflict is written once the other contact has changed, which the run may have done.
	const isOpen = after.rows.some(
		({ change }, index) =>
			(change === 'created' || change === 'updated') && before.rows[index]!.change !== 'conflict',
	);
	if (isOpen || after.removalCount > 0)
		verdict.violate('after a run the list equals its plan', at, `run ${run}`);
	for (const { id, values } of read.contacts) {
		const now = contacts.find((contact) => contact.id === id);
		const isRemoved = before.unmatched.get(id) === 'removed';
		if ((now === undefined) !== isRemoved)
			verdict.violate('after a run the list equals its plan', at, `run ${run}: contact ${id}`);
		const written = before.rows.find(
			(row) => row.change === 'updated' && row.contact === id,
		)?.written;
		for (const [name, value] of Object.entries(now?.values ?? {}))
			if (!hasSameMeaning(input.kinds[name], value, written?.[name] ?? values[name] ?? ''))
				verdict.violate('what was not asked for is not changed', at, `run ${run}: ${id} ${name}`);
	}
	const created = before.rows.filter(({ change }) => change === 'created').length;
	const added = contacts.filter(({ id }) => !read.contacts.some((contact) => contact.id === id));
	if (added.length !== created)
		verdict.violate('nobody is added twice', at, `run ${run}: ${added.length} of ${created}`);
}
