import type { WallClock } from '../executionRecords';
import type { Verdict } from '../verdict';
import {
	answersBy,
	levelOf,
	levelStart,
	readAnswersBy,
	requestsOf,
	wasAnswerRead,
} from './approval';
import type { Approval, AskedRequest } from './approval';
import { hasExpired, isUnknown, wasUnread } from './readings';

/** Timers can fire slightly early. */
const TOLERANCE_MS = 100;
/** An execution that cannot be parked waits this long at most. */
const BLOCKING_MS = 3_600_000;

/** Names of the promises that several checks share. */
const TRUE_OUTCOME = 'the outcome is what the people decided';
const READ_IS_REPORTED = 'a decision that was read is reported';
const NO_INPUT = 'the input does not pass for a result';

/** A result at the output of the node, and what the checks need to know about its execution. */
export interface Result {
	item: Record<string, unknown>;
	at: number;
	/** Whether the execution was parked at some time. */
	wasParked: boolean;
}

/** Checks a result against the answers of the people. */
export function checkResult(
	clock: WallClock,
	approval: Approval,
	{ item, at, wasParked }: Result,
	verdict: Verdict,
): void {
	const violate = (promise: string, detail: unknown = item) =>
		verdict.violate(promise, at, `${approval.question} ${JSON.stringify(detail)}`);
	const { levels, policy, requests } = approval;
	const { outcome, approved, id, decisions, trouble } = item;
	const index = levels.findIndex(({ name }) => name === item.level);
	if (index < 0 || !Array.isArray(decisions)) return violate(NO_INPUT);
	if (approved !== (outcome === 'approved')) return violate(TRUE_OUTCOME);
	for (const entry of decisions as Entry[]) checkEntry(clock, approval, entry, at, verdict);
	const listed = new Set((decisions as Entry[]).map((entry) => entry.id));
	for (const request of requests)
		if (request.isKnown && request.at < at && !listed.has(request.id))
			violate('every request is in the result', request.id);
	for (let level = 0; level < index; level++)
		if (answersBy(approval, level, 'approved', at).size < levels[level]!.needed)
			violate(TRUE_OUTCOME);
	const level = levels[index]!;
	const isLast = index === levels.length - 1;
	const denied = answersBy(approval, index, 'denied', at);
	const readDenials = readAnswersBy(approval, index, 'denied', at);
	const readApprovals = [...readAnswersBy(approval, index, 'approved', at)].filter(
		(person) => !denied.has(person),
	);
	if (outcome !== 'denied' && policy.oneDenialEnds && readDenials.size > 0)
		violate(READ_IS_REPORTED);
	const deciding = requests.find((request) => request.id === id);
	if (outcome === 'approved' || outcome === 'denied') {
		if (deciding?.decision?.outcome !== outcome || deciding.decision.at > at) violate(TRUE_OUTCOME);
		else if (levelOf(approval, deciding.person) !== index) violate(TRUE_OUTCOME);
	} else {
		if (id !== undefined) violate(NO_INPUT);
		if (isLast && trouble === undefined && readApprovals.length >= level.needed)
			violate(READ_IS_REPORTED);
	}
	switch (outcome) {
		case 'approved':
			if (!isLast || answersBy(approval, index, 'approved', at).size < level.needed)
				violate(TRUE_OUTCOME);
			if (requestsOf(approval, index).some((request) => wasUnread(clock, request, at)))
				violate('nothing is approved while an answer cannot be read');
			return;
		case 'denied': {
			const possible = [...level.people, ...level.deputies].filter((person) =>
				mayApprove(clock, approval, person, at),
			);
			if (denied.size === 0 || (!policy.oneDenialEnds && possible.length >= level.needed))
				violate(TRUE_OUTCOME);
			return;
		}
		case 'expired':
		case 'gone': {
			const asked = new Set(
				[...requestsOf(approval, index), ...approval.attempts].map(({ person }) => person),
			);
			const everyone = [...level.people, ...level.deputies];
			const isOpen = everyone.some(
				(person) =>
					!asked.has(person) ||
					(mayApprove(clock, approval, person, at) &&
						!answersBy(approval, index, 'approved', at).has(person)),
			);
			const isSeen = requestsOf(approval, index).some((request) =>
				outcome === 'expired' ? hasExpired(clock, request, at) : isUnknown(request),
			);
			if (isOpen || !isSeen) violate(TRUE_OUTCOME);
			return;
		}
		case 'stillOutstanding':
			return checkOutstanding(clock, approval, { item, at, wasParked }, index, verdict);
		default:
			violate(NO_INPUT);
	}
}

