// Protects services from too many polls: interval, limit and Retry-After are kept, and a rejected ID delays no other.
import type { PollResult } from '../../../nodes/engine/watch';
import { WatcherHarness, finishedResult, findGaps, createIds, pendingResult } from './idHarness';

const MINUTE_MS = 60_000;
const unavailableResult: PollResult = { kind: 'unavailable', message: '503 Service Unavailable' };

describe('polling', () => {
	test('starts at once, then is repeated no sooner than the interval, but soon after it', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1), latencyMs: 0 }).start();
		await harness.time.advance(5 * MINUTE_MS);
		const times = harness.listPollTimes('id0');
		expect(times[0]).toBeLessThanOrEqual(5);
		expect(Math.min(...findGaps(times))).toBeGreaterThanOrEqual(2000);
		expect(Math.max(...findGaps(times))).toBeLessThanOrEqual(2205);
		expect(new Set(findGaps(times)).size).toBeGreaterThan(50);
	});

	test('measures the interval from the response, so that slow responses cannot bring two requests together', async () => {
		const options = { enteredIds: createIds(1), latencyMs: 700, intervalMs: 1000 };
		const harness = new WatcherHarness(options).start();
		await harness.time.advance(MINUTE_MS);
		expect(Math.min(...findGaps(harness.listPollTimes('id0')))).toBeGreaterThanOrEqual(1700);
	});

	test('spreads IDs that are added together over one interval', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(100) }).start();
		await harness.time.advance(1999);
		expect(harness.polls).toHaveLength(100);
		expect(harness.listTimesBetween(-1, 200).length).toBeLessThanOrEqual(11);
	});

	test('keeps the limit of concurrent requests, and polls all IDs evenly when it cannot keep up', async () => {
		const options = { enteredIds: createIds(100), latencyMs: 1000, maxInFlight: 7 };
		const harness = new WatcherHarness(options).start();
		await harness.time.advance(3 * MINUTE_MS);
		expect(harness.maxInFlight).toBe(7);
		const counts = createIds(100).map(({ id }) => harness.listPollTimes(id).length);
		expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
		expect(counts.reduce((a, b) => a + b)).toBeGreaterThan(7 * 175);
		expect(harness.reports).toEqual([
			{ kind: 'overloaded', watched: 100, lateByMs: expect.any(Number) as number },
		]);
	});

	test('reaches each of a thousand IDs at least every three seconds', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1000), latencyMs: 15 }).start();
		await harness.time.advance(20_000);
		const longestGaps = createIds(1000).map(({ id }) =>
			Math.max(...findGaps(harness.listPollTimes(id))),
		);
		expect(Math.max(...longestGaps)).toBeLessThanOrEqual(3000);
		expect(harness.reports).toEqual([]);
	});

	test.each([-86_400_000, -3000, 3000, 86_400_000])(
		'keeps its interval when the wall clock is changed by %i ms',
		async (jumpMs) => {
			const harness = new WatcherHarness({
				enteredIds: createIds(3),
				latencyMs: 10,
				maxWaitMs: 10 * MINUTE_MS,
			}).start();
			await harness.time.advance(MINUTE_MS);
			harness.time.wallClockOffsetMs += jumpMs;
			await harness.time.advance(MINUTE_MS);
			for (const { id } of createIds(3)) {
				const times = harness.listPollTimes(id);
				expect(Math.min(...findGaps(times))).toBeGreaterThanOrEqual(2000);
				expect(Math.max(...findGaps(times))).toBeLessThanOrEqual(2300);
			}
			expect(harness.emitted).toEqual([]);
		},
	);
});

