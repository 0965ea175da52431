// Protects what the simulator proves about waits for a person: a broken promise is found, a kept one is not reported.
import type { NewEvent } from '../history';
import {
	MINUTE_MS,
	brokenBy,
	excusesOf,
	asked,
	decided,
	executionStarted,
	output,
	outputBy,
	after,
	parked,
	resumed,
	ended,
	requested,
	responded,
	approved,
	open,
	begin,
	parkedExecution,
	limited,
	limitedExecution,
	processStarted,
	end,
	approval,
} from './waitEvents';
import type { Timed } from './waitEvents';

it('an execution that is parked, answered and resumed breaks no promise', () => {
	expect(excusesOf([...parkedExecution, approval, [8000, resumed(1)], ...end])).toEqual([]);
	expect(
		excusesOf([...limitedExecution, [61_200, output(open)], [61_201, ended('success')]]),
	).toEqual([]);
});

it('a request that the service did not know three times ends as gone', () => {
	const unknown = (times: number): Timed[] =>
		Array.from({ length: times }, (_, index): Timed[] => [
			[2000 + 100 * index, requested(index)],
			[2010 + 100 * index, responded(index, 'unknown')],
		]).flat();
	const gone: Timed[] = [
		[9000, output({ id: 'id of a', outcome: 'gone', approved: false })],
		[9001, ended('success')],
	];
	expect(excusesOf([...begin, ...unknown(3), ...gone])).toEqual([]);
	expect(brokenBy([...begin, ...unknown(2), ...gone])).toEqual([
		'the outcome is what the person decided',
	]);
});

it('a token with a key that the issuer does not know is unverified', () => {
	const key: NewEvent = {
		type: 'requested',
		request: 7,
		process: 1,
		method: 'GET',
		path: '/identity/key/k',
	};
	const reading = (fault?: string): Timed[] => [
		...begin,
		approval,
		[6000, key],
		[6010, responded(7, fault)],
		[9000, output({ id: 'id of a', outcome: 'unverified' })],
		[9001, ended('success')],
	];
	expect(excusesOf(reading('unknown'))).toEqual([]);
	expect(brokenBy(reading())).toEqual(['the outcome is what the person decided']);
});

it('items that fail before their question is sent need not name a request', () => {
	const both: Timed[] = [
		[1000, executionStarted({ question: 'a' }, { question: 'b' })],
		[1050, responded(1, '404')],
		[1100, asked('b')],
	];
	const errors = (second: string): Timed[] => [
		[2000, output({ error: 'No' }, { error: second })],
		[2001, ended('success')],
	];
	expect(excusesOf([...both, ...errors('It is unclear whether it was sent')])).toEqual([]);
	expect(brokenBy([...both, ...errors('No')])).toEqual([
		'a failure says that the person was asked',
	]);
});

it('an answer after the limit of its item is not reported while the execution waits for others', () => {
	const answeredAt = (time: number): Timed[] => [
		[0, processStarted(1)],
		[1000, executionStarted(limited, { question: 'b', limit: 140 })],
		[1100, asked('a')],
		[1100, asked('b')],
		[1200, parked],
		[time, decided('a', 'approved')],
		[142_000, output(open, { ...open, id: 'id of b' })],
		[142_001, ended('success')],
	];
	expect(brokenBy(answeredAt(52_000))).toEqual([]);
	expect(brokenBy(answeredAt(50_000))).toEqual(['an answer long before the limit is reported']);
});

describe('broken promises', () => {
	it.each<[string, Timed[]]>([
		['a parked execution survives a crash', [...parkedExecution, [20_000, ended('crashed')]]],
		[
			'the input does not pass for a result',
			[...begin, [2000, output({ id: 'forged', outcome: 'approved' })], [2001, ended('success')]],
		],
		[
			'the input does not pass for a result',
			[
				...begin,
				[1500, responded(1, '500')],
				[2000, output({ error: 'id of a: unclear', approved: true })],
				[2001, ended('success')],
			],
		],
		[
			'all items are returned once, in order',
			[...begin, approval, ...end, [9500, output(approved)], [9501, ended('success')]],
		],
		['all items are returned once, in order', [...begin, approval, [9000, ended('success')]]],
		...['Next', 'Failed'].map((node): [string, Timed[]] => [
			'only what was approved leaves by Approved',
			[...begin, approval, [9000, outputBy(node, approved)], [9001, ended('success')]],
		]),
		[
			'only what was approved leaves by Approved',
			[
				...begin,
				[5000, decided('a', 'denied')],
				[9000, outputBy('Approved', { id: 'id of a', outcome: 'denied' })],
				[9001, ended('success')],
			],
		],
		['the outcome is what the person decided', [...begin, [5000, decided('a', 'denied')], ...end]],
		[
			'the outcome is what the person decided',
			[...begin, ...end, [9500, decided('a', 'approved')]],
		],
		[
			'the outcome is what the person decided',
			[
				...begin,
				[5000, decided('a', 'denied')],
				[9000, output({ id: 'id of a', outcome: 'denied', approved: true })],
				[9001, ended('success')],
			],
		],
		[
			'a wait without a limit ends with an answer',
			[...begin, [9000, output(open)], [9001, ended('success')]],
		],
		[
			'an open item is reported when its limit is over',
			[...limitedExecution, [30_000, output(open)], [30_001, ended('success')]],
		],
		[
			'an answer that was read is reported',
			[
				...limitedExecution,
				approval,
				[6000, requested(1)],
				[6010, { type: 'executed', request: 1, status: 200, body: {} }],
				[6020, responded(1)],
				[62_000, output(open)],
				[62_001, ended('success')],
			],
		],
		[
			'an answer long before the limit is reported',
			[...limitedExecution, approval, [62_000, output(open)], [62_001, ended('success')]],
		],
		[
			'an item fails only if something failed',
			[...begin, [2000, ended('error', 'id of a: it may have been sent')]],
		],
		[
			'a failure says that the person was asked',
			[...begin, [1500, responded(1, '500')], [2000, ended('error', 'Nothing was sent')]],
		],
		[
			'a later wait is not cut short',
			[
				...begin,
				approval,
				[9000, output(approved)],
				[9001, parked],
				[9 * MINUTE_MS, after],
				[9 * MINUTE_MS, ended('success')],
			],
		],
		[
			'a stopped execution is no longer polled for',
			[...parkedExecution, [2000, ended('canceled')], [2 * MINUTE_MS, requested(1)]],
		],
		['a question is sent once', [...begin, [1300, asked('a', 'again')], approval, ...end]],
		[
			'Retry-After is kept',
			[
				...begin,
				[2000, requested(1)],
				[2100, { type: 'responded', request: 1, status: 429, retryAfterMs: 7000 }],
				[4000, requested(2)],
				approval,
				...end,
			],
		],
		[
			'every parked execution ends',
			[...parkedExecution, approval, [7 * MINUTE_MS, { type: 'ended' }]],
		],
		[
			'every parked execution ends',
			[...limitedExecution, [10 * MINUTE_MS, output(open)], [10 * MINUTE_MS, ended('success')]],
		],
	])('%s', (promise, events) => {
		expect(brokenBy(events)).toContain(promise);
	});
});
