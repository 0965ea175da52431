import type { NewId, PollResult } from '../../../nodes/engine/watch';
import { WatcherHarness, finishedResult, findGaps, createIds, pendingResult } from './idHarness';
import type { WatcherHarnessOptions } from './idHarness';

const MINUTE = 60_000;
const garbled: PollResult = {
	kind: 'unrecognized',
	message: 'no JSON',
	outcome: 'spoilt',
	result: '?',
};
const page: PollResult = { kind: 'unrecognized', message: 'a web page' };
const word: PollResult = { kind: 'doubtful', outcome: 'unproven', result: 'so it says' };
const isBad = (id: string) => id.startsWith('bad');

/** Good and bad IDs, in this order. */
function mixed(good: number, bad: number, order: 'bad first' | 'bad last' | 'mixed'): NewId[] {
	const both = [createIds(bad, 'bad'), createIds(good, 'good')] as const;
	if (order === 'bad first') return both.flat();
	if (order === 'bad last') return [...both].reverse().flat();
	const step = (good + bad) / bad;
	const list = [...both[1]];
	for (const [index, entry] of both[0].entries()) list.splice(Math.floor(index * step), 0, entry);
	return list;
}

const open = (options: WatcherHarnessOptions, respond: WatcherHarness['respond']) => {
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
		const harness = open({ enteredIds: createIds(1) }, () => word);
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
		const script = [word, word, better, word, word];
		const harness = open(
			{ enteredIds: createIds(1), maxWaitMs: 20_000 },
			() => script.shift() ?? pendingResult,
		);
		await harness.time.advance(MINUTE);
		const end = better.kind === 'finished' ? ['id0', 'completed'] : ['id0', 'stillOutstanding'];
		expect(harness.emittedOutcomes()).toEqual([end]);
	});

	test('still counts after a fault in between', async () => {
		const script: PollResult[] = [
			word,
			{ kind: 'rateLimited' },
			word,
			{ kind: 'unavailable', message: '503' },
			word,
		];
		const harness = open({ enteredIds: createIds(1) }, () => script.shift() ?? pendingResult);
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['id0', 'unproven']]);
	});

	test('counts as a response of an available service, so an unrecognized one ends its own ID', async () => {
		const harness = open({ enteredIds: mixed(1, 1, 'bad last') }, ({ id, polls }) =>
			isBad(id) ? garbled : polls % 2 ? word : pendingResult,
		);
		await harness.time.advance(MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['bad0', 'spoilt']]);
	});
});

