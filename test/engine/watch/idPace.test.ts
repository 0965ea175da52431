import type { PollResult } from '../../../nodes/engine/watch';
import { WatcherHarness, finished, gaps, ids, pending } from './idHarness';

const MINUTE = 60_000;
const unavailable: PollResult = { kind: 'unavailable', message: '503 Service Unavailable' };

describe('polling', () => {
	test('polls at once, then never sooner than the interval, but soon after it', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(1), latency: 0 }).start();
		await harness.time.pass(5 * MINUTE);
		const times = harness.timesOf('id0');
		expect(times[0]).toBeLessThanOrEqual(5);
		expect(Math.min(...gaps(times))).toBeGreaterThanOrEqual(2000);
		expect(Math.max(...gaps(times))).toBeLessThanOrEqual(2205);
		expect(new Set(gaps(times)).size).toBeGreaterThan(50);
	});

	test('measures the interval from the response, so that slow responses cannot bring two requests together', async () => {
		const options = { enteredIds: ids(1), latency: 700, intervalMs: 1000 };
		const harness = new WatcherHarness(options).start();
		await harness.time.pass(MINUTE);
		expect(Math.min(...gaps(harness.timesOf('id0')))).toBeGreaterThanOrEqual(1700);
	});

	test('spreads IDs that are added together over one interval', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(100) }).start();
		await harness.time.pass(1999);
		expect(harness.polls).toHaveLength(100);
		expect(harness.polls.filter(({ at }) => at < 200).length).toBeLessThanOrEqual(11);
	});

	test('keeps the limit of concurrent requests, and polls all IDs evenly when it cannot keep up', async () => {
		const options = { enteredIds: ids(100), latency: 1000, maxInFlight: 7 };
		const harness = new WatcherHarness(options).start();
		await harness.time.pass(3 * MINUTE);
		expect(harness.mostInFlight).toBe(7);
		const counts = ids(100).map(({ id }) => harness.timesOf(id).length);
		expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
		expect(counts.reduce((a, b) => a + b)).toBeGreaterThan(7 * 175);
		expect(harness.reports).toEqual([
			{ kind: 'overloaded', watched: 100, lateByMs: expect.any(Number) as number },
		]);
	});

	test('polls a thousand IDs every three seconds', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(1000), latency: 15 }).start();
		await harness.time.pass(20_000);
		const longest = ids(1000).map(({ id }) => Math.max(...gaps(harness.timesOf(id))));
		expect(Math.max(...longest)).toBeLessThanOrEqual(3000);
		expect(harness.reports).toEqual([]);
	});

	test.each([-86_400_000, -3000, 3000, 86_400_000])(
		'continues as before when the wall clock is changed by %i ms',
		async (jump) => {
			const harness = new WatcherHarness({
				enteredIds: ids(3),
				latency: 10,
				maxWaitMs: 10 * MINUTE,
			}).start();
			await harness.time.pass(MINUTE);
			harness.time.ahead += jump;
			await harness.time.pass(MINUTE);
			for (const { id } of ids(3)) {
				const times = harness.timesOf(id);
				expect(Math.min(...gaps(times))).toBeGreaterThanOrEqual(2000);
				expect(Math.max(...gaps(times))).toBeLessThanOrEqual(2300);
			}
			expect(harness.emitted).toEqual([]);
		},
	);
});

