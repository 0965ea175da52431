import type { ServiceResponse } from './types';

/** A reset time above this is a moment in seconds since 1970; below, it is a number of seconds. */
const MIN_EPOCH_S = 1e9;

/**
 * Returns a response that reports a rate limit as one with the status 429 and the header Retry-After. Some services reject a
 * request with 403 for that, and most have a header of their own for the time. Retry-After alone does not show that a 403 is one.
 */
export function withRateLimit(response: ServiceResponse, now: number): ServiceResponse {
	const { status, headers } = response;
	if (status !== 429 && status !== 403) return response;
	const retryAfter = headers['retry-after'];
	const remaining = headers['ratelimit-remaining'] ?? headers['x-ratelimit-remaining'];
	if (status === 403 && remaining?.trim() !== '0') return response;
	const reset = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'];
	const seconds = retryAfter ?? secondsUntil(reset, now);
	return { ...response, status: 429, headers: { ...headers, 'retry-after': seconds } };
}

function secondsUntil(reset: string | undefined, now: number): string | undefined {
	const seconds = /^\d+(\.\d+)?$/.test(reset?.trim() ?? '') ? Number(reset) : Number.NaN;
	if (Number.isNaN(seconds)) return undefined;
	const left = seconds < MIN_EPOCH_S ? seconds : seconds - now / 1000;
	return `${Math.max(0, Math.ceil(left))}`;
}
