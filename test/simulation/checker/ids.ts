import type { History } from '../history';
import { eventsOf, Verdict } from './verdict';
import type { EventOf } from './verdict';

/** Outcomes that the service decides. Others are the trigger's own conclusions. */
const DECISIONS = ['approved', 'denied', 'expired'];
/** A trigger concludes that an ID is gone, or that its responses make no sense, from this many in a row. */
const REPEATED_RESPONSES = 3;

/** Checks the promises of a trigger that watches IDs. */
export function checkIds(history: History): Verdict {
	const verdict = new Verdict();
	const starts = eventsOf(history, 'started');
	verdict.startsChecked = starts.length;
	const startsById = new Map<string, Array<EventOf<'started'>>>();
	for (const start of starts) {
		const id = String(start.items[0]?.id);
		startsById.set(id, [...(startsById.get(id) ?? []), start]);
	}
	for (const [id, startsOfId] of startsById) checkStarts(history, id, startsOfId, verdict);
	for (const id of expectedIds(history)) {
		if (startsById.has(id)) continue;
		const isReported = eventsOf(history, 'reported').some(({ description }) =>
			description.includes(id),
		);
		if (isReported) verdict.excuse('an unclear start is reported instead');
		else verdict.violate('every accepted ID starts the workflow', 0, `${id} never did`);
	}
	checkRetryAfter(history, verdict);
	return verdict;
}

/** Returns the IDs that were entered in the node, or acknowledged to their caller. */
function expectedIds(history: History): Set<string> {
	const submitted = new Map(
		eventsOf(history, 'submitted').map(({ submission, ids }) => [submission, ids]),
	);
	const acknowledged = eventsOf(history, 'acknowledged')
		.filter(({ status }) => status === 200)
		.flatMap(({ submission }) => submitted.get(submission) ?? []);
	return new Set([...eventsOf(history, 'entered').flatMap(({ ids }) => ids), ...acknowledged]);
}

function checkStarts(
	history: History,
	id: string,
	starts: Array<EventOf<'started'>>,
	verdict: Verdict,
): void {
	for (const start of starts.slice(1)) {
		if (isStartUnknowable(history, starts[0]!)) {
			verdict.excuse('n8n keeps no executions and had not saved the start when it was killed');
		} else if (isSubmittedAfterReport(history, id, start.at)) {
			verdict.excuse('an ID is submitted again after its start was reported as unclear');
		} else verdict.violate('an ID starts the workflow once', start.at, `${id} again`);
	}
	for (const { at, items } of starts) {
		const outcome = String(items[0]?.outcome);
		const isTrue = DECISIONS.includes(outcome)
			? eventsOf(history, 'decided').some(
					(decision) => decision.id === id && decision.outcome === outcome && decision.at <= at,
				)
			: hasRepeatedFailures(history, id, at);
		if (!isTrue) verdict.violate('the outcome is what the service decided', at, `${id} ${outcome}`);
	}
	const isKnown = (event: { ids: string[] }) => event.ids.includes(id);
	if (![...eventsOf(history, 'entered'), ...eventsOf(history, 'submitted')].some(isKnown))
		verdict.violate('only known IDs start the workflow', starts[0]!.at, id);
}

/** Whether an ID was submitted between the report that its start is unclear and a time. */
function isSubmittedAfterReport(history: History, id: string, before: number): boolean {
	const report = eventsOf(history, 'reported').find(({ description }) => description.includes(id));
	return eventsOf(history, 'submitted').some(
		({ ids, at }) => ids.includes(id) && report && report.at <= at && at <= before,
	);
}

/**
 * Whether n8n forgot the start: it keeps no successful executions, and when its process ended, the database had a state of the
 * trigger from before the request.
 */
function isStartUnknowable(history: History, start: EventOf<'started'>): boolean {
	const [settings] = eventsOf(history, 'settings');
	if (settings?.keepsExecutions !== false) return false;
	const requestIndex = history.findLastIndex(
		(event) => event.type === 'startRequested' && event.key === start.key && event.at <= start.at,
	);
	const deathIndex = history.findIndex(
		(event, index) => index > requestIndex && event.type === 'processEnded',
	);
	if (deathIndex < 0) return false;
	const lastSave = eventsOf(history.slice(0, deathIndex), 'saved').at(-1);
	return lastSave === undefined || lastSave.beganAt < history[requestIndex]!.at;
}

/** Whether the last responses for an ID before a time were no usable ones. */
function hasRepeatedFailures(history: History, id: string, before: number): boolean {
	const requests = new Set(
		eventsOf(history, 'requested')
			.filter(({ path }) => path.endsWith(`/${id}`))
			.map(({ request }) => request),
	);
	const last = eventsOf(history, 'responded')
		.filter(({ request, at }) => requests.has(request) && at <= before)
		.slice(-REPEATED_RESPONSES);
	return last.length === REPEATED_RESPONSES && last.every(({ fault }) => fault !== undefined);
}

/** Checks that a process sends nothing before the time that a service demanded. */
function checkRetryAfter(history: History, verdict: Verdict): void {
	let notBefore = -Infinity;
	for (const event of history) {
		if (event.type === 'processStarted') notBefore = -Infinity;
		if (event.type === 'responded' && event.retryAfterMs)
			notBefore = Math.max(notBefore, event.at + event.retryAfterMs);
		if (event.type === 'requested' && event.at < notBefore)
			verdict.violate('Retry-After is kept', event.at, event.path);
	}
}
