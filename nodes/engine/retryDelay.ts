/** Limits of the delays between the attempts of one task. */
export interface RetryDelayLimits {
	/** Delay after the first attempt; it doubles with each further one. */
	firstMs: number;
	/** Longest delay, before `jitter` applies. */
	maxMs: number;
	/** Range of a random factor, so that several clients do not retry in step. */
	jitter?: readonly [from: number, to: number];
}

/**
 * Returns the delay after a failed attempt, the first being 1, in whole milliseconds: the delay that the service asked for, if
 * it did, otherwise one that doubles with each attempt.
 */
export function retryDelayMs(
	attempt: number,
	{ firstMs, maxMs, jitter: [from, to] = [1, 1] }: RetryDelayLimits,
	requestedMs?: number,
	random: () => number = Math.random,
): number {
	const doubledMs = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
	return requestedMs ?? Math.round(doubledMs * (from + (to - from) * random()));
}
