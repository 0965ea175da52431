import type { PollResult } from '../../../nodes/engine/watch';
import { WatcherHarness, finishedResult, findGaps, createIds, pendingResult } from './idHarness';

const MINUTE = 60_000;
const unavailable: PollResult = { kind: 'unavailable', message: '503 Service Unavailable' };

describe('polling', () => {
	test('polls at once, then never sooner than the interval, but soon after it', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1), latencyMs: 0 }).start();
		await harness.time.advance(5 * MINUTE);
		const times = harness.pollTimesOf('id0');
		expect(times[0]).toBeLessThanOrEqual(5);
		expect(Math.min(...findGaps(times))).toBeGreaterThanOrEqual(2000);
		expect(Math.max(...findGaps(times))).toBeLessThanOrEqual(2205);
		expect(new Set(findGaps(times)).size).toBeGreaterThan(50);
	});

	test('measures the interval from the response, so that slow responses cannot bring two requests together', async () => {
		const options = { enteredIds: createIds(1), latencyMs: 700, intervalMs: 1000 };
		const harness = new WatcherHarness(options).start();
		await harness.time.advance(MINUTE);
		expect(Math.min(...findGaps(harness.pollTimesOf('id0')))).toBeGreaterThanOrEqual(1700);
	});

	test('spreads IDs that are added together over one interval', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(100) }).start();
		await harness.time.advance(1999);
		expect(harness.polls).toHaveLength(100);
		expect(harness.polls.filter(({ atMs }) => atMs < 200).length).toBeLessThanOrEqual(11);
	});

	test('keeps the limit of concurrent requests, and polls all IDs evenly when it cannot keep up', async () => {
		const options = { enteredIds: createIds(100), latencyMs: 1000, maxInFlight: 7 };
		const harness = new WatcherHarness(options).start();
		await harness.time.advance(3 * MINUTE);
		expect(harness.maxInFlight).toBe(7);
		const counts = createIds(100).map(({ id }) => harness.pollTimesOf(id).length);
		expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
		expect(counts.reduce((a, b) => a + b)).toBeGreaterThan(7 * 175);
		expect(harness.reports).toEqual([
			{ kind: 'overloaded', watched: 100, lateByMs: expect.any(Number) as number },
		]);
	});

	test('polls a thousand IDs every three seconds', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1000), latencyMs: 15 }).start();
		await harness.time.advance(20_000);
		const longest = createIds(1000).map(({ id }) => Math.max(...findGaps(harness.pollTimesOf(id))));
		expect(Math.max(...longest)).toBeLessThanOrEqual(3000);
		expect(harness.reports).toEqual([]);
	});

	test.each([-86_400_000, -3000, 3000, 86_400_000])(
		'continues as before when the wall clock is changed by %i ms',
		async (jump) => {
			const harness = new WatcherHarness({
				enteredIds: createIds(3),
				latencyMs: 10,
				maxWaitMs: 10 * MINUTE,
			}).start();
			await harness.time.advance(MINUTE);
			harness.time.wallClockOffsetMs += jump;
			await harness.time.advance(MINUTE);
			for (const { id } of createIds(3)) {
				const times = harness.pollTimesOf(id);
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
		let rejectedAt = 0;
		harness.respond = (_, now) => {
			if (rejectedAt > 0) return pendingResult;
			rejectedAt = now;
			return { kind: 'rateLimited', retryAfterMs: 100_000 };
		};
		await harness.time.advance(5 * MINUTE);
		const after = harness.polls.filter(({ atMs }) => atMs > rejectedAt);
		expect(after[0]!.atMs).toBeGreaterThanOrEqual(rejectedAt + 100_000);
		expect(after[0]!.atMs).toBeLessThan(rejectedAt + 101_000);
	});

	test('is paused for the longest of several Retry-After values', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(10), latencyMs: 3000 }).start();
		const retryAfters = [5000, 40_000, 10_000];
		let lastAt = 0;
		harness.respond = (_, nowMs) => {
			const retryAfterMs = retryAfters.shift();
			if (retryAfterMs === undefined) return pendingResult;
			if (retryAfterMs === 40_000) lastAt = nowMs;
			return { kind: 'rateLimited', retryAfterMs };
		};
		await harness.time.advance(2 * MINUTE);
		const silent = harness.polls.filter(({ atMs }) => atMs > lastAt && atMs < lastAt + 40_000);
		expect(silent).toEqual([]);
		expect(harness.polls.filter(({ atMs }) => atMs >= lastAt + 40_000).length).toBeGreaterThan(0);
	});

	test('is reported at once if it asks for a pause of a day, and polled again after an hour', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(5) }).start();
		await harness.time.advance(10_000);
		let rejectedAt = 0;
		harness.respond = (_, now) => {
			rejectedAt ||= now;
			return { kind: 'rateLimited', message: 'maintenance', retryAfterMs: 24 * 60 * MINUTE };
		};
		await harness.time.advance(MINUTE);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: 'maintenance' }]);
		harness.respond = () => pendingResult;
		await harness.time.advance(61 * MINUTE);
		const after = harness.polls.filter(({ atMs }) => atMs > rejectedAt);
		expect(after[0]!.atMs).toBeGreaterThanOrEqual(rejectedAt + 60 * MINUTE);
		expect(after.length).toBeGreaterThan(1);
	});

	test.each([Number.NaN, Infinity, -5000])(
		'is not paused by a Retry-After of %d',
		async (retryAfterMs) => {
			const harness = new WatcherHarness({ enteredIds: createIds(1) }).start();
			let once = true;
			harness.respond = () => {
				if (!once) return pendingResult;
				once = false;
				return { kind: 'rateLimited', retryAfterMs };
			};
			await harness.time.advance(10_000);
			expect(harness.polls.length).toBeGreaterThan(2);
			expect(findGaps(harness.pollTimesOf('id0'))[0]).toBeGreaterThanOrEqual(2000);
		},
	);

	test('is polled once per round at growing intervals up to a maximum, and reported once an hour', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(50), latencyMs: 5 }).start();
		await harness.time.advance(10_000);
		const downFrom = harness.time.nowMs;
		harness.respond = () => unavailable;
		await harness.time.advance(60 * MINUTE);
		const pollTimes = harness.polls
			.filter(({ atMs }) => atMs > downFrom + 5000)
			.map(({ atMs }) => atMs);
		expect(pollTimes.length).toBeLessThan(70);
		expect(Math.min(...findGaps(pollTimes))).toBeGreaterThanOrEqual(4000);
		expect(Math.max(...findGaps(pollTimes))).toBeLessThanOrEqual(73_000);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: unavailable.message }]);

		harness.respond = () => pendingResult;
		await harness.time.advance(2 * MINUTE);
		const upFrom = harness.polls.find(({ atMs }) => atMs > downFrom + 60 * MINUTE)!.atMs;
		const perSecond = (second: number) =>
			harness.polls.filter(({ atMs }) => Math.floor((atMs - upFrom) / 1000) === second).length;
		expect(perSecond(0)).toBeLessThanOrEqual(10);
		expect(Math.max(...Array.from({ length: 45 }, (_, s) => perSecond(s)))).toBeLessThanOrEqual(50);
		const late = harness.polls.filter(
			({ atMs }) => atMs > upFrom + MINUTE && atMs <= upFrom + MINUTE + 22_000,
		);
		expect(late.length).toBeGreaterThan(450);
		expect(harness.reports).toHaveLength(1);
		expect(harness.emitted).toEqual([]);
	});

	test('gets one request at a time until one has succeeded', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(50), latencyMs: 5000 }).start();
		harness.respond = () => unavailable;
		await harness.time.advance(20_000);
		expect(harness.maxInFlight).toBe(10);
		harness.maxInFlight = 0;
		await harness.time.advance(10 * MINUTE);
		expect(harness.maxInFlight).toBe(1);
		harness.respond = () => pendingResult;
		await harness.time.advance(5 * MINUTE);
		expect(harness.maxInFlight).toBe(10);
	});

	test('is not considered available because of a response to a request sent before the failure', async () => {
		const harness = new WatcherHarness({
			enteredIds: createIds(2),
			latencyMs: 0,
			intervalMs: 1000,
		}).start();
		harness.respond = async ({ id, polls }) => {
			if (id === 'id1' || polls > 1) return unavailable;
			await harness.time.sleep(1000);
			return pendingResult;
		};
		await harness.time.advance(MINUTE);
		const [slow, fault1, fault2, fault3] = harness.polls;
		expect([slow!.id, fault1!.id]).toEqual(['id0', 'id1']);
		expect(fault2!.atMs - fault1!.atMs).toBeGreaterThanOrEqual(1000);
		expect(fault3!.atMs - fault2!.atMs).toBeGreaterThanOrEqual(2000);
	});

	test('is reported once while it flaps, and again if it fails after ten good minutes', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(5) }).start();
		for (let flap = 0; flap < 20; flap++) {
			harness.respond = () => unavailable;
			await harness.time.advance(MINUTE);
			harness.respond = () => pendingResult;
			await harness.time.advance(2 * MINUTE);
		}
		expect(harness.reports).toHaveLength(1);
		await harness.time.advance(11 * MINUTE);
		harness.respond = () => unavailable;
		await harness.time.advance(5 * MINUTE);
		expect(harness.reports).toHaveLength(2);
	});

	test('is not reported for a short failure, and ten simultaneous failures count as one', async () => {
		const harness = new WatcherHarness({
			enteredIds: createIds(10),
			latencyMs: 2500,
			intervalMs: 1000,
		}).start();
		let left = 10;
		harness.respond = () => (left-- > 0 ? unavailable : pendingResult);
		await harness.time.advance(5 * MINUTE);
		expect(harness.reports).toEqual([]);
		expect(harness.polls.length).toBeGreaterThan(10 * 70);
	});

	test('is not assumed if only one ID always fails', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(20), latencyMs: 10 }).start();
		harness.respond = ({ id }) => (id === 'id0' ? unavailable : pendingResult);
		await harness.time.advance(10 * MINUTE);
		expect(harness.pollTimesOf('id0').length).toBeLessThan(20);
		expect(harness.pollTimesOf('id1').length).toBeGreaterThan(220);
		expect(harness.reports).toEqual([]);
	});

	test('is assumed if a poll rejects', async () => {
		const harness = new WatcherHarness({ enteredIds: createIds(1) }).start();
		harness.respond = () => Promise.reject(new Error('socket hang up'));
		await harness.time.advance(MINUTE);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: 'socket hang up' }]);
		harness.respond = () => finishedResult('completed');
		await harness.time.advance(2 * MINUTE);
		expect(harness.emittedOutcomes()).toEqual([['id0', 'completed']]);
	});
});

