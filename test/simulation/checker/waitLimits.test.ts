// Protects what the simulator proves about waits for a person: only a documented limit excuses a broken promise.
import type { NewEvent } from '../history';
import {
	MINUTE_MS,
	brokenBy,
	excusesOf,
	asked,
	executionStarted,
	processStarted,
	processEnded,
	output,
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
	limitedExecution,
	end,
	approval,
} from './waitEvents';
import type { Timed } from './waitEvents';

it('another process need not keep a pause', () => {
	const pause: Timed = [2100, { type: 'responded', request: 1, status: 429, retryAfterMs: 7000 }];
	const other: NewEvent = {
		type: 'requested',
		request: 2,
		process: 2,
		method: 'GET',
		path: '/requests/id of a',
	};
	expect(
		brokenBy([...begin, [2000, requested(1)], pause, [4000, other], approval, ...end]),
	).toEqual([]);
});

describe('documented limits', () => {
	it('n8n was killed while the execution was running', () => {
		const limit = 'n8n was killed while the execution was running';
		const restart: Timed[] = [
			[2000, processStarted(2)],
			[5000, ended('crashed')],
		];
		expect(excusesOf([...begin, [1500, processEnded(1)], ...restart])).toEqual([limit]);
		expect(excusesOf([...begin, [1500, processEnded(1)]])).toEqual([limit]);
		expect(brokenBy([...parkedExecution, [1500, processEnded(1)], ...restart])).toEqual([
			'a parked execution survives a crash',
		]);
		expect(brokenBy([...begin, [1500, processEnded(7)], [20_000, ended('crashed')]])).toEqual([
			'a parked execution survives a crash',
		]);
	});

	it('n8n was starting when a Wait node behind the node parked the execution', () => {
		const restart = (result: Timed[], crashedAt: number): Timed[] => [
			...parkedExecution,
			[1500, processEnded(1)],
			[6000, processStarted(2)],
			[8000, resumed(2)],
			...result,
			[crashedAt - 1000, parked],
			[crashedAt, ended('crashed')],
		];
		const result: Timed[] = [approval, [9000, output(approved)]];
		expect(excusesOf(restart(result, 11_000))).toEqual([
			'n8n was starting when a Wait node behind the node parked the execution',
		]);
		const lost = ['a parked execution survives a crash'];
		expect(brokenBy(restart([], 11_000))).toEqual(lost);
		expect(brokenBy(restart(result, 40_000))).toEqual(lost);
	});

	it('a second process of n8n took a running execution for a crashed one', () => {
		const takeover = (parkedAt: number, secondAt: number): Timed[] =>
			[
				...begin,
				[parkedAt, parked] as Timed,
				[secondAt, processStarted(2)] as Timed,
				[7000, ended('crashed')] as Timed,
			].sort(([first], [second]) => first - second);
		expect(excusesOf(takeover(6000, 5000))).toEqual([
			'a second process of n8n took a running execution for a crashed one',
		]);
		expect(brokenBy(takeover(1200, 5000))).toEqual(['a parked execution survives a crash']);
	});

	it('a rejected credential ends the wait when the request expires', () => {
		const day = 24 * 60 * MINUTE_MS;
		const reject = (fault?: string): Timed[] => [
			...begin,
			[2000, requested(1)],
			[2010, responded(1, fault)],
			[day + 2000, output({ ...open, trouble: 'The credential is rejected' })],
			[day + 2001, ended('success')],
		];
		expect(excusesOf(reject('401'))).toEqual([
			'a rejected credential ends the wait when the request expires',
		]);
		expect(brokenBy(reject())).toEqual(['a wait without a limit ends with an answer']);
	});

	it('somebody else called the resume URL while the timer of n8n was set', () => {
		const call = (status: number, afterAt: number): Timed[] => [
			...begin,
			approval,
			[8000, { type: 'calledFromOutside', execution: '1', status }],
			[9000, output(approved)],
			[afterAt, after],
			[afterAt, ended('success')],
		];
		expect(excusesOf(call(200, MINUTE_MS))).toEqual([
			'somebody else called the resume URL while the timer of n8n was set',
		]);
		const cutShort = ['a later wait is not cut short'];
		expect(brokenBy(call(401, MINUTE_MS))).toEqual(cutShort);
		expect(brokenBy(call(200, 2 * MINUTE_MS))).toEqual(cutShort);
	});

	it('the limit of an item ends with the next timer of n8n', () => {
		const endedAt = (minutes: number, limit: number, other: number): Timed[] => [
			[0, processStarted(1)],
			[1000, executionStarted({ question: 'a', limit }, { question: 'b', limit: other })],
			[1100, asked('a')],
			[1100, asked('b')],
			[1200, parked],
			[minutes * MINUTE_MS, output(open, { ...open, id: 'id of b' })],
			[minutes * MINUTE_MS, ended('success')],
		];
		expect(excusesOf(endedAt(6, 60, 61))).toEqual([
			'the limit of an item ends with the next timer of n8n',
		]);
		expect(brokenBy(endedAt(6, 60, 60))).toEqual(['every parked execution ends']);
		expect(brokenBy(endedAt(9, 60, 61))).toEqual(['every parked execution ends']);
	});

	it('n8n resumes by the wall clock, which was set back', () => {
		const stepped = (byMs: number): Timed[] => [
			...limitedExecution,
			[10_000, { type: 'clockStepped', byMs }],
			[20 * MINUTE_MS, output(open)],
			[20 * MINUTE_MS, ended('success')],
		];
		expect(excusesOf(stepped(-20 * MINUTE_MS))).toEqual([
			'n8n resumes by the wall clock, which was set back',
		]);
		expect(brokenBy(stepped(20 * MINUTE_MS))).toEqual(['every parked execution ends']);
	});
});
