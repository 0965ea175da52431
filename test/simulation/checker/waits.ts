import type { History } from '../history';
import { checkAnswerTimes } from './answerTimes';
import { readExecutions, WallClock } from './executionRecords';
import type { ExecutionRecord } from './executionRecords';
import { isGone } from './ids/polls';
import { checkLoss } from './lostExecutions';
import { eventsOf, Verdict } from './verdict';
import type { EventOf } from './verdict';
import { checkEnd } from './waitEnds';

/** Outcomes that a person or the service decides. */
const DECISIONS = ['approved', 'denied', 'expired', 'completed', 'cancelled', 'timedOut'];
/** Timers can fire slightly early. */
const TOLERANCE_MS = 100;
/** A decision is read after this time at the latest. */
const MAX_POLL_DELAY_MS = 10_000;
const PAUSE_MS = 600_000;
/** n8n sets its timers this long before at most. They continue when a call resumes the execution. */
const TIMER_AHEAD_MS = 75_000;
const DAY_MS = 86_400_000;
/** Polling for a stopped execution ends after this time at the latest. */
const STOP_MS = 50_000;

/** Checks the promises of nodes that wait for a decision. */
export function checkWaits(history: History): Verdict {
	const verdict = new Verdict();
	const clock = new WallClock(history);
	for (const execution of readExecutions(history)) {
		verdict.startsChecked++;
		for (const output of execution.outputs)
			if (output.node !== 'After') checkItems(history, clock, execution, output, verdict);
		checkRuns(execution, verdict);
		checkFailures(history, execution, verdict);
		checkPause(history, clock, execution, verdict);
		checkStop(history, execution, verdict);
		if (!checkLoss(history, execution, verdict)) checkEnd(history, clock, execution, verdict);
	}
	checkAnswerTimes(history, verdict);
	checkQuestions(history, verdict);
	checkRetryAfter(history, verdict);
	return verdict;
}

/** Checks that every item that is not an error is a result of its own request. */
function checkItems(
	history: History,
	clock: WallClock,
	execution: ExecutionRecord,
	{ at, node, items }: EventOf<'output'>,
	verdict: Verdict,
): void {
	const violate = (promise: string, detail: unknown) =>
		verdict.violate(promise, at, `${execution.id} ${node} ${JSON.stringify(detail)}`);
	let lastIndex = -1;
	for (const item of items) {
		const { id, outcome, approved, error, trouble } = item;
		if (error !== undefined) {
			if (outcome !== undefined || approved !== undefined)
				violate('the input does not pass for a result', item);
			continue;
		}
		const index = execution.askedIds.findIndex((asked) => asked === id);
		if (index < 0) {
			violate('the input does not pass for a result', item);
			continue;
		}
		if (index <= lastIndex) violate('all items are returned once, in order', item);
		lastIndex = index;
		if (approved !== undefined && approved !== (outcome === 'approved'))
			violate('the outcome is what the person decided', item);
		const wasDecided = eventsOf(history, 'decided').some(
			(decision) => decision.id === id && decision.outcome === outcome && decision.at <= at,
		);
		if (DECISIONS.includes(String(outcome)) && wasDecided) continue;
		if (outcome === 'gone' && isGone(history, String(id), at)) continue;
		if (outcome === 'unverified' && wasKeyUnknown(history, at)) continue;
		if (outcome !== 'stillOutstanding') {
			violate('the outcome is what the person decided', item);
			continue;
		}
		const { limit } = execution.items[index]!;
		const isLimitOver = (time: number) =>
			clock.hasPassed(1000 * Number(limit) - TOLERANCE_MS, waitBegan(history, execution), time);
		if (limit === undefined) {
			const hasExpired = clock.hasPassed(DAY_MS, execution.startedAt, at);
			if (trouble !== undefined && hasExpired && wasRejected(history, String(id)))
				verdict.excuse('a rejected credential ends the wait when the request expires');
			else violate('a wait without a limit ends with an answer', item);
		} else if (!isLimitOver(at)) violate('an open item is reported when its limit is over', item);
		else if (trouble === undefined && wasAnswerRead(history, String(id), at))
			violate('an answer that was read is reported', item);
		else if (wasAnsweredInTime(history, String(id), at, isLimitOver))
			violate('an answer long before the limit is reported', item);
	}
}

