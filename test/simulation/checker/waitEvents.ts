import type { History, NewEvent } from '../history';
import { checkWaits } from './waits';

export const MINUTE_MS = 60_000;

/** An event at a time in milliseconds. */
export type Timed = [at: number, event: NewEvent];

const historyOf = (events: Timed[]): History => events.map(([at, event]) => ({ at, ...event }));

/** Returns the promises that a history breaks, without repetitions. */
export const brokenBy = (events: Timed[]) => [
	...new Set(checkWaits(historyOf(events)).violations.map(({ promise }) => promise)),
];

/** Returns the limits that excuse something in a history that breaks no promise. */
export function excusesOf(events: Timed[]): string[] {
	const { violations, exceptions } = checkWaits(historyOf(events));
	expect(violations).toEqual([]);
	return [...exceptions.keys()];
}

export const processStarted = (process: number): NewEvent => ({ type: 'processStarted', process });
export const processEnded = (process: number, killed = true): NewEvent => ({
	type: 'processEnded',
	process,
	killed,
});
export const asked = (question: string, id = `id of ${question}`): NewEvent => ({
	type: 'asked',
	id,
	question,
});
export const decided = (question: string, outcome: string): NewEvent => ({
	type: 'decided',
	id: `id of ${question}`,
	outcome,
});
export const executionStarted = (...items: Array<Record<string, unknown>>): NewEvent => ({
	type: 'executionStarted',
	execution: '1',
	workflow: 'w',
	items,
	process: 1,
});
export const outputBy = (node: string, ...items: Array<Record<string, unknown>>): NewEvent => ({
	type: 'output',
	execution: '1',
	node,
	items,
});
export const output = (...items: Array<Record<string, unknown>>): NewEvent =>
	outputBy(items.some(({ outcome }) => outcome === 'approved') ? 'Approved' : 'Next', ...items);
export const after: NewEvent = { type: 'output', execution: '1', node: 'After', items: [] };
export const parked: NewEvent = { type: 'executionParked', execution: '1' };
export const resumed = (process: number): NewEvent => ({
	type: 'executionResumed',
	execution: '1',
	by: 'time',
	process,
});
export const ended = (status: string, message?: string): NewEvent => ({
	type: 'executionEnded',
	execution: '1',
	status,
	...(message !== undefined && { message }),
});
export const requested = (request: number, question = 'a'): NewEvent => ({
	type: 'requested',
	request,
	process: 1,
	method: 'GET',
	path: `/requests/id of ${question}`,
});
export const responded = (request: number, fault?: string): NewEvent => ({
	type: 'responded',
	request,
	...(fault !== undefined && { fault }),
});

const a = { question: 'a' };
export const limited = { question: 'a', limit: 60 };
export const approved = { id: 'id of a', outcome: 'approved', approved: true };
export const open = { id: 'id of a', outcome: 'stillOutstanding' };
export const begin: Timed[] = [
	[0, processStarted(1)],
	[1000, executionStarted(a)],
	[1100, asked('a')],
];
export const parkedExecution: Timed[] = [...begin, [1200, parked]];
export const limitedExecution: Timed[] = [
	[0, processStarted(1)],
	[1000, executionStarted(limited)],
	[1100, asked('a')],
	[1200, parked],
];
export const end: Timed[] = [
	[9000, output(approved)],
	[9001, ended('success')],
];
export const approval: Timed = [5000, decided('a', 'approved')];
