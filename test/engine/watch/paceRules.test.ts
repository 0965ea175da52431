// Protects a failing service from polls: pauses and gaps grow with each fault, shrink again, and an outage is reported once.
import { Pace } from '../../../nodes/engine/watch/pace';
import { WATCH_DEFAULTS } from '../../../nodes/engine/watch/types';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Creates the pace of IDs that are polled every second, with four concurrent requests at most. */
const createPace = (random = 0) =>
	new Pace({ ...WATCH_DEFAULTS, intervalMs: SECOND_MS, maxInFlight: 4 }, () => random);

/** Records a request that fails at once; `watched` is the number of watched IDs. */
const recordFault = (
	pace: Pace,
	nowMs: number,
	{ watched = 10, retryAfterMs = undefined as number | undefined } = {},
) => pace.recordFault({ message: `503 at ${nowMs}`, retryAfterMs }, nowMs, nowMs, watched);
const recordSuccess = (pace: Pace, nowMs: number, { id = 'a', watched = 10 } = {}) =>
	pace.recordGoodPoll(id, nowMs, nowMs, watched);
/** Sends a request long after any pause, and returns the gap that follows it. */
function measureGap(pace: Pace): number {
	const nowMs = 1000 * HOUR_MS;
	pace.recordSent(nowMs, 0, 10);
	return pace.readyAt - nowMs;
}

describe('the pause after a fault', () => {
	test('is one interval, doubles with each fault, and is limited to a minute', () => {
		const pace = createPace();
		let nowMs = 0;
		for (const pauseMs of [1, 2, 4, 8, 16, 32, 60, 60]) {
			recordFault(pace, nowMs);
			expect(pace.readyAt - nowMs).toBe(pauseMs * SECOND_MS);
			nowMs = pace.readyAt;
		}
	});

	test('has a jitter of up to a fifth', () => {
		const pace = createPace(1);
		recordFault(pace, 0);
		expect(pace.readyAt).toBe(1.2 * SECOND_MS);
	});

	test.each([
		['counts if it is longer', 5 * SECOND_MS, 5 * SECOND_MS],
		['counts up to an hour', 61 * MINUTE_MS, HOUR_MS],
		['never shortens a pause', 1, SECOND_MS],
		['is ignored if it is not a number', Number.NaN, SECOND_MS],
	])('follows Retry-After, which %s', (_, retryAfterMs, pauseMs) => {
		const pace = createPace();
		recordFault(pace, 0, { retryAfterMs });
		expect(pace.readyAt).toBe(pauseMs);
	});

	test.each([undefined, Number.NaN])(
		'is not extended by another failure of the same time with the Retry-After %p, but with a valid one',
		(retryAfterMs) => {
			const pace = createPace();
			recordFault(pace, 0);
			expect(pace.recordFault({ message: '503', retryAfterMs }, 0, 5 * SECOND_MS, 10)).toEqual({
				isFirst: false,
			});
			expect(pace.readyAt).toBeLessThanOrEqual(5 * SECOND_MS);
			pace.recordFault({ message: '503', retryAfterMs: SECOND_MS }, 0, 6 * SECOND_MS, 10);
			expect(pace.readyAt).toBe(7 * SECOND_MS);
			recordFault(pace, 7 * SECOND_MS);
			expect(pace.readyAt).toBe(9 * SECOND_MS);
		},
	);

	test('starts again with one interval only after a successful request that was sent since', () => {
		const pace = createPace();
		recordFault(pace, 0);
		pace.recordGoodPoll('a', 0, SECOND_MS, 10);
		expect([pace.currentFaultMessage, pace.maxInFlight, pace.hasDegraded]).toEqual([
			'503 at 0',
			1,
			true,
		]);
		recordSuccess(pace, SECOND_MS);
		expect([pace.currentFaultMessage, pace.maxInFlight, pace.hasDegraded]).toEqual([
			undefined,
			4,
			false,
		]);
		expect(recordFault(pace, 10 * SECOND_MS).isFirst).toBe(true);
		expect(pace.readyAt).toBe(11 * SECOND_MS);
		expect(recordFault(pace, 12 * SECOND_MS).isFirst).toBe(false);
	});
});

describe('the gap between requests', () => {
	test('is zero before the first fault', () => {
		const pace = createPace();
		expect([pace.readyAt, pace.maxInFlight, pace.currentFaultMessage]).toEqual([
			-Infinity,
			4,
			undefined,
		]);
		expect(measureGap(pace)).toBe(0);
	});

	test.each([
		['up to the interval', 10, [200, 400, 800, 1000, 1000]],
		['up to sixteen times the needed gap', 100, [20, 40, 80, 160, 160]],
		['up to the interval for a single ID', 1, [1000, 1000]],
		['up to the interval if no ID is watched', 0, [1000, 1000]],
	])(
		'is twice the needed gap after a fault, and doubles with each fault %s',
		(_, watched, expectedGaps) => {
			const pace = createPace();
			const actualGaps = expectedGaps.map((_gap, round) => {
				recordFault(pace, round * HOUR_MS, { watched });
				return measureGap(pace);
			});
			expect(actualGaps).toEqual(expectedGaps);
		},
	);

	test.each([
		['ten IDs', 10, [160, 128, 102, 82, 66, 52, 0]],
		['one ID', 1, [800, 640, 512, 0]],
		['no ID', 0, [800, 640, 512, 0]],
	])(
		'shrinks by a fifth with each successful interval, and is zero below half of the needed gap: %s',
		(_, watched, expectedGaps) => {
			const pace = createPace();
			recordFault(pace, 0, { watched });
			const actualGaps = expectedGaps.map((_gap, round) => {
				recordSuccess(pace, (round + 1) * SECOND_MS, { watched });
				return Math.round(measureGap(pace));
			});
			expect(actualGaps).toEqual(expectedGaps);
		},
	);

	test('shrinks no sooner than one interval after the fault or the last time it shrank', () => {
		const pace = createPace();
		recordFault(pace, 0);
		const actualGaps = [999, 1000, 1999, 2000].map((nowMs) => {
			recordSuccess(pace, nowMs);
			return measureGap(pace);
		});
		expect(actualGaps).toEqual([200, 160, 160, 128]);
	});
});

