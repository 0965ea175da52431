import type { History, NewEvent, WriteSettings } from '../history';
import { checkWrites } from './writes';

/** Returns a history of these events, ten seconds apart. */
export const historyOf = (...events: NewEvent[]): History =>
	events.map((event, index) => ({ at: index * 10_000, ...event }));

export const brokenBy = (...events: NewEvent[]) =>
	checkWrites(historyOf(...events)).violations.map(({ promise }) => promise);

export const writing = (settings: Partial<WriteSettings>): NewEvent => ({
	type: 'writing',
	workflow: 'w',
	operation: 'register',
	onError: 'continueRegularOutput',
	retryOnFail: false,
	...settings,
});
export const started = (...items: Array<Record<string, string>>): NewEvent => ({
	type: 'executionStarted',
	execution: '1',
	workflow: 'w',
	items,
});
export const requested = (
	request: number,
	method: string,
	path: string,
	sent?: unknown,
): NewEvent => ({
	type: 'requested',
	request,
	process: 1,
	execution: '1',
	method,
	path,
	sent,
});
export const responded = (request: number, status?: number, fault?: string): NewEvent => ({
	type: 'responded',
	request,
	...(status !== undefined && { status }),
	...(fault !== undefined && { fault }),
});
export const output = (json: object, from: number | null = 0): NewEvent => ({
	type: 'output',
	execution: '1',
	node: 'Next',
	items: [json as Record<string, unknown>],
	from: [from],
});
export const ended: NewEvent = { type: 'executionEnded', execution: '1', status: 'success' };

export const contact = (
	id: string,
	Email: string,
	LastName: string,
	request?: number,
): NewEvent => ({
	type: 'recordChanged',
	table: 'contacts',
	id,
	after: { Email, LastName },
	...(request !== undefined && { request }),
});
