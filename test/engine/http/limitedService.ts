import { Client, connectionOf } from '../../../nodes/engine/http/client';
import { toPathSegment } from '../../../nodes/engine/http/path';
import type { Request, Service } from '../../../nodes/engine/http/types';
import { runEach } from '../../../nodes/engine/run/each';

// A rate-limited service and its callers in virtual time: the real client and loop over items, no sockets.

/**
 * Decides about a request at a time. A result without `retryAfter` accepts the request; an empty `retryAfter` is a rejection
 * without the header Retry-After.
 */
export type Limiter = (nowMs: number) => { retryAfter?: string };

const ACCEPTED = {};

/** Accepts at most `limit` requests in any `perMs`. Rejected requests do not count. */
export function slidingWindow(limit: number, retryAfter: string, perMs = 1000): Limiter {
	let recentMs: number[] = [];
	return (nowMs) => {
		recentMs = recentMs.filter((sentAt) => sentAt > nowMs - perMs);
		if (recentMs.length >= limit) return { retryAfter };
		recentMs.push(nowMs);
		return ACCEPTED;
	};
}

/** Accepts at most `limit` requests in each period of the clock. */
export function fixedWindow(limit: number, retryAfter: string, perMs = 1000): Limiter {
	let period = -1;
	let count = 0;
	return (nowMs) => {
		const current = Math.floor(nowMs / perMs);
		if (current !== period) [period, count] = [current, 0];
		return count++ < limit ? ACCEPTED : { retryAfter };
	};
}

/** Accepts a request for each token in a bucket of `size` tokens that gains `perSecond`. */
export function tokenBucket(size: number, perSecond: number, retryAfter: string): Limiter {
	let tokens = size;
	let lastMs = 0;
	return (nowMs) => {
		tokens = Math.min(size, tokens + ((nowMs - lastMs) * perSecond) / 1000);
		lastMs = nowMs;
		if (tokens < 1) return { retryAfter };
		tokens--;
		return ACCEPTED;
	};
}

/** Uses one limiter until a moment, and another limiter after it. */
export const switchLimiterAt =
	(limiterBefore: Limiter, atMs: number, limiterAfter: Limiter): Limiter =>
	(nowMs) =>
		nowMs < atMs ? limiterBefore(nowMs) : limiterAfter(nowMs);

export interface Load {
	items: number;
	concurrency: number;
	/** Number of concurrent executions, each with this many items. */
	executions?: number;
	/** Response time of the service. */
	latencyMs?: number;
	/** Whether each execution runs in a process of its own. Pauses are then not shared, but the limit is. */
	inSeparateProcesses?: boolean;
	/** The credential's key; a new one by default. */
	key?: string;
}

export interface LoadResult {
	requests: number;
	/** Number of requests that the service rejected. */
	rejected: number;
	/** Number of items that failed after all attempts. */
	failed: number;
	/** Total time in seconds, rounded to tenths. */
	seconds: number;
	/** Number of requests sent during a pause that the service had asked for. */
	sentDuringPause: number;
}

const service: Service = {
	name: 'toy service',
	credentialType: 'toyApi',
	secretFields: [],
	explain: () => ({}),
};
const request: Request = { method: 'GET', path: '/things/{id}', idempotent: true };
const options = { maxAttempts: 4, maxRetryDelayMs: 60_000, timeoutMs: 60_000 };

let nextCredential = 0;

/** Sends all items and counts the requests. The caller must use Jest's fake timers. */
export async function measureLoad(limiter: Limiter, load: Load): Promise<LoadResult> {
	const { items, concurrency, executions = 1, latencyMs = 20, inSeparateProcesses = false } = load;
	const startMs = performance.now();
	const counts = { requests: 0, rejected: 0, failed: 0, sentDuringPause: 0 };
	const pausedUntil = new Map<string, number>();
	const delay = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
	const sharedKey = load.key ?? `${nextCredential++}`;
	const runExecution = async (number: number): Promise<void> => {
		const key = inSeparateProcesses ? `${sharedKey} ${number}` : sharedKey;
		const client = new Client(
			connectionOf(service, { baseUrl: 'http://127.0.0.1', key }, async () => {
				if (performance.now() < (pausedUntil.get(key) ?? 0)) counts.sentDuringPause++;
				await delay(latencyMs / 2);
				const { retryAfter } = limiter(performance.now() - startMs);
				counts.requests++;
				await delay(latencyMs / 2);
				const headers = { 'content-type': 'application/json' };
				if (retryAfter === undefined) return { statusCode: 200, headers, body: '{}' };
				counts.rejected++;
				const pauseMs = 1000 * Number(retryAfter);
				const pauseEndMs = performance.now() + pauseMs;
				pausedUntil.set(key, Math.max(pauseEndMs, pausedUntil.get(key) ?? 0));
				const retryHeader = retryAfter === '' ? {} : { 'retry-after': retryAfter };
				return { statusCode: 429, headers: { ...headers, ...retryHeader }, body: '{}' };
			}),
			options,
		);
		const ids = Array.from({ length: items }, (_, index) => toPathSegment('ID', index));
		const results = await runEach(
			ids,
			async (id) => {
				await client.send({ ...request, params: { id } });
				return {};
			},
			{ concurrency },
		);
		counts.failed += results.filter((result) => 'error' in result).length;
	};
	const state = { isDone: false };
	const allExecutions = Promise.all(
		Array.from({ length: executions }, (_, index) => runExecution(index)),
	).then(() => {
		state.isDone = true;
	});
	// Gives up if nothing waits for time: a fault in the code could otherwise keep this loop busy for ever.
	for (
		let idleRounds = 0;
		!state.isDone && idleRounds < 100;
		idleRounds = jest.getTimerCount() === 0 ? idleRounds + 1 : 0
	)
		await jest.advanceTimersToNextTimerAsync();
	await allExecutions;
	return { ...counts, seconds: Math.round((performance.now() - startMs) / 100) / 10 };
}
