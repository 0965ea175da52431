// Protects watched IDs from odd responses: three in a row end their own ID without delaying others, and an outage ends none.
import type { NewId, PollResult } from '../../../nodes/engine/watch';
import { WatcherHarness, finishedResult, findGaps, createIds, pendingResult } from './idHarness';
import type { WatcherHarnessOptions } from './idHarness';

const MINUTE_MS = 60_000;
const unrecognizedResult: PollResult = {
	kind: 'unrecognized',
	message: 'no JSON',
	outcome: 'unrecognized',
	result: '?',
};
const webPageResult: PollResult = { kind: 'unrecognized', message: 'a web page' };
const doubtfulResult: PollResult = { kind: 'doubtful', outcome: 'unproven', result: 'so it says' };
const isBad = (id: string) => id.startsWith('bad');

/** Creates good and bad IDs in this order. */
function orderIds(
	goodCount: number,
	badCount: number,
	order: 'bad first' | 'bad last' | 'mixed',
): NewId[] {
	const [badIds, goodIds] = [createIds(badCount, 'bad'), createIds(goodCount, 'good')];
	if (order === 'bad first') return [...badIds, ...goodIds];
	if (order === 'bad last') return [...goodIds, ...badIds];
	const step = (goodCount + badCount) / badCount;
	const mixedIds = [...goodIds];
	for (const [index, entry] of badIds.entries())
		mixedIds.splice(Math.floor(index * step), 0, entry);
	return mixedIds;
}

const startWatcher = (options: WatcherHarnessOptions, respond: WatcherHarness['respond']) => {
	const harness = new WatcherHarness(options);
	harness.respond = respond;
	return harness.start();
};
const findEnd = (harness: WatcherHarness, id: string) =>
	harness.emitted.find(({ ended }) => ended.id === id);
/** Returns when the last good ID ended. */
const findLastGoodEndMs = (harness: WatcherHarness) =>
	Math.max(
		...harness.emitted
			.filter(({ ended }) => !isBad(ended.id))
			.map(({ emittedAtMs }) => emittedAtMs),
	);

