import type { History } from '../history';
import { checkAnswerTimes } from './answerTimes';
import { WallClock } from './executionRecords';
import type { ExecutionRecord } from './executionRecords';
import { checkLoss } from './lostExecutions';
import { readApprovals } from './people/approval';
import type { Approval } from './people/approval';
import { checkAsking } from './people/asking';
import { checkFailure } from './people/failures';
import { checkInTime } from './people/inTime';
import { checkResult } from './people/results';
import { eventsOf, Verdict } from './verdict';
import { checkPause, checkRetryAfter, checkRuns } from './waits';

/** Checks the promises of approvals by several people. */
export function checkPeople(history: History): Verdict {
	const verdict = new Verdict();
	const clock = new WallClock(history);
	const byExecution = new Map<string, Approval[]>();
	for (const approval of readApprovals(history)) {
		const { id } = approval.execution;
		byExecution.set(id, [...(byExecution.get(id) ?? []), approval]);
		checkAsking(history, clock, approval, verdict);
	}
	for (const approvals of byExecution.values()) {
		const { execution } = approvals[0]!;
		verdict.startsChecked += approvals.length;
		checkItems(history, clock, execution, approvals, verdict);
		checkCause(history, execution, verdict);
		checkRuns(execution, verdict);
		checkPause(history, clock, execution, verdict);
		if (!checkLoss(history, execution, verdict)) checkInTime(history, clock, approvals, verdict);
	}
	checkAnswerTimes(history, verdict);
	checkRetryAfter(withNamedUsers(history), verdict);
	return verdict;
}

/**
 * Returns the history with the digits of users' IDs as letters. The two-factor service limits requests about each person by
 * itself, and the check takes every part of a path that has digits for one kind.
 */
const withNamedUsers = (history: History): History =>
	history.map((event) => {
		if (event.type !== 'requested') return event;
		const toLetters = (id: string) => id.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);
		return { ...event, path: event.path.replace(/(?<=\/users\/)\d+/, toLetters) };
	});

/** Checks every item at the outputs of the node, and the error of the execution. */
function checkItems(
	history: History,
	clock: WallClock,
	{ id, outputs, end }: ExecutionRecord,
	approvals: Approval[],
	verdict: Verdict,
): void {
	const wasParked = eventsOf(history, 'executionParked').some(({ execution }) => execution === id);
	for (const { node, items, at } of outputs) {
		if (node === 'After') continue;
		let lastIndex = -1;
		for (const item of items) {
			const { error, message } = item;
			if (error !== undefined) {
				if (item.outcome !== undefined || item.approved !== undefined)
					verdict.violate('the input does not pass for a result', at, JSON.stringify(item));
				const approval = approvals[indexIn(String(error), approvals.length)];
				if (approval) checkFailure(approval, { text: String(error), at, isItem: true }, verdict);
				continue;
			}
			const index = approvals.findIndex(({ question }) => question === message);
			if (index <= lastIndex) {
				const isKnown = index >= 0;
				const promise = isKnown
					? 'all items are returned once, in order'
					: 'the input does not pass for a result';
				verdict.violate(promise, at, JSON.stringify(item));
				continue;
			}
			lastIndex = index;
			checkResult(clock, approvals[index]!, { item, at, wasParked }, verdict);
		}
	}
	if (end?.status !== 'error') return;
	const text = [end.message, end.description].join(' ');
	const index = indexIn(text, approvals.length);
	if (index >= 0)
		checkFailure(approvals[index]!, { text, at: end.at, isItem: approvals.length === 1 }, verdict);
}

/** Returns the index of the item that an error names; -1 if it names none of several. */
function indexIn(error: string, itemCount: number): number {
	const named = /\bRow (\d+) of /.exec(error)?.[1];
	if (named !== undefined) return Number(named) - 1;
	return itemCount === 1 ? 0 : -1;
}

/** Checks that items fail only if something failed before. */
function checkCause(
	history: History,
	{ id, startedAt, outputs, end }: ExecutionRecord,
	verdict: Verdict,
): void {
	const failed = outputs.flatMap(({ items }) => items).filter(({ error }) => error !== undefined);
	if (failed.length === 0 && end?.status !== 'error') return;
	const until = outputs[0]?.at ?? end?.at ?? Infinity;
	const hasCause = history.some(
		(event) =>
			event.at <= until &&
			(event.type === 'credentialsDeleted' ||
				(event.type === 'responded' &&
					event.at >= startedAt &&
					(event.fault !== undefined || (event.status ?? 0) >= 400))),
	);
	if (!hasCause) verdict.violate('an item fails only if something failed', until, id);
}
