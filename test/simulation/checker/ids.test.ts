// Protects what the simulator proves about triggers that watch IDs: a broken promise is found, a kept one is not reported.
import type { NewEvent } from '../history';
import {
	KEY,
	settings,
	entered,
	decided,
	startRequested,
	started,
	requested,
	brokenBy,
	excusesOf,
} from './idEvents';

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

it('an ID that is removed from the node starts nothing, unless it was submitted, too', () => {
	const removed: NewEvent = { type: 'removed', ids: ['a'] };
	const submission: NewEvent[] = [
		{ type: 'submitted', submission: 1, ids: ['a'] },
		{ type: 'acknowledged', submission: 1, status: 200 },
	];
	expect(brokenBy(settings, entered, removed, decided)).toEqual([]);
	expect(brokenBy(settings, entered, ...submission, removed, decided)).toEqual([
		'every accepted ID starts the workflow',
	]);
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

	it('a single trigger polls nothing before Retry-After, and only reads the application', () => {
		const limited: NewEvent = { type: 'responded', request: 1, status: 429, retryAfterMs: 7000 };
		const request = (number: number, path: string) => ({ ...requested(number), path });
		const application = request(2, '/app/details');
		const poll = request(3, '/requests/a1');
		const promise = 'Retry-After is kept';
		expect(brokenBy(request(1, '/requests/a1'), limited, application)).toEqual([]);
		expect(brokenBy(request(1, '/requests/a1'), limited, poll)).toEqual([promise]);
		expect(brokenBy(request(1, '/app/details'), limited, application)).toEqual([promise]);
		expect(brokenBy(request(1, '/app/details'), limited, poll)).toEqual([promise]);
	});

	it('an ID that is reported as gone had three responses that did not know it', () => {
		const gone: NewEvent = { type: 'started', key: KEY, items: [{ id: 'a', outcome: 'gone' }] };
		const failure = (request: number): NewEvent[] => [
			requested(request),
			{ type: 'responded', request, status: 404, fault: 'unknown' },
		];
		const other: NewEvent[] = [requested(9), { type: 'responded', request: 9, status: 200 }];
		const twice = [...failure(1), ...failure(2)];
		expect(brokenBy(entered, ...twice, gone)).toHaveLength(1);
		expect(brokenBy(entered, ...twice, ...other, ...failure(3), gone)).toHaveLength(1);
		expect(brokenBy(entered, ...twice, ...failure(3), gone)).toEqual([]);
	});

	it('responses of another trigger do not count', () => {
		const gone: NewEvent = { type: 'started', key: KEY, items: [{ id: 'a', outcome: 'gone' }] };
		const failure = (request: number, trigger: string): NewEvent[] => [
			{ ...(requested(request) as object), trigger } as NewEvent,
			{ type: 'responded', request, status: 404, fault: 'unknown' },
		];
		const twice = [...failure(1, 'one'), ...failure(2, 'one')];
		expect(brokenBy(entered, ...twice, ...failure(3, 'two'), gone)).toHaveLength(1);
		const found: NewEvent[] = [
			{ ...(requested(3) as object), trigger: 'two' } as NewEvent,
			{ type: 'responded', request: 3, status: 200 },
		];
		expect(brokenBy(entered, ...twice, ...found, ...failure(4, 'one'), gone)).toEqual([]);
	});
});

it('starts of two triggers for the same ID are two starts', () => {
	const of = (trigger: string): NewEvent[] => [
		{ type: 'entered', ids: ['a'], trigger },
		{ ...(started as object), trigger } as NewEvent,
	];
	expect(brokenBy(settings, decided, ...of('one'), ...of('two'))).toEqual([]);
	expect(brokenBy(settings, decided, ...of('one'), of('two')[0]!)).toHaveLength(1);
});

describe('the pace of one trigger', () => {
	const limits: NewEvent = { type: 'limits', intervalMs: 1000, maxInFlight: 2 };
	const process: NewEvent = { type: 'processStarted', process: 1 };
	const begin = [settings, entered, limits, process];
	const done = [decided, startRequested, started];

	it('keeps the interval, the end and the concurrency limit', () => {
		const responses: NewEvent[] = [1, 2, 3].map((request) => ({ type: 'responded', request }));
		const polls = [1, 2, 3].flatMap((request, index) => [requested(request), responses[index]!]);
		expect(brokenBy(...begin, ...polls, ...done)).toEqual([]);
	});

	it.each<[string, NewEvent[]]>([
		['an ID is not polled after its end', [...done, requested(1)]],
		['the concurrency limit holds', [requested(1), requested(2), requested(3), ...done]],
	])('%s', (promise, events) => {
		expect(brokenBy(...begin, ...events)).toEqual([promise]);
	});

	it('an ID is not polled before its interval', () => {
		const slow: NewEvent = { ...limits, intervalMs: 1500 };
		const events = [settings, entered, slow, process, requested(1), requested(2), ...done];
		expect(brokenBy(...events)).toEqual(['an ID is not polled before its interval']);
	});

	it('an unclear ID that is submitted again is polled at once', () => {
		const slow: NewEvent = { ...limits, intervalMs: 60_000 };
		const unclear: NewEvent = { type: 'reported', message: 'Unclear', description: 'a' };
		const again: NewEvent = { type: 'submitted', submission: 1, ids: ['a'] };
		const forgetful: NewEvent = { type: 'settings', keepsExecutions: false };
		const first = [forgetful, entered, slow, process, requested(1), decided, startRequested];
		expect(brokenBy(...first, unclear, again, requested(2), started)).toEqual([]);
		expect(brokenBy(...first, again, requested(2), started)).toEqual([
			'an ID is not polled before its interval',
		]);
	});
});

