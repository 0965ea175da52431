import type { History } from '../../history';
import { hasLostPoller } from '../executionRecords';
import type { WallClock } from '../executionRecords';
import { eventsOf } from '../verdict';
import type { Verdict } from '../verdict';
import { lastDisturbance, MAX_CALM_LATE_MS, MAX_LATE_MS } from '../waitEnds';
import { answersBy, levelStart, requestsOf } from './approval';
import type { Approval } from './approval';
import { isFarFromTimer, lastCheckOf, PROMPT_MS } from './lateness';
import { isUnknown } from './readings';

/** A request that cannot be read counts as expired this long after its time. */
const OVERDUE_MS = 600_000;
/** Deputies and reminders come up to six minutes late, and after their answer the execution may be parked again. */
const MAX_DEPUTY_LATE_MS = 400_000;

/** Next step of an item, and when it is due. */
interface NextStep {
	dueAt: number;
	/** Index of the level that has to be asked; undefined if the item has to end. */
	level?: number;
	/** Whether only the clock makes it due. */
	isByTime: boolean;
}

/** Checks that an execution asks the next people, and ends, not too late after it could. */
export function checkInTime(
	history: History,
	clock: WallClock,
	approvals: Approval[],
	verdict: Verdict,
): void {
	const { id, startedAt, outputs, end } = approvals[0]!.execution;
	const lastAt = history.at(-1)!.at;
	const endedAt = Math.min(outputs[0]?.at ?? Infinity, end?.at ?? Infinity);
	const check = (promise: string, step: NextStep, doneAt: number, detail: string) => {
		const until = Math.min(doneAt, endedAt, lastAt);
		if (until <= step.dueAt) return;
		const disturbed = lastDisturbance(history, startedAt, until);
		const isPrompt = isFarFromTimer(history, approvals, step.dueAt, until);
		const maxCalmMs = isPrompt ? PROMPT_MS : MAX_CALM_LATE_MS;
		const maxLateMs = disturbed === undefined ? maxCalmMs : MAX_LATE_MS;
		if (until <= Math.max(step.dueAt, disturbed ?? 0) + maxLateMs) {
			if (Math.min(doneAt, endedAt) === Infinity && eventsOf(history, 'ended').length > 0)
				verdict.violate(promise, until, `${detail} (the history is too short)`);
			return;
		}
		if (clock.isSetBack(startedAt, until) && (step.isByTime || hasLostPoller(history, id)))
			verdict.excuse('n8n resumes by the wall clock, which was set back');
		else verdict.violate(promise, until, detail);
	};
	/** Checks that people are asked, unless the limit comes first. */
	const checkAsked = (promise: string, approval: Approval, step: NextStep, doneAt: number) => {
		const detail = `${id} ${approval.question}`;
		const limitAt = limitOf(approval);
		if (step.dueAt + MAX_LATE_MS < limitAt) return check(promise, step, doneAt, detail);
		const lastCheckAt = lastCheckOf(history, approval, limitAt);
		if (lastCheckAt === undefined || step.dueAt > lastCheckAt - PROMPT_MS) return;
		const until = Math.min(doneAt, endedAt, lastAt);
		if (until > lastCheckAt + PROMPT_MS) verdict.violate(promise, until, detail);
	};
	let execution: NextStep = { dueAt: startedAt, isByTime: false };
	for (const approval of approvals) {
		const step = nextStepOf(approval);
		if (step.level !== undefined)
			checkAsked('the next level is asked in time', approval, step, Infinity);
		for (const { dueAt, doneAt } of deputySteps(approval))
			checkAsked('a deputy is asked in time', approval, { dueAt, isByTime: true }, doneAt);
		const final = step.level === undefined ? step : { dueAt: limitOf(approval), isByTime: true };
		// The items of an execution end together.
		const isByTime = execution.isByTime || final.isByTime;
		execution = { dueAt: Math.max(execution.dueAt, final.dueAt), isByTime };
	}
	if (execution.dueAt < Infinity) check('every item ends in time', execution, endedAt, id);
}

const limitOf = ({ policy, execution }: Approval): number =>
	execution.startedAt + (policy.limitMs ?? Infinity);

