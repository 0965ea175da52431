import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers/promises';

// The real function, taken before fake timers replace it.
const realDelay = timers.setTimeout;

/**
 * Steps of the fake clock in milliseconds: the smallest, the largest while a request is in progress, the largest while nothing
 * happens, and the largest once nothing has happened for `QUIET_STEPS`.
 */
const STEP_MS = { min: 10, requestInProgress: 20, max: 100, idle: 1000 };
/**
 * Number of steps after which data that was sent on loopback has arrived. One step takes at least a millisecond of real
 * time.
 */
const QUIET_STEPS = 20;

/** Number of requests that the servers of this process have not answered yet. */
let openRequests = 0;
const onRequestStart = (message: unknown): void => {
	openRequests++;
	(message as { response: ServerResponse }).response.once('close', () => openRequests--);
};

/** Number of events of the event loop, from sockets, files or other threads; always 0 on a Node.js without this metric. */
const countLoopEvents = (): number =>
	(performance.nodeTiming as { uvMetricsInfo?: { events: number } }).uvMetricsInfo?.events ?? 0;

/** WebCrypto signs and verifies on other threads, which may have to wait for a CPU on a loaded machine. */
const subtle = Object.getPrototypeOf(crypto.subtle) as Record<string, unknown>;
const originalSubtle = Object.getOwnPropertyDescriptors(subtle);
let pendingCryptoCalls = 0;

function countCryptoCalls(): void {
	for (const [name, { value }] of Object.entries(originalSubtle)) {
		if (typeof value !== 'function' || name === 'constructor') continue;
		subtle[name] = async (...args: unknown[]): Promise<unknown> => {
			pendingCryptoCalls++;
			try {
				return await Promise.resolve(Reflect.apply(value, crypto.subtle, args));
			} finally {
				pendingCryptoCalls--;
			}
		};
	}
}

/** Replaces `setTimeout` of `node:timers/promises` where Jest does not: Jest's own environment has another global object. */
const fakeDelay: typeof timers.setTimeout = async (delayMs, value, { signal } = {}) =>
	await new Promise((resolve, reject) => {
		const abort = () => {
			clearTimeout(timer);
			const { reason: cause } = signal!;
			reject(Object.assign(new Error('The operation was aborted', { cause }), ABORT_ERROR));
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', abort);
			resolve(value!);
		}, delayMs);
		if (signal?.aborted) abort();
		else signal?.addEventListener('abort', abort, { once: true });
	});
/** Properties of Node.js's error of an aborted delay. */
const ABORT_ERROR = { name: 'AbortError', code: 'ABORT_ERR' };

let clockLoop: Promise<void> | undefined;
let isStopped = false;

/**
 * Accelerates time for all tests of a file. Timers and clocks are Jest's, including those of `node:timers/promises`; sockets
 * and promises are real. Whenever nothing happens, the clock advances to the next timer, in small steps at first and in
 * larger ones while the process is idle, a hundred to a thousand times as fast as real time. Waiting therefore costs little,
 * and work takes little fake time even on a slow machine.
 */
export function useAcceleratedTime(): void {
	beforeAll(() => {
		jest.useFakeTimers({
			doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime'],
		});
		if (timers.setTimeout === realDelay) timers.setTimeout = fakeDelay;
		subscribe('http.server.request.start', onRequestStart);
		countCryptoCalls();
		isStopped = false;
		clockLoop = runClock();
	});
	afterAll(async () => {
		isStopped = true;
		await clockLoop;
		unsubscribe('http.server.request.start', onRequestStart);
		Object.defineProperties(subtle, originalSubtle);
		jest.useRealTimers();
		timers.setTimeout = realDelay;
	});
}

async function runClock(): Promise<void> {
	let stepMs = STEP_MS.min;
	let quietSteps = 0;
	while (!isStopped) {
		const eventsBefore = countLoopEvents();
		// Gives sent data time to arrive.
		await realDelay(1);
		if (pendingCryptoCalls > 0) continue;
		const hadNoEvents = countLoopEvents() === eventsBefore;
		const noTimerDue = advanceToNextTimer(
			openRequests > 0 ? Math.min(stepMs, STEP_MS.requestInProgress) : stepMs,
		);
		const isQuiet = noTimerDue && hadNoEvents;
		quietSteps = isQuiet && openRequests === 0 ? quietSteps + 1 : 0;
		stepMs = isQuiet
			? Math.min(2 * stepMs, quietSteps > QUIET_STEPS ? STEP_MS.idle : STEP_MS.max)
			: STEP_MS.min;
	}
}

/** Advances the clock to the next timer, at most by `maxMs`. Returns whether no timer was due by then. */
function advanceToNextTimer(maxMs: number): boolean {
	let noTimerDue = false;
	const limitTimer = setTimeout(() => {
		noTimerDue = true;
	}, maxMs);
	jest.advanceTimersToNextTimer();
	clearTimeout(limitTimer);
	return noTimerDue;
}

/** Waits for a promise; fails when `timeoutMs` of fake time have passed. */
export async function awaitWithin<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
	const abortController = new AbortController();
	const timeout = timers.setTimeout(timeoutMs, undefined, abortController).then(() => {
		throw new Error(`The promise did not settle within ${timeoutMs / 1000} seconds`);
	});
	try {
		return await Promise.race([promise, timeout]);
	} finally {
		timeout.catch(() => undefined);
		abortController.abort();
	}
}
