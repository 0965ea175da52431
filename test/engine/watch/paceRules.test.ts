import { Pace } from '../../../nodes/engine/watch/pace';
import { WATCH_DEFAULTS } from '../../../nodes/engine/watch/types';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Creates the pace of IDs that are polled every second, with four concurrent requests at most. */
const newPace = (random = 0) =>
	new Pace({ ...WATCH_DEFAULTS, intervalMs: SECOND, maxInFlight: 4 }, () => random);

/** Records a request that fails at once, for one of `watched` IDs. */
const recordFault = (
	pace: Pace,
	now: number,
	{ watched = 10, retryAfterMs = undefined as number | undefined } = {},
) => pace.recordFault({ message: `503 at ${now}`, retryAfterMs }, now, now, watched);
const recordSuccess = (pace: Pace, now: number, { id = 'a', watched = 10 } = {}) =>
	pace.recordGoodPoll(id, now, now, watched);
/** Returns the gap after a request that was sent without a pause. */
function gapOf(pace: Pace): number {
	const now = 1000 * HOUR;
	pace.recordSent(now, 0, 10);
	return pace.readyAt - now;
}

describe('the pause after a fault', () => {
	test('is one interval, doubles with each fault and is limited by the longest pause', () => {
		const pace = newPace();
		let nowMs = 0;
		for (const pause of [1, 2, 4, 8, 16, 32, 60, 60]) {
			recordFault(pace, nowMs);
			expect(pace.readyAt - nowMs).toBe(pause * SECOND);
			nowMs = pace.readyAt;
		}
	});

	test('has a jitter of up to a fifth', () => {
		const pace = newPace(1);
		recordFault(pace, 0);
		expect(pace.readyAt).toBe(1.2 * SECOND);
	});

	test.each([
		['counts if it is longer', 5 * SECOND, 5 * SECOND],
		['counts up to an hour', 61 * MINUTE, HOUR],
		['never shortens a pause', 1, SECOND],
		['is ignored if it is not a number', Number.NaN, SECOND],
	])('follows Retry-After, which %s', (_, retryAfterMs, pause) => {
		const pace = newPace();
		recordFault(pace, 0, { retryAfterMs });
		expect(pace.readyAt).toBe(pause);
	});

	test.each([undefined, Number.NaN])(
		'is not extended by a request that was sent with the failed one, unless its response asks for it: %p',
		(retryAfterMs) => {
			const pace = newPace();
			recordFault(pace, 0);
			expect(pace.recordFault({ message: '503', retryAfterMs }, 0, 5 * SECOND, 10)).toEqual({
				isFirst: false,
			});
			expect(pace.readyAt).toBeLessThanOrEqual(5 * SECOND);
			pace.recordFault({ message: '503', retryAfterMs: SECOND }, 0, 6 * SECOND, 10);
			expect(pace.readyAt).toBe(7 * SECOND);
			recordFault(pace, 7 * SECOND);
			expect(pace.readyAt).toBe(9 * SECOND);
		},
	);

	test('starts again with one interval only after a successful request that was sent since', () => {
		const pace = newPace();
		recordFault(pace, 0);
		pace.recordGoodPoll('a', 0, SECOND, 10);
		expect([pace.currentFaultMessage, pace.maxInFlight, pace.hasDegraded]).toEqual([
			'503 at 0',
			1,
			true,
		]);
		recordSuccess(pace, SECOND);
		expect([pace.currentFaultMessage, pace.maxInFlight, pace.hasDegraded]).toEqual([
			undefined,
			4,
			false,
		]);
		expect(recordFault(pace, 10 * SECOND).isFirst).toBe(true);
		expect(pace.readyAt).toBe(11 * SECOND);
		expect(recordFault(pace, 12 * SECOND).isFirst).toBe(false);
	});
});

describe('the gap between requests', () => {
	test('is zero before the first fault', () => {
		const pace = newPace();
		expect([pace.readyAt, pace.maxInFlight, pace.currentFaultMessage]).toEqual([
			-Infinity,
			4,
			undefined,
		]);
		expect(gapOf(pace)).toBe(0);
	});

	test.each([
		['up to the interval', 10, [200, 400, 800, 1000, 1000]],
		['up to sixteen times what is needed', 100, [20, 40, 80, 160, 160]],
		['for a single id too', 1, [1000, 1000]],
		['as for a single one if none is watched', 0, [1000, 1000]],
	])('is twice what all IDs need, and doubles %s', (_, watched, expectedGaps) => {
		const pace = newPace();
		const actualGaps = expectedGaps.map((_gap, round) => {
			recordFault(pace, round * HOUR, { watched });
			return gapOf(pace);
		});
		expect(actualGaps).toEqual(expectedGaps);
	});

	test.each([
		['ten', 10, [160, 128, 102, 82, 66, 52, 0]],
		['one', 1, [800, 640, 512, 0]],
		['none', 0, [800, 640, 512, 0]],
	])(
		'shrinks by a fifth with each successful interval, down to half of what is needed: %s',
		(_, watched, expectedGaps) => {
			const pace = newPace();
			recordFault(pace, 0, { watched });
			const actualGaps = expectedGaps.map((_gap, round) => {
				recordSuccess(pace, (round + 1) * SECOND, { watched });
				return Math.round(gapOf(pace));
			});
			expect(actualGaps).toEqual(expectedGaps);
		},
	);

	test('shrinks no sooner than one interval after the fault or the last time it shrank', () => {
		const pace = newPace();
		recordFault(pace, 0);
		const actualGaps = [999, 1000, 1999, 2000].map((now) => {
			recordSuccess(pace, now);
			return gapOf(pace);
		});
		expect(actualGaps).toEqual([200, 160, 160, 128]);
	});
});

