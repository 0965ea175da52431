import type { History, NewEvent } from '../history';
import { checkIds } from './ids';

export const KEY = 'workflow:node:a';

/** Returns a history of these events, one second apart. */
export const historyOf = (...events: NewEvent[]): History =>
	events.map((event, index) => ({ at: index * 1000, ...event }));

export const settings: NewEvent = { type: 'settings', keepsExecutions: true };
export const entered: NewEvent = { type: 'entered', ids: ['a'] };
export const decided: NewEvent = { type: 'decided', id: 'a', outcome: 'approved' };
export const startRequested: NewEvent = { type: 'startRequested', process: 1, key: KEY };
export const started: NewEvent = {
	type: 'started',
	key: KEY,
	items: [{ id: 'a', outcome: 'approved' }],
};
export const killed: NewEvent = { type: 'processEnded', process: 1, killed: true };
export const requested = (request: number): NewEvent => ({
	type: 'requested',
	request,
	process: 1,
	method: 'GET',
	path: '/requests/a',
});

/** The promises that a history breaks. */
export const brokenBy = (...events: NewEvent[]) =>
	checkIds(historyOf(...events)).violations.map(({ promise }) => promise);

/** The limits that excuse something in a history that breaks no promise. */
export function excusesOf(...events: NewEvent[]): string[] {
	const { violations, exceptions } = checkIds(historyOf(...events));
	expect(violations).toEqual([]);
	return [...exceptions.keys()];
}