describe('a service that is rate-limited or unavailable', () => {
	test('gets no request for any ID before Retry-After has passed', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(20), latencyMs: 5 }).start();
		await harness.time.advance(10_000);
		let rejectedAtMs = 0;
		harness.respond = (_, nowMs) => {
			if (rejectedAtMs > 0) return pendingResult;
			rejectedAtMs = nowMs;
			return { kind: 'rateLimited', retryAfterMs: 100_000 };
		};
		await harness.time.advance(5 * MINUTE_MS);
		const laterTimes = harness.listTimesBetween(rejectedAtMs);
		expect(laterTimes[0]).toBeGreaterThanOrEqual(rejectedAtMs + 100_000);
		expect(laterTimes[0]).toBeLessThan(rejectedAtMs + 101_000);
	});

	test('is paused for the longest of several Retry-After values', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(10), latencyMs: 3000 }).start();
		const retryAfters = [5000, 40_000, 10_000];
		let longestPauseFromMs = 0;
		harness.respond = (_, nowMs) => {
			const retryAfterMs = retryAfters.shift();
			if (retryAfterMs === undefined) return pendingResult;
			if (retryAfterMs === 40_000) longestPauseFromMs = nowMs;
			return { kind: 'rateLimited', retryAfterMs };
		};
		await harness.time.advance(2 * MINUTE_MS);
		const pauseEndMs = longestPauseFromMs + 40_000;
		expect(harness.listTimesBetween(longestPauseFromMs, pauseEndMs)).toEqual([]);
		expect(harness.listTimesBetween(pauseEndMs).length).toBeGreaterThan(0);
	});

	test('is reported at once if it asks for a pause of a day, and polled again after an hour', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(5) }).start();
		await harness.time.advance(10_000);
		let rejectedAtMs = 0;
		harness.respond = (_, nowMs) => {
			rejectedAtMs ||= nowMs;
			return { kind: 'rateLimited', message: 'maintenance', retryAfterMs: 24 * 60 * MINUTE_MS };
		};
		await harness.time.advance(MINUTE_MS);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: 'maintenance' }]);
		harness.respond = () => pendingResult;
		await harness.time.advance(61 * MINUTE_MS);
		const laterTimes = harness.listTimesBetween(rejectedAtMs);
		expect(laterTimes[0]).toBeGreaterThanOrEqual(rejectedAtMs + 60 * MINUTE_MS);
		expect(laterTimes.length).toBeGreaterThan(1);
	});

	test.each([Number.NaN, Infinity, -5000])(
		'is not paused by a Retry-After of %d',
		async (retryAfterMs) => {
			const harness = new WatcherHarness({ enteredIds: createIds(1) }).start();
			let isFirst = true;
			harness.respond = () => {
				if (!isFirst) return pendingResult;
				isFirst = false;
				return { kind: 'rateLimited', retryAfterMs };
			};
			await harness.time.advance(10_000);
			expect(harness.polls.length).toBeGreaterThan(2);
			expect(findGaps(harness.listPollTimes('id0'))[0]).toBeGreaterThanOrEqual(2000);
		},
	);

	test('is polled once per round at growing intervals up to a maximum, and reported once an hour', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(50), latencyMs: 5 }).start();
		await harness.time.advance(10_000);
		const downFromMs = harness.time.nowMs;
		harness.respond = () => unavailableResult;
		await harness.time.advance(60 * MINUTE_MS);
		const pollTimes = harness.listTimesBetween(downFromMs + 5000);
		expect(pollTimes.length).toBeLessThan(70);
		expect(Math.min(...findGaps(pollTimes))).toBeGreaterThanOrEqual(4000);
		expect(Math.max(...findGaps(pollTimes))).toBeLessThanOrEqual(73_000);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: unavailableResult.message }]);

		harness.respond = () => pendingResult;
		await harness.time.advance(2 * MINUTE_MS);
		const upFromMs = harness.listTimesBetween(downFromMs + 60 * MINUTE_MS)[0]!;
		const countInSecond = (second: number) =>
			harness.polls.filter(
				({ polledAtMs }) => Math.floor((polledAtMs - upFromMs) / 1000) === second,
			).length;
		expect(countInSecond(0)).toBeLessThanOrEqual(10);
		for (let second = 0; second < 45; second++)
			expect(countInSecond(second)).toBeLessThanOrEqual(50);
		const recoveredAtMs = upFromMs + MINUTE_MS;
		const laterTimes = harness.listTimesBetween(recoveredAtMs, recoveredAtMs + 22_000);
		expect(laterTimes.length).toBeGreaterThan(450);
		expect(harness.reports).toHaveLength(1);
		expect(harness.emitted).toEqual([]);
	});

	test('gets one request at a time until one has succeeded', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(50), latencyMs: 5000 }).start();
		harness.respond = () => unavailableResult;
		await harness.time.advance(20_000);
		expect(harness.maxInFlight).toBe(10);
		harness.maxInFlight = 0;
		await harness.time.advance(10 * MINUTE_MS);
		expect(harness.maxInFlight).toBe(1);
		harness.respond = () => pendingResult;
		await harness.time.advance(5 * MINUTE_MS);
		expect(harness.maxInFlight).toBe(10);
	});

	test('is not considered available because of a response to a request sent before the failure', async () => {
		const options = { enteredIds: createIds(2), latencyMs: 0, intervalMs: 1000 };
		const harness = new WatcherHarness(options).start();
		harness.respond = async ({ id, pollNumber }) => {
			if (id === 'id1' || pollNumber > 1) return unavailableResult;
			await harness.time.sleep(1000);
			return pendingResult;
		};
		await harness.time.advance(MINUTE_MS);
		const [slow, fault1, fault2, fault3] = harness.polls;
		expect([slow!.id, fault1!.id]).toEqual(['id0', 'id1']);
		expect(fault2!.polledAtMs - fault1!.polledAtMs).toBeGreaterThanOrEqual(1000);
		expect(fault3!.polledAtMs - fault2!.polledAtMs).toBeGreaterThanOrEqual(2000);
	});

	test('is reported once while it fails repeatedly, and again if it fails after ten good minutes', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(5) }).start();
		for (let flap = 0; flap < 20; flap++) {
			harness.respond = () => unavailableResult;
			await harness.time.advance(MINUTE_MS);
			harness.respond = () => pendingResult;
			await harness.time.advance(2 * MINUTE_MS);
		}
		expect(harness.reports).toHaveLength(1);
		await harness.time.advance(11 * MINUTE_MS);
		harness.respond = () => unavailableResult;
		await harness.time.advance(5 * MINUTE_MS);
		expect(harness.reports).toHaveLength(2);
	});

	test('is not reported for a short failure, and ten simultaneous failures count as one', async () => {
		const options = { enteredIds: createIds(10), latencyMs: 2500, intervalMs: 1000 };
		const harness = new WatcherHarness(options).start();
		let failuresLeft = 10;
		harness.respond = () => (failuresLeft-- > 0 ? unavailableResult : pendingResult);
		await harness.time.advance(5 * MINUTE_MS);
		expect(harness.reports).toEqual([]);
		expect(harness.polls.length).toBeGreaterThan(10 * 70);
	});

	test('is not reported if only one ID always fails', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(20), latencyMs: 10 }).start();
		harness.respond = ({ id }) => (id === 'id0' ? unavailableResult : pendingResult);
		await harness.time.advance(10 * MINUTE_MS);
		expect(harness.listPollTimes('id0').length).toBeLessThan(20);
		expect(harness.listPollTimes('id1').length).toBeGreaterThan(220);
		expect(harness.reports).toEqual([]);
	});

	test('is reported if a poll throws an error', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1) }).start();
		harness.respond = () => Promise.reject(new Error('socket hang up'));
		await harness.time.advance(MINUTE_MS);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: 'socket hang up' }]);
		harness.respond = () => finishedResult('completed');
		await harness.time.advance(2 * MINUTE_MS);
		expect(harness.emittedOutcomes()).toEqual([['id0', 'completed']]);
	});
});

