import type { History } from '../history';
import { hasLostPoller } from './executionRecords';
import type { ExecutionRecord, WallClock } from './executionRecords';
import { eventsOf } from './verdict';
import type { Verdict } from './verdict';

/** A parked execution resumes within this time after its last answer, its limit or a restart; with some seconds to store it. */
export const MAX_LATE_MS = 400_000;
/** The same, if nothing was disturbed: n8n's timer may be 75 seconds away. */
export const MAX_CALM_LATE_MS = 100_000;

/** Checks that an execution ends, and not too late. */
export function checkEnd(
	history: History,
	clock: WallClock,
	execution: ExecutionRecord,
	verdict: Verdict,
): void {
	const { id, startedAt, outputs, end } = execution;
	const due = dueAt(history, execution);
	const endedAt = Math.min(outputs[0]?.at ?? Infinity, end?.at ?? Infinity);
	const until = Math.min(endedAt, history.at(-1)!.at);
	if (due === undefined || until <= due) return;
	const disturbed = lastDisturbance(history, startedAt, until);
	const maxLateMs = disturbed === undefined ? MAX_CALM_LATE_MS : MAX_LATE_MS;
	if (until <= Math.max(due, disturbed ?? 0) + maxLateMs) {
		if (endedAt === Infinity && eventsOf(history, 'ended').length > 0)
			verdict.violate('every parked execution ends', until, `${id} (the history is too short)`);
		return;
	}
	const limited = isLimited(history, execution);
	const limits = new Set(execution.items.map(({ limit }) => limit));
	if (limits.size > 1 && until <= due + MAX_LATE_MS)
		return verdict.excuse('the limit of an item ends with the next timer of n8n');
	if (clock.isSetBack(startedAt, until) && (limited || hasLostPoller(history, id)))
		verdict.excuse('n8n resumes by the wall clock, which was set back');
	else verdict.violate('every parked execution ends', until, id);
}

/** Returns when the last item was decided or its limit was over; undefined if one waits for a person without a limit. */
function dueAt(
	history: History,
	{ startedAt, items, askedIds }: ExecutionRecord,
): number | undefined {
	const decisions = eventsOf(history, 'decided');
	const askedAt = new Map(eventsOf(history, 'asked').map(({ id, at }) => [id, at]));
	const times = items.map(({ limit }, index) => {
		const id = askedIds[index];
		if (id === undefined) return startedAt;
		const decidedAt = decisions.find((one) => one.id === id)?.at ?? Infinity;
		const began = Math.max(startedAt, askedAt.get(id)!);
		return Math.min(decidedAt, limit === undefined ? Infinity : began + 1000 * Number(limit));
	});
	const due = Math.max(startedAt, ...times);
	return due === Infinity ? undefined : due;
}

/** Whether an item has no answer, so that only its limit ends it. */
const isLimited = (history: History, { askedIds }: ExecutionRecord) =>
	askedIds.some((id) => !eventsOf(history, 'decided').some((decision) => decision.id === id));

/** Returns the time of the last fault, start of a process or step of the clock in a period. */
export const lastDisturbance = (history: History, from: number, to: number) =>
	history.findLast(
		(event) =>
			event.at >= from &&
			event.at <= to &&
			(event.type === 'processStarted' ||
				(event.type === 'processEnded' && event.killed) ||
				event.type === 'clockStepped' ||
				event.type === 'credentialsCreated' ||
				event.type === 'calledFromOutside' ||
				(event.type === 'responded' && event.fault !== undefined)),
	)?.at;