/** Returns what has to happen to an item after the last answer that its people gave. */
function nextStepOf(approval: Approval): NextStep {
	const { levels, policy, execution } = approval;
	let dueAt = execution.startedAt;
	for (const [index, { needed, people, deputies, deputiesAfterMs = 0 }] of levels.entries()) {
		const startedAt = levelStart(approval, index);
		const requests = requestsOf(approval, index);
		if (startedAt === undefined) {
			const attempt = approval.attempts.find(
				({ person, at }) => [...people, ...deputies].includes(person) && at >= dueAt,
			);
			if (!attempt) return { dueAt, level: index, isByTime: false };
			// None of the level could be asked: the item fails, or waits for its deputies.
			const latestAt = dueAt + deputiesAfterMs + MAX_DEPUTY_LATE_MS + policy.expiresAfterMs;
			const expiresAt = latestAt + OVERDUE_MS;
			return { dueAt: Math.min(limitOf(approval), expiresAt), isByTime: true };
		}
		// Only the answers of requests whose ID the node knows count, and that the service knows.
		const known = requests.filter(({ isKnown }) => isKnown);
		const view = { ...approval, requests: known.filter((request) => !isUnknown(request)) };
		const denials = [...answersBy(view, index, 'denied', Infinity).values()];
		const deniedAt = policy.oneDenialEnds
			? Math.min(...denials)
			: deputies.length === 0
				? (denials.sort(ascending)[people.length - needed] ?? Infinity)
				: Infinity;
		const isUnreadable = requests.some((one) => one.answeredByAnotherAt !== undefined);
		const deniers = answersBy({ ...approval, requests: known }, index, 'denied', Infinity);
		const approvals = [...answersBy(view, index, 'approved', Infinity)]
			.filter(([person]) => !deniers.has(person))
			.map(([, at]) => at)
			.sort(ascending);
		const approvedAt = isUnreadable ? Infinity : (approvals[needed - 1] ?? Infinity);
		// A check that comes late finds a denial that was given after enough approvals.
		const isDeniedLater =
			policy.oneDenialEnds &&
			levelStart(approval, index + 1) === undefined &&
			deniedAt <= approvedAt + MAX_LATE_MS;
		const isDenied = deniedAt < Infinity && (deniedAt <= approvedAt || isDeniedLater);
		if (isDenied && (policy.oneDenialEnds || !isUnreadable))
			return { dueAt: Math.max(dueAt, deniedAt), isByTime: false };
		if (approvedAt === Infinity) {
			const lastExpiry = Math.max(...requests.map(({ at, expiresInMs }) => at + expiresInMs));
			const latestAt = startedAt + deputiesAfterMs + MAX_DEPUTY_LATE_MS + policy.expiresAfterMs;
			const expiresAt = Math.max(lastExpiry, latestAt) + OVERDUE_MS;
			return { dueAt: Math.min(limitOf(approval), expiresAt), isByTime: true };
		}
		dueAt = Math.max(dueAt, approvedAt);
	}
	return { dueAt, isByTime: false };
}

/** Returns when deputies were due, and when they were asked or no longer needed. Only of levels in which nothing else happened. */
function deputySteps(approval: Approval): Array<{ dueAt: number; doneAt: number }> {
	return approval.levels.flatMap(({ people, deputies, needed, deputiesAfterMs }, index) => {
		const startedAt = levelStart(approval, index);
		const requests = requestsOf(approval, index);
		if (startedAt === undefined || deputiesAfterMs === undefined || deputies.length === 0)
			return [];
		const isOdd =
			answersBy(approval, index, 'denied', Infinity).size > 0 ||
			requests.some((one) => one.answeredByAnotherAt !== undefined || isUnknown(one)) ||
			approval.attempts.some(
				({ person, hasFailed }) => hasFailed && [...people, ...deputies].includes(person),
			);
		if (isOdd) return [];
		const askedAt = requests.find(({ person }) => deputies.includes(person))?.at ?? Infinity;
		const ofPeople = requests.filter(({ person }) => people.includes(person));
		const view = { ...approval, requests: ofPeople };
		const approvals = [...answersBy(view, index, 'approved', Infinity).values()].sort(ascending);
		const approvedAt = approvals[needed - 1] ?? Infinity;
		return [{ dueAt: startedAt + deputiesAfterMs, doneAt: Math.min(askedAt, approvedAt) }];
	});
}

const ascending = (a: number, b: number) => a - b;
