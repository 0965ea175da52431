/** How patient a request is. */
export interface RetryLimits {
	/** How often it is sent at most. */
	tries: number;
	/** The longest wait before another try, in milliseconds. */
	longestWaitMs: number;
}

/** What went wrong with one try. */
export interface FailedAttempt {
	/** The status of the answer; absent when there was none. */
	status?: number;
	/** The answer's Retry-After header. */
	retryAfter?: string;
	/** Whether the service says that trying again is pointless. */
	permanent?: boolean;
}

/** What to do after a setback: wait so many milliseconds and try again, or stop. */
export type RetryDecision =
	{ shouldRetry: true; waitMs: number } | { shouldRetry: false; retryAfterMs?: number };

/** The first wait where the service does not say how long. */
export const INITIAL_RETRY_DELAY_MS = 1000;

/**
 * Decides whether and when to try again. A 429 was not carried out, so anything may follow it; after a 5xx or no answer
 * only what is repeatable. Never earlier than the service asked: a longer pause than the longest wait means to stop.
 */
export function decideRetry(
	failed: FailedAttempt,
	attempts: number,
	repeatable: boolean,
	limits: RetryLimits,
	now: number = Date.now(),
	random: () => number = Math.random,
): RetryDecision {
	const { status } = failed;
	const isRateLimited = status === 429;
	const isUnavailable = status === undefined || status >= 500;
	if (failed.permanent || !(isRateLimited || (isUnavailable && repeatable))) {
		return { shouldRetry: false };
	}
	const retryAfterMs = parseRetryAfter(failed.retryAfter, now);
	const isTooLong = retryAfterMs !== undefined && retryAfterMs > limits.longestWaitMs;
	if (isTooLong || attempts >= limits.tries) return { shouldRetry: false, retryAfterMs };
	return {
		shouldRetry: true,
		waitMs: retryAfterMs ?? exponentialDelay(attempts, limits.longestWaitMs, random),
	};
}

/** Doubles with every try up to the longest wait, half of it at random, so that many clients do not come back at once. */
function exponentialDelay(
	attempts: number,
	longestWaitMs: number,
	random: () => number = Math.random,
): number {
	const full = Math.min(longestWaitMs, INITIAL_RETRY_DELAY_MS * 2 ** Math.min(attempts - 1, 30));
	return Math.round(full / 2 + (full / 2) * random());
}

/** Reads a Retry-After header, in seconds or as a date, as milliseconds from now; `undefined` when it says nothing. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
	const text = header?.trim();
	if (!text) return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	// JavaScript finds a date in "in 5", too: one long ago, after which nobody would wait at all.
	const date = /[a-z]/i.test(text) && /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
