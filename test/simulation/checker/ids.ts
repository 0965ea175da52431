import type { History } from '../history';
import { checkAnswerTimes } from './answerTimes';
import { checkClosed } from './closedTriggers';
import { isTrueConclusion } from './ids/conclusions';
import type { WatchedId } from './ids/conclusions';
import { hadEnded, hasOtherLiveProcess, wallMsBetween } from './ids/moments';
import { checkPolls } from './ids/polls';
import { isForgotten, isSavedAtDeath } from './ids/saves';
import { eventsOf, Verdict } from './verdict';
import type { EventOf } from './verdict';

/** Outcomes that the service decides. Others are the trigger's own conclusions. */
const DECISIONS = ['approved', 'denied', 'expired'];
/** A start that n8n never confirmed is requested again for this time. */
const REPEAT_STARTS_FOR_MS = 72 * 3_600_000;

/** A start waits for so long until earlier states are saved. */
const LONGEST_SAVE_MS = 30_000;

/** n8n activates a trigger again within this time after it failed. */
const REACTIVATION_MS = 15_000;

const keyOf = ({ trigger, id }: WatchedId) => `${trigger} ${id}`;

/** Checks the promises of triggers that watch IDs. */
export function checkIds(history: History): Verdict {
	const verdict = new Verdict();
	const starts = eventsOf(history, 'started');
	verdict.startsChecked = starts.length;
	const startsByKey = new Map<string, Array<EventOf<'started'>>>();
	for (const start of starts) {
		const key = keyOf(watchedOf(start));
		startsByKey.set(key, [...(startsByKey.get(key) ?? []), start]);
	}
	for (const startsOfId of startsByKey.values())
		checkStarts(history, watchedOf(startsOfId[0]!), startsOfId, verdict);
	for (const watched of acceptedIds(history))
		if (!startsByKey.has(keyOf(watched))) checkMissing(history, watched, verdict);
	checkAnswerTimes(history, verdict);
	checkClosed(history, verdict);
	checkReports(history, verdict);
	checkPolls(history, verdict);
	return verdict;
}

const watchedOf = ({ trigger, items }: EventOf<'started'>): WatchedId => ({
	trigger,
	id: String(items[0]?.id),
});

/** Returns the IDs that were entered in a node and stayed there, or were acknowledged to their caller. */
function acceptedIds(history: History): WatchedId[] {
	const acknowledged = new Set(
		eventsOf(history, 'acknowledged')
			.filter(({ status }) => status === 200)
			.map(({ submission }) => submission),
	);
	const removed = removedIds(history);
	const accepted = [
		...eventsOf(history, 'entered').map(({ ids, ...event }) => ({
			...event,
			ids: ids.filter((id) => !removed.includes(id)),
		})),
		...eventsOf(history, 'submitted').filter(({ submission }) => acknowledged.has(submission)),
	].flatMap(({ ids, trigger }) => ids.map((id) => ({ trigger, id })));
	return [...new Map(accepted.map((watched) => [keyOf(watched), watched])).values()];
}

const isEntered = (history: History, { id, trigger }: WatchedId) =>
	eventsOf(history, 'entered').some((event) => event.trigger === trigger && event.ids.includes(id));

const removedIds = (history: History): string[] =>
	eventsOf(history, 'removed').flatMap(({ ids }) => ids);

const submissionsOf = (history: History, { id, trigger }: WatchedId) =>
	eventsOf(history, 'submitted').filter(
		(event) => event.trigger === trigger && event.ids.includes(id),
	);

/** Checks an accepted ID that never started the workflow. */
function checkMissing(history: History, watched: WatchedId, verdict: Verdict): void {
	const { id } = watched;
	const isOnlySubmitted = !isEntered(history, watched) || removedIds(history).includes(id);
	if (unclearReportsOf(history, watched).length > 0)
		verdict.excuse('an unclear start is reported instead');
	else if (isOnlySubmitted && wasAcceptedAfterCopy(history, watched))
		verdict.excuse('a restored backup does not contain the ID');
	else if (isOnlySubmitted && wasOverwritten(history, watched))
		verdict.excuse('another process of n8n overwrote the ID');
	else verdict.violate('every accepted ID starts the workflow', 0, `${id} never did`);
}

