import type { FollowedSettings, History, NewEvent, ShownRecord } from '../history';
import { checkLists } from './lists';

const LIST = 'registrations';
export const NUMBER = 910_001;

const settings: FollowedSettings = {
	list: LIST,
	workflow: 'w',
	kinds: ['created', 'updated', 'checkedIn'],
	isFiltered: false,
	includeExisting: false,
	batchesChanges: false,
	intervalMs: 60_000,
	overlapMs: 60_000,
	skewMs: 0,
	hasExactDates: true,
	maxUnconfirmed: 2,
};

/** An event, or several that happen at once. */
export type Moment = NewEvent | NewEvent[];

/** Returns a history of these moments, ten seconds apart, that ends a day later. */
function historyOf(...moments: Moment[]): History {
	const history = moments.flatMap((moment, index) =>
		[moment].flat().map((event) => ({ at: index * 10_000, ...event })),
	);
	return [...history, { at: history.at(-1)!.at + 90_000_000, type: 'ended' }];
}

/** Returns events that happen at a time of their own. */
export const at = (time: number, ...events: NewEvent[]): NewEvent[] =>
	events.map((event) => ({ ...event, at: time }));

export const followed = { type: 'followed', ...settings } satisfies NewEvent;
export const filtered: NewEvent = { ...followed, isFiltered: true };
export const started: NewEvent = { type: 'processStarted', process: 1 };
export const restarted: NewEvent = { type: 'processStarted', process: 2 };
export const killed: NewEvent = { type: 'processEnded', process: 1, killed: true };
export const saved: NewEvent = { type: 'saved', workflow: 'w', beganAt: 20_000, process: 1 };
/** The first events of all histories: the first save is at 20 s. */
export const begin: NewEvent[] = [followed, started, saved];

export const show = (content: number, isIn = false): ShownRecord => ({
	number: NUMBER,
	content,
	status: 'registered',
	isIn,
});
export const changed = (shown?: ShownRecord, createdAt = 30_000, visibleAt = 0): NewEvent => ({
	type: 'changed',
	list: LIST,
	number: NUMBER,
	...(shown && { shown }),
	createdAt,
	visibleAt,
});
let requestCount = 0;
/** Returns the events of a page that a process receives. */
export function received(shown: ShownRecord[], process = 1, fault?: string, page = 1): NewEvent[] {
	const request = ++requestCount;
	return [
		{ type: 'requested', request, process, method: 'GET', path: '/service/list' },
		{ type: 'read', request, list: LIST, page, isLast: true, shown },
		{ type: 'responded', request, ...(fault ? { fault } : { status: 200 }) },
	];
}
export const starts = (change: string, shown: ShownRecord, key = change, process = 1): Moment[] => [
	[
		{ type: 'saveBegan', workflow: 'w', process },
		{ type: 'startRequested', process, key },
	],
	{ type: 'started', key, items: [{ change, shown: { ...shown } }] },
	{ type: 'confirmed', process, key },
];

export const brokenBy = (...events: Moment[]) =>
	checkLists(historyOf(...events)).violations.map(({ promise }) => promise);

/** The limits that excuse something in a history that breaks no promise. */
export function excusesOf(...events: Moment[]): string[] {
	const { violations, exceptions } = checkLists(historyOf(...events));
	expect(violations).toEqual([]);
	return [...exceptions.keys()];
}

export const created = [changed(show(0)), ...received([show(0)]), ...starts('created', show(0))];
