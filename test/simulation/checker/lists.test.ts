// Protects what the simulator proves about triggers of lists: a broken promise is found, a kept one is not reported.
import type { NewEvent } from '../history';
import {
	at,
	begin,
	brokenBy,
	changed,
	created,
	excusesOf,
	followed,
	received,
	show,
	started,
	starts,
} from './listMoments';
import type { Moment } from './listMoments';

describe('histories that keep all promises', () => {
	it.each<[string, Moment[]]>([
		['a new record starts once', created],
		[
			'each of three changes starts, also back to an earlier state',
			[
				...created,
				...[changed(show(1)), ...received([show(1)]), ...starts('updated', show(1), 'a')],
				...[changed(show(0)), ...received([show(0)]), ...starts('updated', show(0), 'b')],
			],
		],
		['an old record starts nothing', [changed(show(0), -9_000_000), ...received([show(0)])]],
		['a change that is undone before the next check', [...created, changed(show(1)), changed()]],
		[
			'a record that is checked in',
			[
				...created,
				changed(show(0, true)),
				...received([show(0, true)]),
				...starts('checkedIn', show(0, true)),
			],
		],
		[
			'a record that moves to another page while they are read, and is deleted',
			[
				...created,
				...[...received([show(0)]), changed(show(1)), ...received([show(1)], 1, undefined, 2)],
				changed(),
			],
		],
		[
			'a check-in from before, of a record that is checked out before it is read',
			[
				at(0, changed(show(0, true), -9_000_000)),
				[changed(show(1, true), -9_000_000), changed(show(1), -9_000_000, 75_000)],
				...[...received([show(1, true)]), ...received([show(1)])],
				...starts('updated', show(1)),
			],
		],
		[
			'a change that a pass over pages that shift misses, although three of them were the last',
			[
				...created,
				changed(show(1)),
				...[1, 2, 3].flatMap((page) => received([], 1, undefined, page)),
				...[...received([show(1)]), ...starts('updated', show(1))],
			],
		],
	])('%s', (_, events) => {
		expect(excusesOf(...begin, ...events)).toEqual([]);
	});
});

describe('broken promises', () => {
	const received0 = received([show(0)]);
	it.each<[string, Moment[]]>([
		['a change that was received starts the workflow', [changed(show(0)), ...received0]],
		['a change starts the workflow once', [...created, ...starts('created', show(0), 'again')]],
		[
			'old records start nothing',
			[changed(show(0), -9_000_000), ...received0, ...starts('created', show(0))],
		],
		[
			'a change that was received starts the workflow',
			[...created, changed(show(1)), ...received([show(1)])],
		],
		['every change is read', [...created, changed(show(1))]],
		[
			'every change is read',
			[...created, changed(show(1)), ...received([show(1)], 1, 'lostAfter')],
		],
		[
			'a change is read by the next checks',
			[
				...created,
				changed(show(1)),
				...[0, 1, 2].flatMap(() => received([show(0)])),
				...[...received([show(1)]), ...starts('updated', show(1))],
			],
		],
		[
			'no more starts are unconfirmed than allowed',
			[
				...created,
				...['a', 'b', 'c', 'd', 'e'].map((key): NewEvent => ({
					type: 'startRequested',
					process: 1,
					key,
				})),
			],
		],
		[
			'a trigger runs until it is closed, and not longer',
			[{ type: 'misbehaved', detail: 'stops' }],
		],
		['every list is read after the faults', [...created, { type: 'faultsEnded' }]],
	])('%s', (promise, events) => {
		expect(brokenBy(...begin, ...events)).toEqual([promise]);
	});

	it('a start shows what the service returned', () => {
		const wrong = starts('updated', show(7), 'a');
		expect(brokenBy(...begin, ...created, ...wrong)).toContain(
			'a start shows what the service returned',
		);
		const unknown = starts('created', { ...show(0), number: 1 });
		expect(brokenBy(...begin, ...unknown)).toEqual(['a start shows what the service returned']);
	});

	it('the first save has what the first check read', () => {
		const early: NewEvent = { type: 'saved', workflow: 'w', beganAt: 10_000, process: 1 };
		const [request, ...read] = received([]);
		const broken = ['the first save has what the first check read'];
		expect(brokenBy(followed, [started, request!], [early, ...read])).toEqual(broken);
		const reopened: NewEvent = { type: 'reopened' };
		expect(brokenBy(followed, [started, request!, reopened], [early, ...read])).toEqual([]);
		expect(brokenBy(followed, [started, request!], [early, ...read, reopened])).toEqual(broken);
	});

	it('only selected changes start the workflow', () => {
		expect(brokenBy(...begin, ...created, ...starts('statusChanged', show(0)))).toEqual([
			'only selected changes start the workflow',
		]);
	});

	it('Retry-After is kept, for each service by itself', () => {
		const request = (number: number, path: string): NewEvent => ({
			type: 'requested',
			request: number,
			process: 1,
			method: 'GET',
			path,
		});
		const limited: NewEvent[] = [
			request(1001, '/a/x'),
			{ type: 'responded', request: 1001, status: 429, retryAfterMs: 15_000 },
		];
		expect(brokenBy(...begin, ...limited, request(1002, '/a/y'))).toEqual(['Retry-After is kept']);
		expect(brokenBy(...begin, ...limited, request(1003, '/b/y'))).toEqual([]);
	});
});