describe('IDs that the service rejects individually', () => {
	const badIds = createIds(20, 'bad');
	const goodIds = createIds(40, 'good');
	const isBad = (id: string) => id.startsWith('bad');

	test.each(['failed', 'credentialRejected'] as const)(
		'are polled ever more rarely and delay no other ID: %s',
		async (kind) => {
			const harness = new WatcherHarness({ enteredIds: [...goodIds, ...badIds], latencyMs: 20 });
			harness.respond = ({ id }) => (isBad(id) ? { kind, message: '422' } : pendingResult);
			harness.start();
			await harness.time.advance(10 * MINUTE_MS);
			for (const { id } of goodIds) {
				expect(Math.max(...findGaps(harness.listPollTimes(id)))).toBeLessThan(5000);
			}
			for (const { id } of badIds) {
				expect(harness.listPollTimes(id).length).toBeGreaterThan(1);
				expect(harness.listPollTimes(id).length).toBeLessThan(20);
			}
			expect(harness.reports).toEqual([]);
			expect(harness.stopped).toBeUndefined();
		},
	);

	test('end at their deadline with the reason of the rejection', async () => {
		const enteredIds = [...createIds(1, 'bad'), ...createIds(1, 'good')];
		const harness = new WatcherHarness({ enteredIds, maxWaitMs: MINUTE_MS });
		harness.respond = ({ id }) =>
			isBad(id) ? { kind: 'failed', message: 'no such form' } : pendingResult;
		harness.start();
		await harness.time.advance(2 * MINUTE_MS);
		const troubles = harness.emitted.map(({ ended }) => [ended.id, ended.trouble]);
		expect(troubles.sort()).toEqual([
			['bad0', 'no such form'],
			['good0', undefined],
		]);
	});

	test('count as an unavailable service if there are no other IDs', async () => {
		const harness = new WatcherHarness({ enteredIds: badIds, latencyMs: 20 });
		harness.respond = () => ({ kind: 'failed', message: '422' });
		harness.start();
		await harness.time.advance(10 * MINUTE_MS);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: '422' }]);
		expect(harness.polls.length).toBeLessThan(100);
		harness.respond = () => pendingResult;
		await harness.time.advance(2 * MINUTE_MS);
		const before = harness.polls.length;
		await harness.time.advance(MINUTE_MS);
		expect(harness.polls.length - before).toBeGreaterThan(25 * badIds.length);
	});
});