/** Returns the earliest time from which limits count: the last question of the execution. */
const waitBegan = (
	history: History,
	{ startedAt, askedIds }: Pick<ExecutionRecord, 'startedAt' | 'askedIds'>,
): number =>
	Math.max(
		startedAt,
		...eventsOf(history, 'asked')
			.filter(({ id }) => askedIds.includes(id))
			.map(({ at }) => at),
	);

const requestsFor = (history: History, id: string, before = Infinity) =>
	new Set(
		eventsOf(history, 'requested')
			.filter(({ path, at }) => path.includes(id) && at <= before)
			.map(({ request }) => request),
	);

const wasRejected = (history: History, id: string) => {
	const requests = requestsFor(history, id);
	return eventsOf(history, 'responded').some(
		({ request, fault }) => requests.has(request) && fault === '401',
	);
};

/** Whether the last request for an ID got a complete response after the decision. */
function wasAnswerRead(history: History, id: string, before: number): boolean {
	const request = [...requestsFor(history, id, before)].at(-1);
	const decision = eventsOf(history, 'decided').find((one) => one.id === id);
	const executed = eventsOf(history, 'executed').find((one) => one.request === request);
	const responded = eventsOf(history, 'responded').find((one) => one.request === request);
	if (!decision || !executed || !responded || responded.fault) return false;
	return executed.at > decision.at && responded.at <= before;
}

/** Whether the issuer said that it does not know the key of a token. */
function wasKeyUnknown(history: History, before: number): boolean {
	const requests = new Set(
		eventsOf(history, 'requested')
			.filter(({ path }) => path.includes('/key/'))
			.map(({ request }) => request),
	);
	return eventsOf(history, 'responded').some(
		({ request, fault, at }) => requests.has(request) && fault === 'unknown' && at <= before,
	);
}

/** Whether a decision was made so long before the limit that it had to be read, with nothing wrong since. */
function wasAnsweredInTime(
	history: History,
	id: string,
	before: number,
	isLimitOver: (time: number) => boolean,
): boolean {
	const decision = eventsOf(history, 'decided').find((one) => one.id === id);
	if (!decision || decision.at > before - MAX_POLL_DELAY_MS) return false;
	// An item that ended with its limit stays as it is while the execution waits for others.
	if (isLimitOver(decision.at + MAX_POLL_DELAY_MS)) return false;
	return !history.some(
		(event) =>
			event.at >= decision.at &&
			event.at <= before &&
			((event.type === 'responded' && event.fault !== undefined) || event.type === 'clockStepped'),
	);
}

/** Checks that each node behind the waiting one runs once, that no item is lost or doubled, and that each takes its branch. */
export function checkRuns({ id, items, outputs, end }: ExecutionRecord, verdict: Verdict): void {
	const promise = 'all items are returned once, in order';
	for (const node of ['Next', 'Approved', 'Failed', 'After']) {
		const runs = outputs.filter((output) => output.node === node);
		if (runs.length > 1) verdict.violate(promise, runs[1]!.at, `${id} ${node} ran again`);
	}
	const returned = outputs.filter(({ node }) => node !== 'After').flatMap((one) => one.items);
	for (const { node, items: branch, at } of outputs.filter(({ node }) => node !== 'After')) {
		const isApproval = ({ outcome }: Record<string, unknown>) => outcome === 'approved';
		if (branch.some((item) => isApproval(item) !== (node === 'Approved')))
			verdict.violate('only what was approved leaves by Approved', at, `${id} ${node}`);
	}
	const isInterrupted = end?.status !== 'success';
	if (returned.length !== items.length && !(isInterrupted && returned.length < items.length))
		verdict.violate(promise, end?.at ?? 0, `${id} ${returned.length} of ${items.length}`);
}

