import { retryDelayMs } from '../retryDelay';

/** Limits of the retries of one request. */
export interface RetryLimits {
	/** Most attempts, the first one included. */
	maxAttempts: number;
	/** Longest delay before a retry, in milliseconds. */
	maxRetryDelayMs: number;
}

/** Facts about a failed attempt that decide whether to retry. */
export interface FailedAttempt {
	/** Status of the response; absent if there was no response, or an unrecognized one. */
	status?: number;
	/** The response's Retry-After header. */
	retryAfter?: string;
	/** Whether a retry is certain to fail in the same way. */
	isPermanent?: boolean;
}

/** Whether to retry, and after which delay. Without a retry, `retryAfterMs` is the delay that the service asked for. */
export type RetryDecision =
	{ shouldRetry: true; waitMs: number } | { shouldRetry: false; retryAfterMs?: number };

/** Delay before the first retry if the response has no Retry-After header. */
export const INITIAL_RETRY_DELAY_MS = 1000;

/**
 * Decides whether and when to retry. A service does not carry out a request that it rejects with 429, so any request may be
 * retried after a 429. After a 5xx or without a response, only an idempotent request may be retried. A retry is never sent
 * earlier than Retry-After. If Retry-After exceeds the longest delay, the request is not retried.
 */
export function decideRetry(
	failed: FailedAttempt,
	attempts: number,
	idempotent: boolean,
	limits: RetryLimits,
	now: number = Date.now(),
	random: () => number = Math.random,
): RetryDecision {
	const { status } = failed;
	const isRateLimited = status === 429;
	const isUnavailable = status === undefined || status >= 500;
	if (failed.isPermanent || !(isRateLimited || (isUnavailable && idempotent))) {
		return { shouldRetry: false };
	}
	const retryAfterMs = parseRetryAfter(failed.retryAfter, now);
	const isTooLong = retryAfterMs !== undefined && retryAfterMs > limits.maxRetryDelayMs;
	if (isTooLong || attempts >= limits.maxAttempts) return { shouldRetry: false, retryAfterMs };
	return {
		shouldRetry: true,
		waitMs: retryDelayMs(
			attempts,
			{ firstMs: INITIAL_RETRY_DELAY_MS, maxMs: limits.maxRetryDelayMs, jitter: [0.5, 1] },
			retryAfterMs,
			random,
		),
	};
}

/** Parses a Retry-After header, in seconds or as a date, to milliseconds from now; `undefined` if the header is neither. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
	const text = header?.trim();
	if (!text) return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	// Date.parse also finds a date in "in 5". That date is in the past and would mean no delay at all.
	const date = /[a-z]/i.test(text) && /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
