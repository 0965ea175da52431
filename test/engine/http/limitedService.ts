import { Client, connectionOf } from '../../../nodes/engine/http/client';
import { toPathSegment } from '../../../nodes/engine/http/path';
import type { Request, Service } from '../../../nodes/engine/http/types';

// A rate-limited service and its callers in virtual time: the real client, no sockets.

/** Decides about a request at a time in milliseconds; `retryAfter` is the Retry-After of a rejection, empty for none. */
export type Limiter = (now: number) => { retryAfter?: string };

const ok = {};

/** At most `limit` requests in any `perMs`; rejected requests do not count. */
export function slidingWindow(limit: number, retryAfter: string, perMs = 1000): Limiter {
	let recent: number[] = [];
	return (now) => {
		recent = recent.filter((sentAt) => sentAt > now - perMs);
		if (recent.length >= limit) return { retryAfter };
		recent.push(now);
		return ok;
	};
}

/** At most `limit` requests in each period of the clock. */
export function fixedWindow(limit: number, retryAfter: string, perMs = 1000): Limiter {
	let period = -1;
	let count = 0;
	return (now) => {
		const current = Math.floor(now / perMs);
		if (current !== period) [period, count] = [current, 0];
		return count++ < limit ? ok : { retryAfter };
	};
}

/** A bucket of `size` tokens that gains `perSecond`. */
export function tokenBucket(size: number, perSecond: number, retryAfter: string): Limiter {
	let tokens = size;
	let last = 0;
	return (now) => {
		tokens = Math.min(size, tokens + ((now - last) * perSecond) / 1000);
		last = now;
		if (tokens < 1) return { retryAfter };
		tokens--;
		return ok;
	};
}

/** One limiter until a moment, another one after it. */
export const switchLimiterAt =
	(before: Limiter, atMs: number, after: Limiter): Limiter =>
	(now) =>
		now < atMs ? before(now) : after(now);

export interface Load {
	items: number;
	atATime: number;
	/** Number of concurrent executions, each with this many items. */
	executions?: number;
	/** Response time of the service. */
	latencyMs?: number;
	/** Whether the executions run in processes of their own: other credentials then, with one limit. */
	apart?: boolean;
	/** The credential's key; a new one by default. */
	key?: string;
}

export interface LoadResult {
	requests: number;
	rejected: number;
	failed: number;
	seconds: number;
	/** Number of requests sent during a pause that the service had asked for. */
	insidePause: number;
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

/** Sends all items and measures; needs Jest's fake timers. */
export async function measure(limiter: Limiter, load: Load): Promise<LoadResult> {
	const { items, atATime, executions = 1, latencyMs = 20, apart = false } = load;
	const start = performance.now();
	const counts = { requests: 0, rejected: 0, failed: 0, insidePause: 0 };
	const pausedUntil = new Map<string, number>();
	const delay = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
	const common = load.key ?? `${nextCredential++}`;
	const execution = async (number: number): Promise<void> => {
		const key = apart ? `${common} ${number}` : common;
		const client = new Client(
			connectionOf(service, { baseUrl: 'http://127.0.0.1', key }, async () => {
				if (performance.now() < (pausedUntil.get(key) ?? 0)) counts.insidePause++;
				await delay(latencyMs / 2);
				const { retryAfter } = limiter(performance.now() - start);
				counts.requests++;
				await delay(latencyMs / 2);
				const headers = { 'content-type': 'application/json' };
				if (retryAfter === undefined) return { statusCode: 200, headers, body: '{}' };
				counts.rejected++;
				const askedMs = 1000 * Number(retryAfter);
				const until = performance.now() + askedMs;
				pausedUntil.set(key, Math.max(until, pausedUntil.get(key) ?? 0));
				const retry = retryAfter === '' ? {} : { 'retry-after': retryAfter };
				return { statusCode: 429, headers: { ...headers, ...retry }, body: '{}' };
			}),
			options,
		);
		let next = 0;
		const worker = async (): Promise<void> => {
			while (next < items) {
				const params = { id: toPathSegment('ID', next++) };
				await client.send({ ...request, params }).catch(() => counts.failed++);
			}
		};
		await Promise.all(Array.from({ length: atATime }, worker));
	};
	const state = { isDone: false };
	const allExecutions = Promise.all(
		Array.from({ length: executions }, (_, index) => execution(index)),
	).then(() => {
		state.isDone = true;
	});
	// Gives up if nothing waits for time: a fault in the code could otherwise keep this loop busy for ever.
	for (let idle = 0; !state.isDone && idle < 100; idle = jest.getTimerCount() === 0 ? idle + 1 : 0)
		await jest.advanceTimersToNextTimerAsync();
	await allExecutions;
	return { ...counts, seconds: Math.round((performance.now() - start) / 100) / 10 };
}