describe('a doubtful response', () => {
	test('ends its ID with its outcome after three in a row, at the usual polling interval', async () => {
		const harness = startWatcher({ enteredIds: createIds(1) }, () => doubtfulResult);
		await harness.time.advance(MINUTE_MS);
		expect(harness.emitted.map(({ ended }) => ended)).toMatchObject([
			{ id: 'id0', outcome: 'unproven', result: 'so it says', polls: 3, seenOutstanding: false },
		]);
		// The interval of 2000 ms, a tenth of jitter, and the latency of 20 ms.
		expect(Math.max(...findGaps(harness.listPollTimes('id0')))).toBeLessThanOrEqual(2221);
		expect(harness.reports).toEqual([]);
	});

	test.each<[string, PollResult]>([
		['finished', finishedResult('completed', 'proof')],
		['pending', pendingResult],
		['missing', { kind: 'missing' }],
	])('no longer counts after a response of the kind %s', async (_, betterResult) => {
		const script = [doubtfulResult, doubtfulResult, betterResult, doubtfulResult, doubtfulResult];
		const harness = startWatcher(
			{ enteredIds: createIds(1), maxWaitMs: 20_000 },
			() => script.shift() ?? pendingResult,
		);
		await harness.time.advance(MINUTE_MS);
		const expectedEnd =
			betterResult.kind === 'finished' ? ['id0', 'completed'] : ['id0', 'stillOutstanding'];
		expect(harness.emittedOutcomes()).toEqual([expectedEnd]);
	});

	test('counts together with earlier ones if only faults came in between', async () => {
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
		await harness.time.advance(MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([['id0', 'unproven']]);
	});

	test('shows that the service is available, so unrecognized responses end another ID', async () => {
		const harness = startWatcher(
			{ enteredIds: orderIds(1, 1, 'bad last') },
			({ id, pollNumber }) =>
				isBad(id) ? unrecognizedResult : pollNumber % 2 ? doubtfulResult : pendingResult,
		);
		await harness.time.advance(MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([['bad0', 'unrecognized']]);
	});
});

describe('an unrecognized response', () => {
	describe.each(['bad first', 'bad last', 'mixed'] as const)('(order of the IDs: %s)', (order) => {
		test.each([3, 10, 19])('ends %i of 20 IDs and delays no other ID', async (count) => {
			const enteredIds = orderIds(20 - count, count, order);
			const harness = startWatcher({ enteredIds }, ({ id }) =>
				isBad(id) ? unrecognizedResult : finishedResult('completed'),
			);
			await harness.time.advance(3 * MINUTE_MS);
			// Twenty IDs are spread over one interval of two seconds, and each good one ends with its first response.
			expect(findLastGoodEndMs(harness)).toBeLessThanOrEqual(2100);
			for (let index = 0; index < count; index++) {
				expect(findEnd(harness, `bad${index}`)!.ended).toMatchObject({
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

		test('slows down the polls of its own ID only, while other IDs succeed', async () => {
			const enteredIds = orderIds(17, 3, order);
			const harness = startWatcher({ enteredIds }, ({ id }) =>
				isBad(id) ? webPageResult : pendingResult,
			);
			await harness.time.advance(10 * MINUTE_MS);
			for (const { id } of enteredIds) {
				const times = harness.listPollTimes(id);
				if (isBad(id)) expect(times.length).toBeLessThan(20);
				else expect(Math.max(...findGaps(times))).toBeLessThanOrEqual(2300);
			}
			expect([harness.emitted, harness.reports]).toEqual([[], []]);
		});
	});

	test.each<[string, PollResult]>([
		['a web page', webPageResult],
		['no JSON', unrecognizedResult],
	])('counts as an unavailable service and never ends the only ID: %s', async (_, result) => {
		const harness = startWatcher({ enteredIds: createIds(1) }, () => result);
		await harness.time.advance(60 * MINUTE_MS);
		expect(harness.emitted).toEqual([]);
		expect(harness.polls.length).toBeLessThan(70);
		expect(harness.reports).toEqual([
			{ kind: 'unavailable', message: result.kind === 'unrecognized' && result.message },
		]);
	});

	test('never ends the only ID, even if that ID had a recognized response before', async () => {
		const harness = startWatcher({ enteredIds: createIds(1) }, (_, now) =>
			now < 30_000 ? pendingResult : unrecognizedResult,
		);
		await harness.time.advance(60 * MINUTE_MS);
		expect(harness.emitted).toEqual([]);
	});

	test('counts as an unavailable service if all IDs get one: polling slows down, and no ID ends', async () => {
		const harness = startWatcher(
			{ enteredIds: createIds(50), latencyMs: 5 },
			() => unrecognizedResult,
		);
		await harness.time.advance(60 * MINUTE_MS);
		expect(harness.emitted).toEqual([]);
		expect(harness.polls.length).toBeLessThan(150);
		expect(harness.reports).toHaveLength(1);
		harness.respond = () => pendingResult;
		await harness.time.advance(2 * MINUTE_MS);
		const before = harness.polls.length;
		await harness.time.advance(MINUTE_MS);
		expect(harness.polls.length - before).toBeGreaterThan(1200);
	});

	test('ends no ID if all IDs get one from the same time on, after recognized responses', async () => {
		const harness = startWatcher({ enteredIds: createIds(50), latencyMs: 5 }, (_, now) =>
			now < 30_500 ? pendingResult : unrecognizedResult,
		);
		await harness.time.advance(30 * MINUTE_MS);
		expect(harness.emitted).toEqual([]);
		expect(harness.reports).toHaveLength(1);
	});

	test('does not end a new ID if all IDs get one from the same time on', async () => {
		const harness = startWatcher({ enteredIds: createIds(50), latencyMs: 5 }, (_, now) =>
			now < 30_500 ? pendingResult : unrecognizedResult,
		);
		await harness.time.advance(30_400);
		harness.watcher.add(createIds(5, 'new'));
		await harness.time.advance(30 * MINUTE_MS);
		expect(harness.emitted).toEqual([]);
	});

	test('does not end a new ID if all other IDs ended before it was added', async () => {
		const harness = startWatcher({ enteredIds: createIds(5) }, ({ id }) =>
			id === 'new0' ? unrecognizedResult : finishedResult('completed'),
		);
		await harness.time.advance(3000);
		harness.watcher.add(createIds(1, 'new'));
		await harness.time.advance(30 * MINUTE_MS);
		expect(findEnd(harness, 'new0')).toBeUndefined();
	});

	test('does not count together with unrecognized responses during an outage', async () => {
		let isUnavailable = false;
		const harness = startWatcher({ enteredIds: orderIds(5, 1, 'mixed') }, ({ id }) =>
			isUnavailable || isBad(id) ? unrecognizedResult : pendingResult,
		);
		await harness.time.advance(3000);
		isUnavailable = true;
		await harness.time.advance(10 * MINUTE_MS);
		expect(harness.emitted).toEqual([]);
		isUnavailable = false;
		const recoveredAtMs = harness.time.nowMs;
		await harness.time.advance(10 * MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([['bad0', 'unrecognized']]);
		const pollsAfterOutage = harness
			.listPollTimes('bad0')
			.filter((polledAt) => polledAt > recoveredAtMs);
		expect(pollsAfterOutage).toHaveLength(3);
	});

	test('no longer counts after a recognized response', async () => {
		const harness = startWatcher({ enteredIds: orderIds(5, 1, 'mixed') }, ({ id, pollNumber }) =>
			isBad(id) && pollNumber % 3 !== 0 ? unrecognizedResult : pendingResult,
		);
		await harness.time.advance(10 * MINUTE_MS);
		expect(harness.emitted).toEqual([]);
		expect(harness.listPollTimes('bad0').length).toBeGreaterThan(80);
	});

	test('is output as the trouble of its ID at the deadline', async () => {
		const harness = startWatcher(
			{ enteredIds: orderIds(1, 1, 'mixed'), maxWaitMs: MINUTE_MS },
			({ id }) => (isBad(id) ? webPageResult : pendingResult),
		);
		await harness.time.advance(2 * MINUTE_MS);
		expect(findEnd(harness, 'bad0')!.ended).toMatchObject({
			outcome: 'stillOutstanding',
			trouble: 'a web page',
		});
		expect(findEnd(harness, 'good0')!.ended.trouble).toBeUndefined();
	});

	test('does not delay other IDs that are added later', async () => {
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
