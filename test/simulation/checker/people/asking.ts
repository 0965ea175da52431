import type { History } from '../../history';
import type { WallClock } from '../executionRecords';
import { eventsOf } from '../verdict';
import type { Verdict } from '../verdict';
import {
	answersBy,
	firstAttempt,
	levelOf,
	levelStart,
	readAnswersBy,
	requestsOf,
} from './approval';
import type { Approval, AskedRequest } from './approval';
import { wasUnread } from './readings';

/** Timers can fire slightly early. */
const TOLERANCE_MS = 100;
/** Time from a decision of the node to the arrival of its request at the service. */
const DELIVERY_MS = 5000;

/** Checks who was asked about an item, how often and when. */
export function checkAsking(
	history: History,
	clock: WallClock,
	approval: Approval,
	verdict: Verdict,
): void {
	const { requests, levels, policy } = approval;
	const asked = new Map<string, AskedRequest>();
	for (const request of requests) {
		const { person, at } = request;
		const violate = (promise: string) =>
			verdict.violate(promise, at, `${approval.question} ${person}`);
		const index = levelOf(approval, person);
		const level = levels[index];
		if (!level) {
			violate('only the people of the policy are asked');
			continue;
		}
		if (!hasApproved(approval, index - 1, at))
			violate('a level is asked when the one before it has approved');
		const before = requestsOf(approval, index - 1);
		if (levelStart(approval, index) === at && before.some((one) => wasUnread(clock, one, at)))
			violate('nothing is approved while an answer cannot be read');
		const startedAt = firstAttempt(approval, index, at);
		const first = asked.get(person);
		asked.set(person, first ?? request);
		if (first) checkReminder(clock, approval, request, first, startedAt, verdict);
		else if (level.deputies.includes(person)) {
			const { deputiesAfterMs = Infinity } = level;
			if (!clock.hasPassed(deputiesAfterMs - TOLERANCE_MS, startedAt, at))
				violate('a deputy is asked only when due');
			const approved = readAnswersBy(approval, index, 'approved', at - DELIVERY_MS);
			const open = [...approved].filter((one) => !isDenier(approval, index, one, at));
			if (open.length >= level.needed) violate('a deputy is asked only if the level is undecided');
		}
		if (policy.oneDenialEnds && hasReadDenial(approval, at - DELIVERY_MS))
			violate('a denial ends the asking');
	}
	checkAfterEnd(approval, verdict);
	checkExpiry(history, approval, verdict);
}

/** Whether enough people of a level and of those before it have approved by a time. */
function hasApproved(approval: Approval, index: number, at: number): boolean {
	const level = approval.levels[index];
	if (!level) return true;
	return (
		answersBy(approval, index, 'approved', at).size >= level.needed &&
		hasApproved(approval, index - 1, at)
	);
}

const isDenier = (approval: Approval, level: number, person: string, at: number) =>
	answersBy(approval, level, 'denied', at).has(person);

/** Whether a denial of a level was read while that level was being asked. */
function hasReadDenial(approval: Approval, at: number): boolean {
	return approval.levels.some((_, index) => {
		const closedAt = levelStart(approval, index + 1) ?? Infinity;
		return readAnswersBy(approval, index, 'denied', Math.min(at, closedAt)).size > 0;
	});
}

/** Checks a second request to a person. */
function checkReminder(
	clock: WallClock,
	approval: Approval,
	{ person, at }: AskedRequest,
	first: AskedRequest,
	startedAt: number,
	verdict: Verdict,
): void {
	const { policy, levels, requests, question } = approval;
	const violate = (promise: string) => verdict.violate(promise, at, `${question} ${person}`);
	const level = levels[levelOf(approval, person)]!;
	const earlier = requests.filter((one) => one.person === person && one.at < at);
	const { remindAfterMs } = policy;
	if (remindAfterMs === undefined || earlier.length > 1 || level.deputies.includes(person)) {
		violate('a person is asked once');
		return;
	}
	if (!clock.hasPassed(remindAfterMs - TOLERANCE_MS, startedAt, at))
		violate('a reminder is sent only when due');
	const { decision, reads } = first;
	const wasRead = reads.some(
		({ executedAt = 0, respondedAt = Infinity, fault }) =>
			decision !== undefined &&
			fault === undefined &&
			executedAt > decision.at &&
			respondedAt <= at - DELIVERY_MS,
	);
	if (wasRead) violate('only people who have not answered are reminded');
}

/** Checks that no person is asked when the execution has ended. */
function checkAfterEnd({ execution, requests, question }: Approval, verdict: Verdict): void {
	const { end } = execution;
	// n8n marks an execution as crashed while it runs on, and a stopped one ends with its present request.
	if (!end || end.status === 'crashed') return;
	const late = requests.find(({ at }) => at > end.at + DELIVERY_MS);
	if (late) verdict.violate('nobody is asked after the end', late.at, `${question} ${late.person}`);
}

/** Checks that no request can be answered after the time limit. Clocks that are set make the remaining time unclear. */
function checkExpiry(
	history: History,
	{ execution, policy, requests, question }: Approval,
	verdict: Verdict,
): void {
	const { limitMs, expiresAfterMs } = policy;
	for (const { at, expiresInMs, person } of requests) {
		const isStepped = eventsOf(history, 'clockStepped').some(
			(step) => step.at >= execution.startedAt && step.at <= at,
		);
		const leftMs = Math.min(
			expiresAfterMs,
			isStepped ? Infinity : execution.startedAt + (limitMs ?? Infinity) - at,
		);
		// A request is sent some time before the service has it, after an attempt that the service asked to repeat later.
		const repeatedMs = leftMs < expiresAfterMs ? 60_000 : 0;
		if (expiresInMs > Math.max(1000, leftMs + DELIVERY_MS + repeatedMs))
			verdict.violate('no request outlives the time limit', at, `${question} ${person}`);
	}
}