describe('conclusions of the trigger', () => {
	const polls = (fault: string, times: number): NewEvent[] =>
		Array.from({ length: times }, (_, index): NewEvent[] => [
			requested(index),
			{ type: 'responded', request: index, fault },
		]).flat();
	const startedWith = (outcome: string): NewEvent => ({
		type: 'started',
		key: KEY,
		items: [{ id: 'a', outcome }],
	});
	const untrue = ['the outcome is what the service decided'];
	const otherPoll: NewEvent[] = [
		{ type: 'requested', request: 9, process: 1, method: 'GET', path: '/requests/b' },
		{ type: 'responded', request: 9 },
	];

	it('an end without a proof counts after three responses', () => {
		const end = startedWith('unproven');
		expect(brokenBy(settings, entered, ...polls('doubtful', 3), end)).toEqual([]);
		expect(brokenBy(settings, entered, ...polls('doubtful', 2), end)).toEqual(untrue);
	});

	it('three responses to one process count, whatever another one received meanwhile', () => {
		const pollOf = (process: number, request: number, fault: string): NewEvent[] => [
			{ type: 'requested', request, process, method: 'GET', path: '/requests/a' },
			{ type: 'responded', request, fault },
		];
		const end = startedWith('unproven');
		const first = [...pollOf(1, 1, 'doubtful'), ...pollOf(1, 2, 'doubtful')];
		const other = pollOf(2, 3, 'unknown');
		const third = pollOf(1, 4, 'doubtful');
		expect(brokenBy(settings, entered, ...first, ...other, ...third, end)).toEqual([]);
		expect(brokenBy(settings, entered, ...first, ...pollOf(2, 3, 'doubtful'), end)).toEqual(untrue);
	});

	it('unrecognized responses end an ID if another one gets good responses', () => {
		const end = startedWith('unrecognized');
		const three = polls('unrecognized', 3);
		expect(brokenBy(settings, entered, ...otherPoll, ...three, end)).toEqual([]);
		expect(brokenBy(settings, entered, ...three, end)).toEqual(untrue);
		expect(brokenBy(settings, entered, ...otherPoll, ...polls('html', 3), end)).toEqual(untrue);
	});

	it('an ID is still outstanding when its time is over', () => {
		const end = startedWith('stillOutstanding');
		const limits = (maxWaitMs?: number): NewEvent => ({
			type: 'limits',
			intervalMs: 1000,
			maxInFlight: 1,
			...(maxWaitMs !== undefined && { maxWaitMs }),
		});
		expect(brokenBy(entered, limits(2000), end)).toEqual([]);
		expect(brokenBy(entered, limits(3000), end)).toEqual(untrue);
		expect(brokenBy(entered, limits(), end)).toEqual(untrue);
	});

	it('a start has the data of its own ID', () => {
		const withData = (ownId: string): NewEvent => ({
			type: 'started',
			key: KEY,
			items: [{ id: 'a', outcome: 'approved', ownId }],
		});
		expect(brokenBy(settings, entered, decided, withData('a'))).toEqual([]);
		expect(brokenBy(settings, entered, decided, withData('b'))).toEqual([
			'an ID starts the workflow with its own data',
		]);
	});

	it('a trigger runs until it is closed, and not longer', () => {
		const promise = 'a trigger runs until it is closed, and not longer';
		expect(brokenBy({ type: 'misbehaved', detail: 'polled when closed' })).toEqual([promise]);
		const unpublished: NewEvent = { type: 'unpublished', process: 1 };
		expect(brokenBy(settings, unpublished, requested(1))).toEqual([promise]);
		expect(brokenBy(settings, unpublished, startRequested)).toEqual([promise]);
		expect(brokenBy(settings, unpublished, { type: 'reopened' }, requested(1))).toEqual([]);
	});
});