describe('reports of an unavailable service', () => {
	const recordThreeFaults = (pace: Pace, from: number) =>
		[0, 1, 2].map((round) => recordFault(pace, from + round).report);

	test('the third failed round is reported once, with its message', () => {
		const pace = createPace();
		expect(recordThreeFaults(pace, 0)).toEqual([
			undefined,
			undefined,
			{ kind: 'unavailable', message: '503 at 2' },
		]);
		expect(recordThreeFaults(pace, 3)).toEqual([undefined, undefined, undefined]);
	});

	test.each([
		[10 * MINUTE_MS, 1],
		[10 * MINUTE_MS - 1, 0],
	])(
		'a new failure is reported only after ten good minutes: after %d ms, %d reports in all',
		(recoveredForMs, reports) => {
			const pace = createPace();
			recordThreeFaults(pace, 0);
			recordSuccess(pace, 3);
			expect(recordThreeFaults(pace, 2 + recoveredForMs).filter(Boolean)).toHaveLength(reports);
		},
	);

	test('a service that never recovered is not reported again, however rarely it is polled', () => {
		const pace = createPace();
		recordThreeFaults(pace, 0);
		expect(recordThreeFaults(pace, 20 * MINUTE_MS).filter(Boolean)).toEqual([]);
	});

	test('a requested pause of more than ten minutes is reported at once', () => {
		expect(recordFault(createPace(), 0, { retryAfterMs: 10 * MINUTE_MS }).report).toBeUndefined();
		expect(recordFault(createPace(), 0, { retryAfterMs: 10 * MINUTE_MS + 1 }).report).toEqual({
			kind: 'unavailable',
			message: '503 at 0',
		});
	});
});

describe('reports of too many IDs', () => {
	const from = 100 * SECOND_MS;
	const lateByMs = SECOND_MS + 1;

	test('polls that are late for half a minute are reported once', () => {
		const pace = createPace();
		expect(pace.recordSent(from, lateByMs, 7)).toBeUndefined();
		expect(pace.recordSent(from + 30 * SECOND_MS - 1, lateByMs, 7)).toBeUndefined();
		expect(pace.recordSent(from + 30 * SECOND_MS, lateByMs, 7)).toEqual({
			kind: 'overloaded',
			watched: 7,
			lateByMs,
		});
		expect(pace.recordSent(from + HOUR_MS, lateByMs, 7)).toBeUndefined();
	});

	test('polls that are late by one interval at most, or for less than half a minute, are not reported', () => {
		const pace = createPace();
		expect(pace.recordSent(from, SECOND_MS, 7)).toBeUndefined();
		expect(pace.recordSent(from + 40 * SECOND_MS, lateByMs, 7)).toBeUndefined();
		pace.recordSent(from + 60 * SECOND_MS, SECOND_MS, 7);
		expect(pace.recordSent(from + 80 * SECOND_MS, lateByMs, 7)).toBeUndefined();
	});
});

describe('the last good response', () => {
	test('is recorded for each ID and for all other IDs', () => {
		const pace = createPace();
		recordSuccess(pace, 1, { id: 'a' });
		recordSuccess(pace, 2, { id: 'a' });
		expect([pace.lastGoodAtOfOthers('a'), pace.lastGoodAtOfOthers('b')]).toEqual([-Infinity, 2]);
		recordSuccess(pace, 3, { id: 'b' });
		expect([
			pace.lastGoodAtOfOthers('a'),
			pace.lastGoodAtOfOthers('b'),
			pace.lastGoodAtOfOthers('c'),
		]).toEqual([3, 2, 3]);
	});

	test('counts as recent for two intervals', () => {
		const pace = createPace();
		recordSuccess(pace, 0, { id: 'a' });
		expect(pace.hadOtherGoodResultRecently('b', 2 * SECOND_MS)).toBe(true);
		expect(pace.hadOtherGoodResultRecently('b', 2 * SECOND_MS + 1)).toBe(false);
	});
});

describe('rejections of single IDs', () => {
	test('concern all IDs once there are as many rejections as IDs since the last good response', () => {
		const pace = createPace();
		expect([1, 2, 3].map(() => pace.recordBadResult(false, 3))).toEqual([false, false, true]);
		recordSuccess(pace, 0);
		expect([1, 2, 3].map(() => pace.recordBadResult(false, 3))).toEqual([false, false, true]);
	});

	test('mark the service as degraded if an ID succeeded before, until the next good response', () => {
		const pace = createPace();
		expect(pace.hasDegraded).toBe(false);
		pace.recordBadResult(false, 3);
		expect(pace.hasDegraded).toBe(false);
		pace.recordBadResult(true, 3);
		pace.recordBadResult(false, 3);
		expect(pace.hasDegraded).toBe(true);
		recordSuccess(pace, 0);
		expect(pace.hasDegraded).toBe(false);
	});
});
