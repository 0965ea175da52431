import type { NewId, PollResult } from '../../../nodes/engine/watch';
import { WatcherHarness, finishedResult, findGaps, createIds, pendingResult } from './idHarness';
import type { WatcherHarnessOptions } from './idHarness';

const MINUTE = 60_000;
const unrecognizedResult: PollResult = {
	kind: 'unrecognized',
	message: 'no JSON',
	outcome: 'unrecognized',
	result: '?',
};
const webPageResult: PollResult = { kind: 'unrecognized', message: 'a web page' };
const doubtfulResult: PollResult = { kind: 'doubtful', outcome: 'unproven', result: 'so it says' };
const isBad = (id: string) => id.startsWith('bad');

/** Good and bad IDs, in this order. */
function orderIds(
	goodCount: number,
	badCount: number,
	order: 'bad first' | 'bad last' | 'mixed',
): NewId[] {
	const both = [createIds(badCount, 'bad'), createIds(goodCount, 'good')] as const;
	if (order === 'bad first') return both.flat();
	if (order === 'bad last') return [...both].reverse().flat();
	const step = (goodCount + badCount) / badCount;
	const list = [...both[1]];
	for (const [index, entry] of both[0].entries()) list.splice(Math.floor(index * step), 0, entry);
	return list;
}

const startWatcher = (options: WatcherHarnessOptions, respond: WatcherHarness['respond']) => {
	const harness = new WatcherHarness(options);
	harness.respond = respond;
	return harness.start();
};
const endOf = (harness: WatcherHarness, id: string) =>
	harness.emitted.find(({ ended }) => ended.id === id);
const lastGood = (harness: WatcherHarness) =>
	Math.max(
		...harness.emitted
			.filter(({ ended }) => !isBad(ended.id))
			.map(({ emittedAtMs }) => emittedAtMs),
	);

describe('a doubtful response', () => {
	test('ends an ID with the outcome it suggests after three in a row, at the usual interval', async () => {
		const harness = startWatcher({ enteredIds: createIds(1) }, () => doubtfulResult);
		await harness.time.advance(MINUTE);
		expect(harness.emitted.map(({ ended }) => ended)).toMatchObject([
			{ id: 'id0', outcome: 'unproven', result: 'so it says', polls: 3, seenOutstanding: false },
		]);
		expect(Math.max(...findGaps(harness.pollTimesOf('id0')))).toBeLessThanOrEqual(2221);
		expect(harness.reports).toEqual([]);
	});

	test.each<[string, PollResult]>([
		['an end', finishedResult('completed', 'proof')],
		['not finished', pendingResult],
		['missing', { kind: 'missing' }],
	])('is superseded by a better one: %s after two of them counts', async (_, better) => {
		const script = [doubtfulResult, doubtfulResult, better, doubtfulResult, doubtfulResult];
		const harness = startWatcher(
			{ enteredIds: createIds(1), maxWaitMs: 20_000 },
			() => script.shift() ?? pendingResult,
		);
		await harness.time.advance(MINUTE);
		const end = better.kind === 'finished' ? ['id0', 'completed'] : ['id0', 'stillOutstanding'];
		expect(harness.emittedOutcomes()).toEqual([end]);
	});

	test('still counts after a fault in between', async () => {
		const script: PollResult[] = [
			doubtfulResult,
			{ kind: 'rateLimited' },
			doubtfulResult,
			{ kind: 'unavailable', message: '503' },
			doubtfulResult,
		];
		const harness = startWatcher(
			{ enteredIds: createIds(1) },
			() => script.shift() ?? pendingResult,
		);
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['id0', 'unproven']]);
	});

	test('counts as a response of an available service, so an unrecognized one ends its own ID', async () => {
		const harness = startWatcher({ enteredIds: orderIds(1, 1, 'bad last') }, ({ id, polls }) =>
			isBad(id) ? unrecognizedResult : polls % 2 ? doubtfulResult : pendingResult,
		);
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['bad0', 'unrecognized']]);
	});
});