function checkStarts(
	history: History,
	watched: WatchedId,
	starts: Array<EventOf<'started'>>,
	verdict: Verdict,
): void {
	const { id } = watched;
	for (const [index, start] of starts.slice(1).entries()) {
		const excuse = excuseOfRepetition(history, watched, starts[index]!, start);
		if (excuse) verdict.excuse(excuse);
		else verdict.violate('an ID starts the workflow once', start.at, `${id} again`);
	}
	for (const { at, items } of starts) {
		const outcome = String(items[0]?.outcome);
		const isTrue = DECISIONS.includes(outcome)
			? eventsOf(history, 'decided').some(
					(decision) => decision.id === id && decision.outcome === outcome && decision.at <= at,
				)
			: isTrueConclusion(history, watched, outcome, at);
		if (!isTrue) verdict.violate('the outcome is what the service decided', at, `${id} ${outcome}`);
	}
	for (const { at, items } of starts)
		if (![undefined, id].includes(items[0]?.ownId as string | undefined))
			verdict.violate('an ID starts the workflow with its own data', at, id);
	if (!isEntered(history, watched) && submissionsOf(history, watched).length === 0)
		verdict.violate('only known IDs start the workflow', starts[0]!.at, id);
}

/** Returns the documented limit that excuses a second start of an ID, if any. */
function excuseOfRepetition(
	history: History,
	watched: WatchedId,
	first: EventOf<'started'>,
	second: EventOf<'started'>,
): string | undefined {
	const from = history.indexOf(first);
	const between = history.slice(from, history.indexOf(second));
	if (between.some((event) => event.type === 'restored' && event.copiedAt <= first.at))
		return 'a restored backup does not contain the start';
	const [report] = unclearReportsOf(history, watched);
	const isSubmittedAgain = submissionsOf(history, watched).some(
		({ at }) => report && report.at <= at && at <= second.at,
	);
	if (isSubmittedAgain) return 'an ID is submitted again after its start was reported as unclear';
	// Without this, n8n knows the execution by its key.
	if (!between.some((event) => event.type === 'pruned' && event.key === first.key))
		return undefined;
	const requestIndex = history.findLastIndex(
		(event, index) => index < from && event.type === 'startRequested' && event.key === first.key,
	);
	const request = history[requestIndex] as EventOf<'startRequested'> | undefined;
	if (!request) return undefined;
	if (wasDatedBack(history, request, first, second))
		return 'the clock was set back while n8n started the workflow, and n8n deleted the execution too early';
	if (hasOtherLiveProcess(history, request.process))
		return 'n8n keeps no executions, and two of its processes ran at once';
	// The trigger has to give n8n the state to save before it requests the start.
	const hasSaveBegun = eventsOf(history, 'saveBegan').some(
		({ process, workflow, at }) =>
			process === request.process && first.key.startsWith(`${workflow}:`) && at === request.at,
	);
	return !hasSaveBegun || isSavedAtDeath(history, requestIndex, request, second)
		? undefined
		: 'n8n keeps no executions and had not saved the start when it was killed';
}

/** Whether n8n dated an execution earlier than its request, and deleted it while the trigger still relied on it. */
function wasDatedBack(
	history: History,
	request: EventOf<'startRequested'>,
	first: EventOf<'started'>,
	second: EventOf<'started'>,
): boolean {
	const [settings] = eventsOf(history, 'settings');
	const decidedAt = waitsSince(history, request);
	return (
		settings?.keepsExecutions === true &&
		wallMsBetween(history, decidedAt, first.at) < 0 &&
		wallMsBetween(history, decidedAt, second.at) < REPEAT_STARTS_FOR_MS
	);
}

/** Returns from when on a start may have waited until submitted IDs are saved, or when it was requested. */
function waitsSince(history: History, { at: requestedAt }: EventOf<'startRequested'>): number {
	const answered = new Set(
		eventsOf(history, 'acknowledged')
			.filter(({ at }) => at < requestedAt)
			.map(({ submission }) => submission),
	);
	const open = eventsOf(history, 'submitted').filter(
		({ submission, at }) =>
			!answered.has(submission) && at <= requestedAt && at >= requestedAt - LONGEST_SAVE_MS,
	);
	return Math.min(requestedAt, ...open.map(({ at }) => at));
}