describe('an unrecognized response', () => {
	describe.each(['bad first', 'bad last', 'mixed'] as const)('%s', (order) => {
		test.each([3, 10, 19])(
			'for %i of 20 IDs delays no other ID, and ends those IDs',
			async (count) => {
				const enteredIds = mixed(20 - count, count, order);
				const harness = open({ enteredIds }, ({ id }) =>
					isBad(id) ? garbled : finishedResult('completed'),
				);
				await harness.time.advance(3 * MINUTE);
				// Twenty ids are spread over one interval of two seconds, and each good one ends with its first answer.
				expect(lastGood(harness)).toBeLessThanOrEqual(2100);
				for (let index = 0; index < count; index++) {
					expect(endOf(harness, `bad${index}`)!.ended).toMatchObject({
						outcome: 'spoilt',
						result: '?',
						polls: 3,
					});
				}
				expect(harness.emitted).toHaveLength(20);
				expect(Math.max(...harness.emitted.map(({ emittedAtMs }) => emittedAtMs))).toBeLessThan(
					20_000,
				);
				expect(harness.reports).toEqual([]);
			},
		);

		test('slows down polling of its own ID only, while others succeed', async () => {
			const enteredIds = mixed(17, 3, order);
			const harness = open({ enteredIds }, ({ id }) => (isBad(id) ? page : pendingResult));
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
		['a page', page],
		['what is no page', garbled],
	])(
		'for the only ID counts as an unavailable service, and never ends the ID: %s',
		async (_, respond) => {
			const harness = open({ enteredIds: createIds(1) }, () => respond);
			await harness.time.advance(60 * MINUTE);
			expect(harness.emitted).toEqual([]);
			expect(harness.polls.length).toBeLessThan(70);
			expect(harness.reports).toEqual([
				{ kind: 'unavailable', message: respond.kind === 'unrecognized' && respond.message },
			]);
		},
	);

	test('for the only ID never ends it, even if it had a recognized response before', async () => {
		const harness = open({ enteredIds: createIds(1) }, (_, at) =>
			at < 30_000 ? pendingResult : garbled,
		);
		await harness.time.advance(60 * MINUTE);
		expect(harness.emitted).toEqual([]);
	});

	test('for all of many IDs counts as an unavailable service: each is polled once, then polling slows down, and none ends', async () => {
		const harness = open({ enteredIds: createIds(50), latencyMs: 5 }, () => garbled);
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

	test('for all IDs at once, after recognized ones, ends none of them', async () => {
		const harness = open({ enteredIds: createIds(50), latencyMs: 5 }, (_, at) =>
			at < 30_500 ? pendingResult : garbled,
		);
		await harness.time.advance(30 * MINUTE);
		expect(harness.emitted).toEqual([]);
		expect(harness.reports).toHaveLength(1);
	});

	test('for all IDs at once does not end a new ID either', async () => {
		const harness = open({ enteredIds: createIds(50), latencyMs: 5 }, (_, at) =>
			at < 30_500 ? pendingResult : garbled,
		);
		await harness.time.advance(30_400);
		harness.watcher.add(createIds(5, 'new'));
		await harness.time.advance(30 * MINUTE);
		expect(harness.emitted).toEqual([]);
	});

	test('for a new ID does not end it if the others ended before it was added', async () => {
		const harness = open({ enteredIds: createIds(5) }, ({ id }) =>
			id === 'new0' ? garbled : finishedResult('completed'),
		);
		await harness.time.advance(3000);
		harness.watcher.add(createIds(1, 'new'));
		await harness.time.advance(30 * MINUTE);
		expect(endOf(harness, 'new0')).toBeUndefined();
	});

	test('does not count together with those from a time without any recognized response', async () => {
		let isUnavailable = false;
		const harness = open({ enteredIds: mixed(5, 1, 'mixed') }, ({ id }) =>
			isUnavailable || isBad(id) ? garbled : pendingResult,
		);
		await harness.time.advance(3000);
		isUnavailable = true;
		await harness.time.advance(10 * MINUTE);
		expect(harness.emitted).toEqual([]);
		isUnavailable = false;
		const wellFrom = harness.time.nowMs;
		await harness.time.advance(10 * MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['bad0', 'spoilt']]);
		const since = harness.pollTimesOf('bad0').filter((at) => at > wellFrom);
		expect(since).toHaveLength(3);
	});

	test('is forgotten after a recognized one', async () => {
		const harness = open({ enteredIds: mixed(5, 1, 'mixed') }, ({ id, polls }) =>
			isBad(id) && polls % 3 !== 0 ? garbled : pendingResult,
		);
		await harness.time.advance(10 * MINUTE);
		expect(harness.emitted).toEqual([]);
		expect(harness.pollTimesOf('bad0').length).toBeGreaterThan(80);
	});

	test('is reported at the deadline', async () => {
		const harness = open({ enteredIds: mixed(1, 1, 'mixed'), maxWaitMs: MINUTE }, ({ id }) =>
			isBad(id) ? page : pendingResult,
		);
		await harness.time.advance(2 * MINUTE);
		expect(endOf(harness, 'bad0')!.ended).toMatchObject({
			outcome: 'stillOutstanding',
			trouble: 'a web page',
		});
		expect(endOf(harness, 'good0')!.ended.trouble).toBeUndefined();
	});

	test('for a few IDs does not delay IDs that are added later', async () => {
		const enteredIds = mixed(0, 3, 'bad first');
		const harness = open({ enteredIds }, ({ id }) =>
			isBad(id) ? garbled : finishedResult('completed'),
		);
		for (let round = 0; round < 5; round++) {
			harness.watcher.add([{ id: `good${round}` }]);
			await harness.time.advance(1000);
		}
		expect(harness.emitted.filter(({ ended }) => !isBad(ended.id))).toHaveLength(5);
	});
});