describe('IDs that the service rejects individually', () => {
	const bad = createIds(20, 'bad');
	const good = createIds(40, 'good');
	const isBad = (id: string) => id.startsWith('bad');

	test.each(['failed', 'credentialRejected'] as const)(
		'are polled ever more rarely and delay no other ID: %s',
		async (kind) => {
			const harness = new WatcherHarness({ enteredIds: [...good, ...bad], latencyMs: 20 });
			harness.respond = ({ id }) => (isBad(id) ? { kind, message: '422' } : pendingResult);
			harness.start();
			await harness.time.advance(10 * MINUTE);
			for (const { id } of good) {
				expect(Math.max(...findGaps(harness.pollTimesOf(id)))).toBeLessThan(5000);
			}
			for (const { id } of bad) {
				expect(harness.pollTimesOf(id).length).toBeGreaterThan(1);
				expect(harness.pollTimesOf(id).length).toBeLessThan(20);
			}
			expect(harness.reports).toEqual([]);
			expect(harness.stopped).toBeUndefined();
		},
	);

	test('report at their deadline why the service rejected them', async () => {
		const enteredIds = [...createIds(1, 'bad'), ...createIds(1, 'good')];
		const harness = new WatcherHarness({ enteredIds, maxWaitMs: MINUTE });
		harness.respond = ({ id }) =>
			isBad(id) ? { kind: 'failed', message: 'no such form' } : pendingResult;
		harness.start();
		await harness.time.advance(2 * MINUTE);
		const troubles = harness.emitted.map(({ ended }) => [ended.id, ended.trouble]);
		expect(troubles.sort()).toEqual([
			['bad0', 'no such form'],
			['good0', undefined],
		]);
	});

	test('count as an unavailable service if there are no other IDs', async () => {
		const harness = new WatcherHarness({ enteredIds: bad, latencyMs: 20 });
		harness.respond = () => ({ kind: 'failed', message: '422' });
		harness.start();
		await harness.time.advance(10 * MINUTE);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: '422' }]);
		expect(harness.polls.length).toBeLessThan(100);
		harness.respond = () => pendingResult;
		await harness.time.advance(2 * MINUTE);
		const before = harness.polls.length;
		await harness.time.advance(MINUTE);
		expect(harness.polls.length - before).toBeGreaterThan(25 * bad.length);
	});
});