/** Whether a person has approved, or has an open request that the node knows. */
const mayApprove = (clock: WallClock, approval: Approval, person: string, at: number): boolean => {
	const own = approval.requests.filter((request) => request.person === person && request.at <= at);
	if (own.some(({ decision }) => decision?.outcome === 'denied' && decision.at <= at)) return false;
	return own.some((request) => {
		const { isKnown, decision } = request;
		if (!isKnown || isUnknown(request)) return false;
		return decision && decision.at <= at
			? decision.outcome === 'approved'
			: !hasExpired(clock, request, at);
	});
};

/** Whether a request could not be read, or another person answered it. */
const isUnreadable = ({ reads, answeredByAnotherAt }: AskedRequest) =>
	answeredByAnotherAt !== undefined || reads.some(({ fault }) => fault !== undefined);

/** Checks an item that ended without a decision: its limit is over, or its requests could not be read until they expired. */
function checkOutstanding(
	clock: WallClock,
	approval: Approval,
	{ item, at, wasParked }: Result,
	index: number,
	verdict: Verdict,
): void {
	const { policy, execution } = approval;
	const { limitMs = Infinity } = policy;
	const { startedAt } = execution;
	if (clock.hasPassed(limitMs - TOLERANCE_MS, startedAt, at)) {
		const level = approval.levels[index]!;
		const isLast = index === approval.levels.length - 1;
		const limitAt = startedAt + limitMs - TOLERANCE_MS;
		const known = approval.requests.filter((request) => request.isKnown && !isUnknown(request));
		const view = { ...approval, requests: known };
		const inTime = answersBy(view, index, 'approved', limitAt);
		const isClear = item.trouble === undefined && !clock.isStepped(startedAt, at);
		if (isLast && isClear && inTime.size >= level.needed)
			verdict.violate('answers before the limit count', at, approval.question);
		return;
	}
	const requests = requestsOf(approval, index);
	const known = requests.filter(({ isKnown }) => isKnown);
	if (
		item.trouble !== undefined &&
		known.some(isUnreadable) &&
		known.some((request) => hasExpired(clock, request, at))
	)
		verdict.excuse('requests that cannot be read end the wait when they expire');
	else if (!wasParked && clock.hasPassed(BLOCKING_MS, startedAt, at))
		verdict.excuse('an execution that cannot be parked waits for an hour at most');
	else
		verdict.violate(
			'an open item is reported when its limit is over',
			at,
			`${approval.question} ${JSON.stringify(item)}`,
		);
}

/** An entry of `decisions`: one request. */
interface Entry {
	level?: unknown;
	twofactor_id?: unknown;
	id?: unknown;
	outcome?: unknown;
}

/** Checks that an entry says about its request what is certain, and no more. */
function checkEntry(
	clock: WallClock,
	approval: Approval,
	entry: Entry,
	at: number,
	verdict: Verdict,
): void {
	const violate = (promise: string) =>
		verdict.violate(promise, at, `${approval.question} ${JSON.stringify(entry)}`);
	const person = String(entry.twofactor_id);
	const index = levelOf(approval, person);
	if (index < 0 || approval.levels[index]!.name !== entry.level) return violate(NO_INPUT);
	const own = approval.requests.filter((request) => request.person === person);
	if (entry.id === undefined) {
		const unknownCount = own.filter(({ isKnown }) => !isKnown).length;
		if (entry.outcome === 'failed' && unknownCount > 0)
			violate('uncertain is not reported as certain');
		if (entry.outcome !== 'failed' && entry.outcome !== 'unclear')
			violate('uncertain is not reported as certain');
		return;
	}
	const request = own.find(({ id }) => id === entry.id);
	if (!request) return violate(TRUE_OUTCOME);
	const closedAt = levelStart(approval, index + 1) ?? at;
	switch (entry.outcome) {
		case 'approved':
		case 'denied':
			if (request.decision?.outcome !== entry.outcome || request.decision.at > at)
				violate(TRUE_OUTCOME);
			return;
		case 'expired':
			if (!hasExpired(clock, request, at)) violate(TRUE_OUTCOME);
			return;
		case 'gone':
			if (!isUnknown(request)) violate('uncertain is not reported as certain');
			return;
		case 'pending':
			if (request.decision?.outcome !== 'expired' && wasAnswerRead(request, closedAt))
				violate(READ_IS_REPORTED);
			return;
		case 'unclear':
			if (request.isKnown) violate(READ_IS_REPORTED);
			return;
		default:
			violate(TRUE_OUTCOME);
	}
}
