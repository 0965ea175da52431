import type { History, NewEvent } from '../history';
import { checkIds } from './ids';

const KEY = 'key of a';

/** Returns a history of these events, one second apart. */
const historyOf = (...events: NewEvent[]): History =>
	events.map((event, index) => ({ at: index * 1000, ...event }));

const settings: NewEvent = { type: 'settings', keepsExecutions: true };
const entered: NewEvent = { type: 'entered', ids: ['a'] };
const decided: NewEvent = { type: 'decided', id: 'a', outcome: 'approved' };
const startRequested: NewEvent = { type: 'startRequested', process: 1, key: KEY };
const started: NewEvent = { type: 'started', key: KEY, items: [{ id: 'a', outcome: 'approved' }] };
const killed: NewEvent = { type: 'processEnded', process: 1, killed: true };
const requested = (request: number): NewEvent => ({
	type: 'requested',
	request,
	process: 1,
	method: 'GET',
	path: '/requests/a',
});

/** The promises that a history breaks. */
const brokenBy = (...events: NewEvent[]) =>
	checkIds(historyOf(...events)).violations.map(({ promise }) => promise);

/** The limits that excuse something in a history that breaks no promise. */
function excusesOf(...events: NewEvent[]): string[] {
	const { violations, exceptions } = checkIds(historyOf(...events));
	expect(violations).toEqual([]);
	return [...exceptions.keys()];
}

it('an entered and a submitted ID that start once with their decisions break no promise', () => {
	const submission: NewEvent[] = [
		{ type: 'submitted', submission: 1, ids: ['b'] },
		{ type: 'acknowledged', submission: 1, status: 200 },
		{ type: 'decided', id: 'b', outcome: 'denied' },
		{ type: 'started', key: 'key of b', items: [{ id: 'b', outcome: 'denied' }] },
	];
	expect(excusesOf(settings, entered, decided, startRequested, started, ...submission)).toEqual([]);
});

it('a submission that was not acknowledged need not start', () => {
	const rejected: NewEvent = { type: 'acknowledged', submission: 1, status: 503 };
	expect(brokenBy({ type: 'submitted', submission: 1, ids: ['a'] }, rejected)).toEqual([]);
});

describe('broken promises', () => {
	it.each<[string, NewEvent[]]>([
		['every accepted ID starts the workflow', [settings, entered, decided]],
		[
			'every accepted ID starts the workflow',
			[
				{ type: 'submitted', submission: 1, ids: ['a'] },
				{ type: 'acknowledged', submission: 1, status: 200 },
			],
		],
		[
			'an ID starts the workflow once',
			[settings, entered, decided, startRequested, started, started],
		],
		['the outcome is what the service decided', [settings, entered, started]],
		['the outcome is what the service decided', [settings, entered, started, decided]],
		['only known IDs start the workflow', [settings, decided, started]],
		[
			'Retry-After is kept',
			[
				requested(1),
				{ type: 'responded', request: 1, status: 429, retryAfterMs: 7000 },
				requested(2),
			],
		],
	])('%s', (promise, events) => {
		expect(brokenBy(...events)).toEqual([promise]);
	});

	it('an ID that is reported as gone had three failed responses', () => {
		const gone: NewEvent = { type: 'started', key: KEY, items: [{ id: 'a', outcome: 'gone' }] };
		const failure = (request: number): NewEvent[] => [
			requested(request),
			{ type: 'responded', request, status: 404, fault: '404' },
		];
		expect(brokenBy(entered, ...failure(1), ...failure(2), gone)).toHaveLength(1);
		expect(brokenBy(entered, ...failure(1), ...failure(2), ...failure(3), gone)).toEqual([]);
	});
});

describe('documented limits', () => {
	const forgetful: NewEvent = { type: 'settings', keepsExecutions: false };
	const twice = [startRequested, started, killed, started];

	it('an unclear start is reported instead', () => {
		const reported: NewEvent = { type: 'reported', message: 'Unclear', description: 'The ID: a' };
		expect(excusesOf(settings, entered, decided, reported)).toEqual([
			'an unclear start is reported instead',
		]);
	});

	it('an ID is submitted again after its start was reported as unclear', () => {
		const reported: NewEvent = { type: 'reported', message: 'Unclear', description: 'The ID: a' };
		const again: NewEvent = { type: 'submitted', submission: 1, ids: ['a'] };
		const first = [forgetful, entered, decided, startRequested, started];
		expect(excusesOf(...first, reported, again, started)).toEqual([
			'an ID is submitted again after its start was reported as unclear',
		]);
		expect(brokenBy(...first, again, reported, started)).toHaveLength(1);
	});

	it('n8n keeps no executions and had not saved the start when it was killed', () => {
		expect(excusesOf(forgetful, entered, decided, ...twice)).toEqual([
			'n8n keeps no executions and had not saved the start when it was killed',
		]);
		// A state from before the request does not contain it, even if it is written last.
		const newer: NewEvent = { type: 'saved', workflow: 'w', beganAt: 3000 };
		const older: NewEvent = { type: 'saved', workflow: 'w', beganAt: 0 };
		const saves = [newer, older];
		expect(
			excusesOf(forgetful, entered, decided, startRequested, ...saves, ...twice.slice(1)),
		).toHaveLength(1);
	});

	it('no second start is excused after a save, or if n8n keeps its executions', () => {
		const saved: NewEvent = { type: 'saved', workflow: 'w', beganAt: 3000 };
		const events = [entered, decided, startRequested, saved, ...twice.slice(1)];
		expect(brokenBy(forgetful, ...events)).toEqual(['an ID starts the workflow once']);
		expect(brokenBy(settings, entered, decided, ...twice)).toHaveLength(1);
	});
});
