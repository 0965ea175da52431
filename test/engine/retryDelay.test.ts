// Protects the delays between attempts: they double up to a limit, jitter keeps within its share, a requested delay wins.
import fc from 'fast-check';

import { retryDelayMs } from '../../nodes/engine/retryDelay';

describe('retryDelayMs', () => {
	it('doubles from the first delay up to the longest', () => {
		const limits = { firstMs: 2000, maxMs: 30_000 };
		const delays = [1, 2, 3, 4, 5, 6, 5000].map((attempt) => retryDelayMs(attempt, limits));
		expect(delays).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
	});

	it('returns the delay that the service asked for, without jitter and beyond the limits', () => {
		const limits = { firstMs: 1000, maxMs: 2000, jitter: [1, 1.5] as const };
		expect(retryDelayMs(1, limits, 7000)).toBe(7000);
		expect(retryDelayMs(3, limits, 0)).toBe(0);
	});

	it('multiplies with a random factor in the range of the jitter', () => {
		const delaysWithin = (...jitter: [number, number]) =>
			[0, 0.5, 1].map((random) =>
				retryDelayMs(1, { firstMs: 1000, maxMs: 2000, jitter }, undefined, () => random),
			);
		expect(delaysWithin(0.5, 1)).toEqual([500, 750, 1000]);
		expect(delaysWithin(1, 1.2)).toEqual([1000, 1100, 1200]);
	});

	it('uses Math.random by default', () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		expect(retryDelayMs(1, { firstMs: 1000, maxMs: 2000, jitter: [1, 1.1] })).toBe(1050);
		jest.restoreAllMocks();
	});

	it('returns whole milliseconds within the limits, which never shrink from one attempt to the next', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 5000 }),
				fc.nat(1e6),
				fc.nat(1e9),
				fc.double({ min: 0, max: 2, noNaN: true }),
				fc.double({ min: 0, max: 2, noNaN: true }),
				fc.double({ min: 0, max: 1, noNaN: true }),
				(attempt, firstMs, maxMs, from, to, random) => {
					const limits = { firstMs: firstMs + 1, maxMs };
					const full = retryDelayMs(attempt, limits);
					expect(full).toBeGreaterThanOrEqual(Math.min(limits.firstMs, maxMs));
					expect(full).toBeLessThanOrEqual(maxMs);
					expect(retryDelayMs(attempt + 1, limits)).toBe(Math.min(maxMs, 2 * full));
					const jitter = [from, to] as const;
					const delay = retryDelayMs(attempt, { ...limits, jitter }, undefined, () => random);
					expect(Number.isInteger(delay)).toBe(true);
					expect(delay).toBeGreaterThanOrEqual(Math.floor(Math.min(...jitter) * full));
					expect(delay).toBeLessThanOrEqual(Math.ceil(Math.max(...jitter) * full));
				},
			),
		);
	});
});
