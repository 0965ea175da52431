import type { History } from '../../history';
import { eventsOf } from '../verdict';
import type { Approval } from './approval';

/** The poller resumes an execution this soon. It polls every ten seconds at the rarest, and twice for an answer after a park. */
export const PROMPT_MS = 30_000;
/** n8n's timer is set to at least this time after a park, less the 75 seconds in which the poller does not resume. */
const POLLED_MS = 300_000 - 75_000 - PROMPT_MS;
/** n8n's own timer resumes an execution this long before the limit if more people may have to be asked. */
const LAST_CHECK_MS = 80_000;
/** Executions that are overdue at n8n's start are parked again in this time. */
const STARTUP_MS = 60_000;
/** With less time left when the execution is parked, it has no such timer. */
const LAST_PARK_MS = 230_000;

/** Returns when an execution was last parked until a time. */
const parkedBefore = (history: History, { execution }: Approval, time: number) =>
	eventsOf(history, 'executionParked').findLast(
		(event) => event.execution === execution.id && event.at <= time,
	)?.at;

/**
 * Returns when an execution was last parked until a time because something had happened, or at first. It must not be parked with
 * too little time left only because n8n resumed it.
 */
function parkedWithNews(history: History, approval: Approval, time: number): number | undefined {
	const parkedAt = parkedBefore(history, approval, time);
	const earlierAt = parkedAt && parkedBefore(history, approval, parkedAt - 1);
	if (earlierAt === undefined) return parkedAt;
	const hasNews = history.some(
		({ type, at }) =>
			at > earlierAt &&
			at <= parkedAt! &&
			(type === 'asked' ||
				type === 'decided' ||
				(type === 'processStarted' && at > parkedAt! - STARTUP_MS)),
	);
	return hasNews ? parkedAt : parkedWithNews(history, approval, earlierAt);
}

/**
 * Whether nothing keeps the poller from resuming an execution at once when it is due: no timer of n8n, no rejected request, and
 * no answer that cannot be read, which is read again for half a minute.
 */
export function isFarFromTimer(
	history: History,
	approvals: Approval[],
	dueAt: number,
	until: number,
): boolean {
	const [{ execution }] = approvals as [Approval];
	const parkedAt = parkedBefore(history, approvals[0]!, dueAt) ?? dueAt;
	const isRejected = eventsOf(history, 'responded').some(
		({ at, status = 0 }) => at >= execution.startedAt && at <= until && status >= 400,
	);
	// Until everyone was asked, a timer is set before the limit.
	const hasEarlierTimer = approvals.some(
		({ policy: { limitMs }, levels, requests }) =>
			limitMs !== undefined &&
			execution.startedAt + limitMs >= parkedAt + LAST_PARK_MS &&
			levels
				.flatMap(({ people, deputies }) => [...people, ...deputies])
				.some((person) => !requests.some((one) => one.person === person && one.at <= parkedAt)),
	);
	const isUnreadable = approvals.some(({ requests }) =>
		requests.some(({ answeredByAnotherAt }) => answeredByAnotherAt !== undefined),
	);
	return !isRejected && !isUnreadable && !hasEarlierTimer && dueAt <= parkedAt + POLLED_MS;
}

/**
 * Returns when n8n resumes an execution for the last time before its limit to ask more people, whether or not it has restarted;
 * undefined if it need not.
 */
export function lastCheckOf(
	history: History,
	approval: Approval,
	limitAt: number,
): number | undefined {
	const lastCheckAt = limitAt - LAST_CHECK_MS;
	const parkedAt = parkedWithNews(history, approval, lastCheckAt);
	if (parkedAt === undefined || parkedAt > limitAt - LAST_PARK_MS) return undefined;
	const isDisturbed = history.some((event) => {
		if (event.at < approval.execution.startedAt || event.at > lastCheckAt + PROMPT_MS) return false;
		switch (event.type) {
			case 'processStarted':
			case 'processEnded':
				return event.at > lastCheckAt - PROMPT_MS;
			case 'responded':
				return event.fault !== undefined || (event.status ?? 0) >= 400;
			case 'clockStepped':
			case 'credentialsDeleted':
			case 'credentialsCreated':
			case 'calledFromOutside':
				return true;
			default:
				return false;
		}
	});
	return isDisturbed ? undefined : lastCheckAt;
}