/** Returns the reports that say that it is unclear whether the workflow started for an ID. */
const unclearReportsOf = (history: History, { id, trigger }: WatchedId) =>
	eventsOf(history, 'reported').filter(
		(report) =>
			report.trigger === trigger &&
			/unclear/i.test(report.message) &&
			report.description.includes(id),
	);

/** Checks that a start is reported as unclear only if n8n cannot know, and once. */
function checkReports(history: History, verdict: Verdict): void {
	const [settings] = eventsOf(history, 'settings');
	const watchedIds = [...eventsOf(history, 'entered'), ...eventsOf(history, 'submitted')].flatMap(
		({ ids, trigger }) => ids.map((id) => ({ trigger, id })),
	);
	for (const watched of new Map(watchedIds.map((each) => [keyOf(each), each])).values()) {
		const reports = unclearReportsOf(history, watched);
		for (const [index, report] of reports.entries()) {
			// After a crash, a trigger may know only of the last request.
			const isUnclear = eventsOf(history, 'startRequested').some(
				({ key, trigger, at }) =>
					key.endsWith(watched.id) &&
					trigger === watched.trigger &&
					at <= report.at &&
					(settings?.keepsExecutions === false ||
						// A step of the same millisecond may come before the request.
						[at, at + 1].some(
							(from) => wallMsBetween(history, from, report.at) >= REPEAT_STARTS_FOR_MS,
						)),
			);
			const keeps = settings?.keepsExecutions !== false;
			if (!isUnclear && hasOpenSubmission(history, report, keeps))
				verdict.excuse('a start that waits until a submitted ID is saved counts as requested');
			else if (!isUnclear)
				verdict.violate('only unclear starts are reported as such', report.at, watched.id);
			const previous = reports[index - 1];
			const isAgain =
				previous &&
				!submissionsOf(history, watched).some(({ at }) => previous.at <= at && at <= report.at);
			if (!isAgain) continue;
			const processes = eventsOf(history, 'processStarted').filter(({ at }) => at <= report.at);
			const isOverlapping = processes.some(
				({ process }) =>
					hasOtherLiveProcess(history, process) && !hadEnded(history, process, previous.at),
			);
			if (isOverlapping)
				verdict.excuse('two processes of n8n ran at once, and both reported an unclear start');
			else if (isForgotten(history, previous, report))
				verdict.excuse('n8n had not saved that the unclear start was reported');
			else verdict.violate('an unclear start is reported once', report.at, watched.id);
		}
	}
}

/**
 * Whether a caller waited for its response when the process before a report ended, or n8n closed the trigger before. If n8n
 * keeps executions, that was as long ago as starts are repeated.
 */
function hasOpenSubmission(
	history: History,
	report: EventOf<'reported'>,
	keepsExecutions: boolean,
): boolean {
	const before = history.slice(0, history.indexOf(report));
	const closedAt = eventsOf(before, 'processEnded').at(-1)?.at ?? report.at - REACTIVATION_MS;
	const answered = new Set(
		eventsOf(before, 'acknowledged')
			.filter(({ at }) => at < closedAt)
			.map(({ submission }) => submission),
	);
	return eventsOf(before, 'submitted').some(
		({ submission, at }) =>
			!answered.has(submission) &&
			(!keepsExecutions || wallMsBetween(history, at, report.at) >= REPEAT_STARTS_FOR_MS),
	);
}

/** Whether an ID was acknowledged after a backup was made that later replaced the database. */
const wasAcceptedAfterCopy = (history: History, watched: WatchedId) =>
	eventsOf(history, 'restored').some(({ copiedAt, at }) =>
		acknowledgementsOf(history, watched).every(
			(acknowledged) => acknowledged.at >= copiedAt && acknowledged.at <= at,
		),
	);

/** Whether a process that started earlier saved its state after an ID was acknowledged. */
const wasOverwritten = (history: History, watched: WatchedId) =>
	acknowledgementsOf(history, watched).every((acknowledged) => {
		const index = history.indexOf(acknowledged);
		return history
			.slice(index)
			.some(
				(event) =>
					event.type === 'saved' &&
					event.process !== undefined &&
					hasOtherLiveProcess(history, event.process),
			);
	});

const acknowledgementsOf = (history: History, watched: WatchedId) => {
	const submissions = new Set(submissionsOf(history, watched).map(({ submission }) => submission));
	return eventsOf(history, 'acknowledged').filter(
		({ submission, status }) => status === 200 && submissions.has(submission),
	);
};