/** Checks that items fail only for a reason, and that no failure hides that a person was asked. */
function checkFailures(history: History, execution: ExecutionRecord, verdict: Verdict): void {
	const { id, startedAt, items, outputs, end, askedIds } = execution;
	const returned = outputs.filter(({ node }) => node !== 'After').flatMap((one) => one.items);
	const failed = returned.filter(({ error }) => error !== undefined);
	const isError = end?.status === 'error';
	if (failed.length === 0 && !isError) return;
	const until = outputs[0]?.at ?? end?.at ?? Infinity;
	const hasReason = history.some(
		(event) =>
			event.at <= until &&
			(event.type === 'credentialsDeleted' ||
				(event.type === 'responded' && event.fault !== undefined && event.at >= startedAt)),
	);
	if (!hasReason) verdict.violate('an item fails only if something failed', until, id);
	const open = askedIds.filter(
		(asked) => asked === undefined || !returned.some(({ id: returnedId }) => returnedId === asked),
	);
	const texts = isError
		? [`${end.message} ${end.description}`]
		: failed.map(({ error }) => String(error));
	texts.forEach((text, index) => {
		const asked = open[index];
		// The request of such an item existed before.
		if (items.some(({ request }) => request !== undefined)) return;
		const isHidden = isError
			? askedIds.some((one) => one !== undefined) && /nothing was sent/i.test(text)
			: asked !== undefined && !text.includes(asked) && !/unclear|may have/i.test(text);
		if (isHidden) verdict.violate('a failure says that the person was asked', until, text);
	});
}

/** Checks that a Wait node behind the waiting one lasts its ten minutes. */
export function checkPause(
	history: History,
	clock: WallClock,
	{ id, outputs }: ExecutionRecord,
	verdict: Verdict,
): void {
	// An approval has the Wait node on its positive output.
	const next =
		outputs.find(({ node }) => node === 'Approved') ?? outputs.find(({ node }) => node === 'Next');
	const after = outputs.find(({ node }) => node === 'After');
	if (!next || !after || clock.hasPassed(PAUSE_MS - TOLERANCE_MS, next.at, after.at)) return;
	const wasCalled = eventsOf(history, 'calledFromOutside').some(
		({ execution, status, at }) =>
			execution === id && status === 200 && at <= next.at && after.at <= at + TIMER_AHEAD_MS,
	);
	if (wasCalled)
		verdict.excuse('somebody else called the resume URL while the timer of n8n was set');
	else verdict.violate('a later wait is not cut short', after.at, id);
}

/** Checks that polling ends when a user has stopped the execution. */
function checkStop(
	history: History,
	{ id, end, askedIds }: ExecutionRecord,
	verdict: Verdict,
): void {
	if (end?.status !== 'canceled') return;
	const late = eventsOf(history, 'requested').find(
		({ at, path }) => at > end.at + STOP_MS && askedIds.some((one) => one && path.includes(one)),
	);
	if (late) verdict.violate('a stopped execution is no longer polled for', late.at, id);
}

/** Checks that no person gets a question twice. */
function checkQuestions(history: History, verdict: Verdict): void {
	const asked = new Set<string>();
	for (const { question, at } of eventsOf(history, 'asked')) {
		if (asked.has(question)) verdict.violate('a question is sent once', at, question);
		asked.add(question);
	}
}

/** Checks that a process repeats no kind of request before the time that a service demanded. */
export function checkRetryAfter(history: History, verdict: Verdict): void {
	const kinds = new Map<number, string>();
	const notBefore = new Map<string, number>();
	for (const event of history) {
		if (event.type === 'requested') {
			const kind = `${event.process} ${event.method} ${event.path.replace(/[^/]*\d[^/]*/g, '*')}`;
			kinds.set(event.request, kind);
			if (event.at < (notBefore.get(kind) ?? 0))
				verdict.violate('Retry-After is kept', event.at, event.path);
		}
		if (event.type === 'responded' && event.retryAfterMs)
			notBefore.set(kinds.get(event.request)!, event.at + event.retryAfterMs);
	}
}