describe('an unrecognized response', () => {
	describe.each(['bad first', 'bad last', 'mixed'] as const)('%s', (order) => {
		test.each([3, 10, 19])('ends %i of 20 IDs and delays no other ID', async (count) => {
			const enteredIds = orderIds(20 - count, count, order);
			const harness = startWatcher({ enteredIds }, ({ id }) =>
				isBad(id) ? unrecognizedResult : finishedResult('completed'),
			);
			await harness.time.advance(3 * MINUTE);
			// Twenty IDs are spread over one interval of two seconds, and each good one ends with its first response.
			expect(lastGood(harness)).toBeLessThanOrEqual(2100);
			for (let index = 0; index < count; index++) {
				expect(endOf(harness, `bad${index}`)!.ended).toMatchObject({
					outcome: 'unrecognized',
					result: '?',
					polls: 3,
				});
			}
			expect(harness.emitted).toHaveLength(20);
			expect(Math.max(...harness.emitted.map(({ emittedAtMs }) => emittedAtMs))).toBeLessThan(
				20_000,
			);
			expect(harness.reports).toEqual([]);
		});

		test('slows down polling of its own ID only, while others succeed', async () => {
			const enteredIds = orderIds(17, 3, order);
			const harness = startWatcher({ enteredIds }, ({ id }) =>
				isBad(id) ? webPageResult : pendingResult,
			);
			await harness.time.advance(10 * MINUTE);
			for (const { id } of enteredIds) {
				const times = harness.pollTimesOf(id);
				if (isBad(id)) expect(times.length).toBeLessThan(20);
				else expect(Math.max(...findGaps(times))).toBeLessThanOrEqual(2300);
			}
			expect([harness.emitted, harness.reports]).toEqual([[], []]);
		});
	});

	test.each<[string, PollResult]>([
		['a page', webPageResult],
		['what is no page', unrecognizedResult],
	])('counts as an unavailable service and never ends the only ID: %s', async (_, respond) => {
		const harness = startWatcher({ enteredIds: createIds(1) }, () => respond);
		await harness.time.advance(60 * MINUTE);
		expect(harness.emitted).toEqual([]);
		expect(harness.polls.length).toBeLessThan(70);
		expect(harness.reports).toEqual([
			{ kind: 'unavailable', message: respond.kind === 'unrecognized' && respond.message },
		]);
	});

	test('never ends the only ID, even if it had a recognized response before', async () => {
		const harness = startWatcher({ enteredIds: createIds(1) }, (_, now) =>
			now < 30_000 ? pendingResult : unrecognizedResult,
		);
		await harness.time.advance(60 * MINUTE);
		expect(harness.emitted).toEqual([]);
	});

	test('counts as an unavailable service if all IDs get one: polling slows down, and none ends', async () => {
		const harness = startWatcher(
			{ enteredIds: createIds(50), latencyMs: 5 },
			() => unrecognizedResult,
		);
		await harness.time.advance(60 * MINUTE);
		expect(harness.emitted).toEqual([]);
		expect(harness.polls.length).toBeLessThan(150);
		expect(harness.reports).toHaveLength(1);
		harness.respond = () => pendingResult;
		await harness.time.advance(2 * MINUTE);
		const before = harness.polls.length;
		await harness.time.advance(MINUTE);
		expect(harness.polls.length - before).toBeGreaterThan(1200);
	});

	test('ends no ID if all get one at the same time after recognized ones', async () => {
		const harness = startWatcher({ enteredIds: createIds(50), latencyMs: 5 }, (_, now) =>
			now < 30_500 ? pendingResult : unrecognizedResult,
		);
		await harness.time.advance(30 * MINUTE);
		expect(harness.emitted).toEqual([]);
		expect(harness.reports).toHaveLength(1);
	});

	test('does not end a new ID if all get one at the same time', async () => {
		const harness = startWatcher({ enteredIds: createIds(50), latencyMs: 5 }, (_, now) =>
			now < 30_500 ? pendingResult : unrecognizedResult,
		);
		await harness.time.advance(30_400);
		harness.watcher.add(createIds(5, 'new'));
		await harness.time.advance(30 * MINUTE);
		expect(harness.emitted).toEqual([]);
	});

	test('does not end a new ID if the others ended before it was added', async () => {
		const harness = startWatcher({ enteredIds: createIds(5) }, ({ id }) =>
			id === 'new0' ? unrecognizedResult : finishedResult('completed'),
		);
		await harness.time.advance(3000);
		harness.watcher.add(createIds(1, 'new'));
		await harness.time.advance(30 * MINUTE);
		expect(endOf(harness, 'new0')).toBeUndefined();
	});

	test('does not count together with those from a time without any recognized response', async () => {
		let isUnavailable = false;
		const harness = startWatcher({ enteredIds: orderIds(5, 1, 'mixed') }, ({ id }) =>
			isUnavailable || isBad(id) ? unrecognizedResult : pendingResult,
		);
		await harness.time.advance(3000);
		isUnavailable = true;
		await harness.time.advance(10 * MINUTE);
		expect(harness.emitted).toEqual([]);
		isUnavailable = false;
		const recognizedFromMs = harness.time.nowMs;
		await harness.time.advance(10 * MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['bad0', 'unrecognized']]);
		const since = harness.pollTimesOf('bad0').filter((polledAt) => polledAt > recognizedFromMs);
		expect(since).toHaveLength(3);
	});

	test('is forgotten after a recognized one', async () => {
		const harness = startWatcher({ enteredIds: orderIds(5, 1, 'mixed') }, ({ id, polls }) =>
			isBad(id) && polls % 3 !== 0 ? unrecognizedResult : pendingResult,
		);
		await harness.time.advance(10 * MINUTE);
		expect(harness.emitted).toEqual([]);
		expect(harness.pollTimesOf('bad0').length).toBeGreaterThan(80);
	});

	test('is reported at the deadline', async () => {
		const harness = startWatcher(
			{ enteredIds: orderIds(1, 1, 'mixed'), maxWaitMs: MINUTE },
			({ id }) => (isBad(id) ? webPageResult : pendingResult),
		);
		await harness.time.advance(2 * MINUTE);
		expect(endOf(harness, 'bad0')!.ended).toMatchObject({
			outcome: 'stillOutstanding',
			trouble: 'a web page',
		});
		expect(endOf(harness, 'good0')!.ended.trouble).toBeUndefined();
	});

	test('does not delay IDs that are added later', async () => {
		const enteredIds = orderIds(0, 3, 'bad first');
		const harness = startWatcher({ enteredIds }, ({ id }) =>
			isBad(id) ? unrecognizedResult : finishedResult('completed'),
		);
		for (let round = 0; round < 5; round++) {
			harness.watcher.add([{ id: `good${round}` }]);
			await harness.time.advance(1000);
		}
		expect(harness.emitted.filter(({ ended }) => !isBad(ended.id))).toHaveLength(5);
	});
});