describe('reports of an unavailable service', () => {
	const recordThreeFaults = (pace: Pace, from: number) =>
		[0, 1, 2].map((round) => recordFault(pace, from + round).report);

	test('the third failed round is reported once, with its message', () => {
		const pace = newPace();
		expect(recordThreeFaults(pace, 0)).toEqual([
			undefined,
			undefined,
			{ kind: 'unavailable', message: '503 at 2' },
		]);
		expect(recordThreeFaults(pace, 3)).toEqual([undefined, undefined, undefined]);
	});

	test.each([
		[10 * MINUTE, 1],
		[10 * MINUTE - 1, 0],
	])(
		'a new failure is reported only after ten good minutes: after %d ms, %d reports in all',
		(recoveredForMs, reports) => {
			const pace = newPace();
			recordThreeFaults(pace, 0);
			recordSuccess(pace, 3);
			expect(recordThreeFaults(pace, 2 + recoveredForMs).filter(Boolean)).toHaveLength(reports);
		},
	);

	test('a service that never recovered is not reported again, however rarely it is polled', () => {
		const pace = newPace();
		recordThreeFaults(pace, 0);
		expect(recordThreeFaults(pace, 20 * MINUTE).filter(Boolean)).toEqual([]);
	});

	test('a requested pause of more than ten minutes is reported at once', () => {
		expect(recordFault(newPace(), 0, { retryAfterMs: 10 * MINUTE }).report).toBeUndefined();
		expect(recordFault(newPace(), 0, { retryAfterMs: 10 * MINUTE + 1 }).report).toEqual({
			kind: 'unavailable',
			message: '503 at 0',
		});
	});
});

describe('reports of too many IDs', () => {
	const from = 100 * SECOND;
	const late = SECOND + 1;

	test('polls that are late for half a minute are reported once', () => {
		const pace = newPace();
		expect(pace.recordSent(from, late, 7)).toBeUndefined();
		expect(pace.recordSent(from + 30 * SECOND - 1, late, 7)).toBeUndefined();
		expect(pace.recordSent(from + 30 * SECOND, late, 7)).toEqual({
			kind: 'overloaded',
			watched: 7,
			lateByMs: late,
		});
		expect(pace.recordSent(from + HOUR, late, 7)).toBeUndefined();
	});

	test('polls that are late for one interval, or with one in time, are not reported', () => {
		const pace = newPace();
		expect(pace.recordSent(from, SECOND, 7)).toBeUndefined();
		expect(pace.recordSent(from + 40 * SECOND, late, 7)).toBeUndefined();
		pace.recordSent(from + 60 * SECOND, SECOND, 7);
		expect(pace.recordSent(from + 80 * SECOND, late, 7)).toBeUndefined();
	});
});

describe('the last good response', () => {
	test('is recorded for each ID and for all other IDs', () => {
		const pace = newPace();
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
		const pace = newPace();
		recordSuccess(pace, 0, { id: 'a' });
		expect(pace.hadOtherGoodResultRecently('b', 2 * SECOND)).toBe(true);
		expect(pace.hadOtherGoodResultRecently('b', 2 * SECOND + 1)).toBe(false);
	});
});

describe('rejections of single IDs', () => {
	test('concern all IDs when there were as many as IDs since the last good response', () => {
		const pace = newPace();
		expect([1, 2, 3].map(() => pace.countBadResult(false, 3))).toEqual([false, false, true]);
		recordSuccess(pace, 0);
		expect([1, 2, 3].map(() => pace.countBadResult(false, 3))).toEqual([false, false, true]);
	});

	test('mark the service as degraded if an ID succeeded before, until the next good response', () => {
		const pace = newPace();
		expect(pace.hasDegraded).toBe(false);
		pace.countBadResult(false, 3);
		expect(pace.hasDegraded).toBe(false);
		pace.countBadResult(true, 3);
		pace.countBadResult(false, 3);
		expect(pace.hasDegraded).toBe(true);
		recordSuccess(pace, 0);
		expect(pace.hasDegraded).toBe(false);
	});
});
