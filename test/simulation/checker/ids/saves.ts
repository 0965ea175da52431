import type { History } from '../../history';
import { eventsOf } from '../verdict';
import type { EventOf } from '../verdict';

type Save = EventOf<'saveBegan'> | EventOf<'saved'>;

const numberOf = (save: Save | undefined) => save?.save ?? 0;

/** Returns the number of the save that the database has at an index of a history. A later one may have been overwritten. */
const saveAt = (history: History, index: number, isOfWorkflow: (save: Save) => boolean): number =>
	numberOf(eventsOf(history.slice(0, index), 'saved').findLast(isOfWorkflow));

/** Whether the database had the request of a start when the process ended, and in each backup that replaced it later. */
export function isSavedAtDeath(
	history: History,
	requestIndex: number,
	request: EventOf<'startRequested'>,
	second: EventOf<'started'>,
): boolean {
	const deathIndex = history.findIndex(
		(event, index) => index > requestIndex && event.type === 'processEnded',
	);
	if (deathIndex < 0) return true;
	const copies = eventsOf(history.slice(deathIndex, history.indexOf(second)), 'restored').map(
		({ copiedAt }) =>
			history.findIndex((event) => event.type === 'copied' && event.at === copiedAt),
	);
	const isOfWorkflow = ({ workflow }: Save) => request.key.startsWith(`${workflow}:`);
	const needed = eventsOf(history.slice(0, requestIndex), 'saveBegan').findLast(isOfWorkflow);
	return [deathIndex, ...copies].every(
		(index) => saveAt(history, index, isOfWorkflow) >= numberOf(needed),
	);
}

/** Whether the database did not have a report when the process ended that made it, or lost it later, so that it is repeated. */
export function isForgotten(
	history: History,
	first: EventOf<'reported'>,
	second: EventOf<'reported'>,
): boolean {
	const from = history.indexOf(first);
	const between = history.slice(from, history.indexOf(second));
	const end = between.findIndex(({ type }) => type === 'processEnded' || type === 'restored');
	if (end < 0) return false;
	if (between.some(({ type }) => type === 'restored')) return true;
	const isOfWorkflow = ({ workflow }: Save) => first.trigger?.endsWith(workflow) !== false;
	const begun = eventsOf(between.slice(0, end), 'saveBegan').filter(isOfWorkflow);
	// A save of the same millisecond may have read the state before: that of a webhook, while the trigger opens.
	const needed = begun.findLast(({ at }) => at === first.at) ?? begun[0];
	return !needed || saveAt(history, from + end, isOfWorkflow) < numberOf(needed);
}