describe('a service that is rate-limited or unavailable', () => {
	test('gets no request for any ID before Retry-After has passed', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(20), latency: 5 }).start();
		await harness.time.pass(10_000);
		let rejectedAt = 0;
		harness.respond = (_, at) => {
			if (rejectedAt > 0) return pending;
			rejectedAt = at;
			return { kind: 'rateLimited', retryAfterMs: 100_000 };
		};
		await harness.time.pass(5 * MINUTE);
		const after = harness.polls.filter(({ at }) => at > rejectedAt);
		expect(after[0]!.at).toBeGreaterThanOrEqual(rejectedAt + 100_000);
		expect(after[0]!.at).toBeLessThan(rejectedAt + 101_000);
	});

	test('is paused for the longest of several Retry-After values', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(10), latency: 3000 }).start();
		const asked = [5000, 40_000, 10_000];
		let lastAt = 0;
		harness.respond = (_, at) => {
			const retryAfterMs = asked.shift();
			if (retryAfterMs === undefined) return pending;
			if (retryAfterMs === 40_000) lastAt = at;
			return { kind: 'rateLimited', retryAfterMs };
		};
		await harness.time.pass(2 * MINUTE);
		const silent = harness.polls.filter(({ at }) => at > lastAt && at < lastAt + 40_000);
		expect(silent).toEqual([]);
		expect(harness.polls.filter(({ at }) => at >= lastAt + 40_000).length).toBeGreaterThan(0);
	});

	test('that asks for a pause of a day is reported at once, and polled again after an hour', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(5) }).start();
		await harness.time.pass(10_000);
		let rejectedAt = 0;
		harness.respond = (_, at) => {
			rejectedAt ||= at;
			return { kind: 'rateLimited', message: 'maintenance', retryAfterMs: 24 * 60 * MINUTE };
		};
		await harness.time.pass(MINUTE);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: 'maintenance' }]);
		harness.respond = () => pending;
		await harness.time.pass(61 * MINUTE);
		const after = harness.polls.filter(({ at }) => at > rejectedAt);
		expect(after[0]!.at).toBeGreaterThanOrEqual(rejectedAt + 60 * MINUTE);
		expect(after.length).toBeGreaterThan(1);
	});

	test.each([Number.NaN, Infinity, -5000])(
		'is not paused by a Retry-After of %d',
		async (retryAfterMs) => {
			const harness = new WatcherHarness({ enteredIds: ids(1) }).start();
			let once = true;
			harness.respond = () => {
				if (!once) return pending;
				once = false;
				return { kind: 'rateLimited', retryAfterMs };
			};
			await harness.time.pass(10_000);
			expect(harness.polls.length).toBeGreaterThan(2);
			expect(gaps(harness.timesOf('id0'))[0]).toBeGreaterThanOrEqual(2000);
		},
	);

	test('is polled once per round at growing intervals up to a maximum, and reported once an hour', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(50), latency: 5 }).start();
		await harness.time.pass(10_000);
		const downFrom = harness.time.at;
		harness.respond = () => unavailable;
		await harness.time.pass(60 * MINUTE);
		const asked = harness.polls.filter(({ at }) => at > downFrom + 5000).map(({ at }) => at);
		expect(asked.length).toBeLessThan(70);
		expect(Math.min(...gaps(asked))).toBeGreaterThanOrEqual(4000);
		expect(Math.max(...gaps(asked))).toBeLessThanOrEqual(73_000);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: unavailable.message }]);

		harness.respond = () => pending;
		await harness.time.pass(2 * MINUTE);
		const upFrom = harness.polls.find(({ at }) => at > downFrom + 60 * MINUTE)!.at;
		const perSecond = (second: number) =>
			harness.polls.filter(({ at }) => Math.floor((at - upFrom) / 1000) === second).length;
		expect(perSecond(0)).toBeLessThanOrEqual(10);
		expect(Math.max(...Array.from({ length: 45 }, (_, s) => perSecond(s)))).toBeLessThanOrEqual(50);
		const late = harness.polls.filter(
			({ at }) => at > upFrom + MINUTE && at <= upFrom + MINUTE + 22_000,
		);
		expect(late.length).toBeGreaterThan(450);
		expect(harness.reports).toHaveLength(1);
		expect(harness.emitted).toEqual([]);
	});

	test('gets one request at a time until one has succeeded', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(50), latency: 5000 }).start();
		harness.respond = () => unavailable;
		await harness.time.pass(20_000);
		expect(harness.mostInFlight).toBe(10);
		harness.mostInFlight = 0;
		await harness.time.pass(10 * MINUTE);
		expect(harness.mostInFlight).toBe(1);
		harness.respond = () => pending;
		await harness.time.pass(5 * MINUTE);
		expect(harness.mostInFlight).toBe(10);
	});

	test('is not considered available because of a response to a request sent before the failure', async () => {
		const harness = new WatcherHarness({
			enteredIds: ids(2),
			latency: 0,
			intervalMs: 1000,
		}).start();
		harness.respond = async ({ id, polls }) => {
			if (id === 'id1' || polls > 1) return unavailable;
			await harness.time.sleep(1000);
			return pending;
		};
		await harness.time.pass(MINUTE);
		const [slow, fault1, fault2, fault3] = harness.polls;
		expect([slow!.id, fault1!.id]).toEqual(['id0', 'id1']);
		expect(fault2!.at - fault1!.at).toBeGreaterThanOrEqual(1000);
		expect(fault3!.at - fault2!.at).toBeGreaterThanOrEqual(2000);
	});

	test('is reported once while it flaps, and again if it fails after ten good minutes', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(5) }).start();
		for (let flap = 0; flap < 20; flap++) {
			harness.respond = () => unavailable;
			await harness.time.pass(MINUTE);
			harness.respond = () => pending;
			await harness.time.pass(2 * MINUTE);
		}
		expect(harness.reports).toHaveLength(1);
		await harness.time.pass(11 * MINUTE);
		harness.respond = () => unavailable;
		await harness.time.pass(5 * MINUTE);
		expect(harness.reports).toHaveLength(2);
	});

	test('is not reported for a short failure, and ten simultaneous failures count as one', async () => {
		const harness = new WatcherHarness({
			enteredIds: ids(10),
			latency: 2500,
			intervalMs: 1000,
		}).start();
		let left = 10;
		harness.respond = () => (left-- > 0 ? unavailable : pending);
		await harness.time.pass(5 * MINUTE);
		expect(harness.reports).toEqual([]);
		expect(harness.polls.length).toBeGreaterThan(10 * 70);
	});

	test('is not assumed if only one ID always fails', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(20), latency: 10 }).start();
		harness.respond = ({ id }) => (id === 'id0' ? unavailable : pending);
		await harness.time.pass(10 * MINUTE);
		expect(harness.timesOf('id0').length).toBeLessThan(20);
		expect(harness.timesOf('id1').length).toBeGreaterThan(220);
		expect(harness.reports).toEqual([]);
	});

	test('is assumed if a poll rejects', async () => {
		const harness = new WatcherHarness({ enteredIds: ids(1) }).start();
		harness.respond = () => Promise.reject(new Error('socket hang up'));
		await harness.time.pass(MINUTE);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: 'socket hang up' }]);
		harness.respond = () => finished('completed');
		await harness.time.pass(2 * MINUTE);
		expect(harness.outcomes()).toEqual([['id0', 'completed']]);
	});
});

