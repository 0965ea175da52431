// Protects the estimate of a service's time: one wrong Date header does not move it, and a clock set back is reported.
import { ServiceClock } from '../../../../nodes/engine/trigger/lists/core/serviceClock';

const HOUR = 3_600_000;

describe('ServiceClock', () => {
	test("starts at the service's Date header and advances by the monotonic clock", () => {
		const clock = new ServiceClock();
		expect(clock.timeAt(1000)).toBeUndefined();
		expect(clock.observe(5_000_000, 1000)).toBe(5_000_000);
		expect(clock.timeAt(3000)).toBe(5_002_000);
		expect(clock.observe(5_020_000, 3000)).toBe(5_020_000);
		expect(clock.timeAt(3000)).toBe(5_020_000);
	});

	test('uses the earlier of two contradicting dates until the later one is confirmed', () => {
		const clock = new ServiceClock();
		clock.observe(5_000_000, 0);
		expect(clock.observe(5_000_000 + HOUR, 1000)).toBe(5_001_000);
		expect(clock.observe(5_002_000, 2000)).toBe(5_002_000);
		expect(clock.observe(5_000_000 + HOUR, 3000)).toBe(5_003_000);
		expect(clock.observe(5_001_000 + HOUR, 4000)).toBe(5_001_000 + HOUR);
		expect(clock.observe(5_002_000 + HOUR, 5000)).toBe(5_002_000 + HOUR);
	});

	test('uses an earlier date at once, and adopts it when a second response confirms it', () => {
		const clock = new ServiceClock();
		clock.observe(5_000_000, 0);
		expect(clock.observe(4_000_000, 1000)).toBe(4_000_000);
		expect(clock.timeAt(1000)).toBe(5_001_000);
		clock.observe(4_001_000, 2000);
		expect(clock.timeAt(2000)).toBe(4_001_000);
	});

	test('accepts a date that deviates by at most 30 seconds from the expected time', () => {
		const observeDeviation = (deviationMs: number) => {
			const clock = new ServiceClock();
			clock.observe(0, 0);
			return clock.observe(1000 + deviationMs, 1000);
		};
		expect(observeDeviation(30_000)).toBe(31_000);
		expect(observeDeviation(30_001)).toBe(1000);
		expect(observeDeviation(-30_000)).toBe(-29_000);
	});

	test('accepts a deviating date if it differs by at most 30 seconds from the last deviating date', () => {
		const observeSecondDeviation = (differenceMs: number) => {
			const clock = new ServiceClock();
			clock.observe(0, 0);
			clock.observe(HOUR, 0);
			return clock.observe(HOUR + differenceMs, 0);
		};
		expect(observeSecondDeviation(30_000)).toBe(HOUR + 30_000);
		expect(observeSecondDeviation(-30_000)).toBe(HOUR - 30_000);
		expect(observeSecondDeviation(30_001)).toBe(0);
	});

	test('reports a clock that was set back once a second response confirms it, at most once a day', () => {
		const reportedMs: number[] = [];
		const clock = new ServiceClock((byMs) => reportedMs.push(byMs));
		/** Observes two responses of a clock with this offset from the local one. */
		const observeTwice = (offsetMs: number, localMs: number) => {
			clock.observe(offsetMs + localMs, localMs);
			clock.observe(offsetMs + localMs, localMs);
		};
		observeTwice(0, 0);
		clock.observe(-HOUR, 0);
		expect(reportedMs).toEqual([]);
		clock.observe(-HOUR, 0);
		expect(reportedMs).toEqual([HOUR]);
		observeTwice(-3 * HOUR, 24 * HOUR - 1);
		expect(reportedMs).toEqual([HOUR]);
		observeTwice(-6 * HOUR, 24 * HOUR);
		expect(reportedMs).toEqual([HOUR, 3 * HOUR]);
	});

	test('does not report a clock that was set ahead', () => {
		const reportedMs: number[] = [];
		const clock = new ServiceClock((byMs) => reportedMs.push(byMs));
		for (const date of [0, HOUR, HOUR]) clock.observe(date, 0);
		expect(clock.timeAt(0)).toBe(HOUR);
		expect(reportedMs).toEqual([]);
	});
});
