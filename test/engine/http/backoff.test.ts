// Protects retries: which failed requests are sent again, and that each wait follows Retry-After or doubles up to the limit.
import fc from 'fast-check';

import { decideRetry, parseRetryAfter } from '../../../nodes/engine/http/backoff';
import type { FailedAttempt, RetryLimits } from '../../../nodes/engine/http/backoff';

const NOW = Date.UTC(2026, 10, 15, 12);
const limits = { maxAttempts: 4, maxRetryDelayMs: 30_000 };

/** Returns the decision after a number of attempts, with a random number that the test chooses. */
const decide = (
	failedAttempt: FailedAttempt,
	{
		attempts = 1,
		idempotent = true,
		random = 0,
		...limitOverrides
	}: Partial<RetryLimits> & { attempts?: number; idempotent?: boolean; random?: number } = {},
) =>
	decideRetry(
		failedAttempt,
		attempts,
		idempotent,
		{ ...limits, ...limitOverrides },
		NOW,
		() => random,
	);

describe('decideRetry, whether to retry', () => {
	it.each<[FailedAttempt, boolean, boolean]>([
		[{ status: 429 }, true, true],
		[{ status: 429 }, false, true],
		[{ status: 500 }, true, true],
		[{ status: 500 }, false, false],
		[{ status: 503 }, true, true],
		[{ status: 503 }, false, false],
		[{}, true, true],
		[{}, false, false],
		[{ status: 499 }, true, false],
		[{ status: 430 }, true, false],
		[{ status: 428 }, false, false],
		[{ status: 400 }, true, false],
		[{ status: 200 }, true, false],
		[{ status: 429, isPermanent: true }, true, false],
		[{ status: 503, isPermanent: true }, true, false],
		[{ isPermanent: true }, true, false],
	])(
		'after %j with idempotent = %s, shouldRetry is %s',
		(failedAttempt, idempotent, shouldRetry) => {
			expect(decide(failedAttempt, { idempotent }).shouldRetry).toBe(shouldRetry);
		},
	);

	it('does not retry after the last attempt, even if the service sent Retry-After', () => {
		expect(decide({ status: 503 }, { attempts: 3 }).shouldRetry).toBe(true);
		expect(decide({ status: 503 }, { attempts: 4 })).toEqual({ shouldRetry: false });
		expect(decide({ status: 429, retryAfter: '7' }, { attempts: 4 })).toEqual({
			shouldRetry: false,
			retryAfterMs: 7000,
		});
	});
});

describe('decideRetry, how long to wait', () => {
	it('waits for Retry-After, and does not retry if Retry-After exceeds the longest wait', () => {
		const decideAfter = (retryAfter: string) =>
			decide({ status: 429, retryAfter }, { random: 0.9 });
		expect(decideAfter('7')).toEqual({ shouldRetry: true, waitMs: 7000 });
		expect(decideAfter('0')).toEqual({ shouldRetry: true, waitMs: 0 });
		expect(decideAfter('30')).toEqual({ shouldRetry: true, waitMs: 30_000 });
		expect(decideAfter('30.001')).toEqual({ shouldRetry: false, retryAfterMs: 30_001 });
	});

	it('doubles the wait from one second without Retry-After, with jitter of one half', () => {
		const decideAfterEachAttempt = (random: number) =>
			[1, 2, 3, 4, 5, 6, 7].map((attempts) => decide({}, { attempts, random, maxAttempts: 9 }));
		const retriesAfter = (...times: number[]) =>
			times.map((waitMs) => ({ shouldRetry: true, waitMs }));
		expect(decideAfterEachAttempt(0)).toEqual(
			retriesAfter(500, 1000, 2000, 4000, 8000, 15_000, 15_000),
		);
		expect(decideAfterEachAttempt(0.5)).toEqual(
			retriesAfter(750, 1500, 3000, 6000, 12_000, 22_500, 22_500),
		);
		expect(decideAfterEachAttempt(1)).toEqual(
			retriesAfter(1000, 2000, 4000, 8000, 16_000, 30_000, 30_000),
		);
	});

	it('returns whole milliseconds up to the longest wait, after any number of attempts', () => {
		const random = fc.double({ min: 0, max: 1, noNaN: true });
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 5000 }),
				random,
				fc.nat(1e9),
				(attempts, randomNumber, extraDelayMs) => {
					const maxRetryDelayMs = extraDelayMs + 1000;
					const decision = decide(
						{},
						{ attempts, random: randomNumber, maxAttempts: 9999, maxRetryDelayMs },
					);
					const { waitMs } = decision as { waitMs: number };
					expect(Number.isInteger(waitMs)).toBe(true);
					expect(waitMs).toBeGreaterThanOrEqual(500);
					expect(waitMs).toBeLessThanOrEqual(maxRetryDelayMs);
				},
			),
		);
	});

	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});

	it('uses Date.now and Math.random by default', () => {
		jest.spyOn(Math, 'random').mockReturnValue(1);
		jest.useFakeTimers({ now: NOW });
		const retryAfter = new Date(NOW + 5000).toUTCString();
		expect(decideRetry({ status: 503 }, 1, true, limits)).toEqual({
			shouldRetry: true,
			waitMs: 1000,
		});
		expect(decideRetry({ status: 503, retryAfter }, 1, true, limits)).toMatchObject({
			waitMs: 5000,
		});
	});
});

describe('parseRetryAfter', () => {
	it.each([
		['120', 120_000],
		[' 2 ', 2000],
		['0', 0],
		['1.5', 1500],
		['0.0001', 1],
		['Sun, 15 Nov 2026 12:00:30 GMT', 30_000],
		['sun, 15 nov 2026 12:00:30 gmt', 30_000],
		['SUN, 15 NOV 2026 12:00:30 GMT', 30_000],
		['Sun, 15 Nov 2026 12:00:00 GMT', 0],
		['Sun, 15 Nov 2026 11:00:00 GMT', 0],
		['2026-11-15T12:00:01Z', 1000],
	])('reads %j as %d ms', (header, ms) => {
		expect(parseRetryAfter(header, NOW)).toBe(ms);
	});

	it.each([undefined, '', '  ', 'soon', '-5', '1.', '.5', '5 s', 'in 5', '1e3', '+5', '2 - 1'])(
		'ignores %j',
		(header) => {
			expect(parseRetryAfter(header, NOW)).toBeUndefined();
		},
	);
});