describe('IDs that the service rejects individually', () => {
	const bad = ids(50, 'bad');
	const good = ids(100, 'good');
	const isBad = (id: string) => id.startsWith('bad');

	test.each(['failed', 'credentialRejected'] as const)(
		'that are %s are polled more and more rarely, and delay no other ID',
		async (kind) => {
			const harness = new WatcherHarness({ enteredIds: [...good, ...bad], latency: 20 });
			harness.respond = ({ id }) => (isBad(id) ? { kind, message: '422' } : pending);
			harness.start();
			await harness.time.pass(10 * MINUTE);
			for (const { id } of good) {
				expect(Math.max(...gaps(harness.timesOf(id)))).toBeLessThan(5000);
			}
			for (const { id } of bad) {
				expect(harness.timesOf(id).length).toBeGreaterThan(1);
				expect(harness.timesOf(id).length).toBeLessThan(20);
			}
			expect(harness.reports).toEqual([]);
			expect(harness.stopped).toBeUndefined();
		},
	);

	test('report at their deadline why the service rejected them', async () => {
		const enteredIds = [...ids(1, 'bad'), ...ids(1, 'good')];
		const harness = new WatcherHarness({ enteredIds, maxWaitMs: MINUTE });
		harness.respond = ({ id }) =>
			isBad(id) ? { kind: 'failed', message: 'no such form' } : pending;
		harness.start();
		await harness.time.pass(2 * MINUTE);
		const troubles = harness.emitted.map(({ ended }) => [ended.id, ended.trouble]);
		expect(troubles.sort()).toEqual([
			['bad0', 'no such form'],
			['good0', undefined],
		]);
	});

	test('count as an unavailable service if there are no other IDs', async () => {
		const harness = new WatcherHarness({ enteredIds: bad, latency: 20 });
		harness.respond = () => ({ kind: 'failed', message: '422' });
		harness.start();
		await harness.time.pass(10 * MINUTE);
		expect(harness.reports).toEqual([{ kind: 'unavailable', message: '422' }]);
		expect(harness.polls.length).toBeLessThan(100);
		harness.respond = () => pending;
		await harness.time.pass(2 * MINUTE);
		const before = harness.polls.length;
		await harness.time.pass(MINUTE);
		expect(harness.polls.length - before).toBeGreaterThan(1000);
	});
});
