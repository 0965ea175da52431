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
const STEP = { least: 10, underWay: 20, most: 100, idle: 1000 };
/** One step takes at least a millisecond of real time: data that was sent on loopback has arrived after that many. */
const QUIET_STEPS = 20;

/** Number of requests that the servers of this process have not answered yet. */
let openRequests = 0;
const onRequestStart = (message: unknown): void => {
	openRequests++;
	(message as { response: ServerResponse }).response.once('close', () => openRequests--);
};

/** Number of events of the event loop, from sockets, files or other threads; always 0 on a Node.js without this metric. */
const events = (): number =>
	(performance.nodeTiming as { uvMetricsInfo?: { events: number } }).uvMetricsInfo?.events ?? 0;

/** WebCrypto signs and verifies on other threads, which may have to wait for a CPU on a loaded machine. */
const subtle = Object.getPrototypeOf(crypto.subtle) as Record<string, unknown>;
const originalSubtle = Object.getOwnPropertyDescriptors(subtle);
let signing = 0;

function countSigning(): void {
	for (const [name, { value }] of Object.entries(originalSubtle)) {
		if (typeof value !== 'function' || name === 'constructor') continue;
		subtle[name] = async (...args: unknown[]): Promise<unknown> => {
			signing++;
			try {
				return await Promise.resolve(Reflect.apply(value, crypto.subtle, args));
			} finally {
				signing--;
			}
		};
	}
}

/** Replaces `setTimeout` of `node:timers/promises` where Jest does not: its own environment has another global object. */
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

let running: Promise<void> | undefined;
let stopped = false;

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
		countSigning();
		stopped = false;
		running = run();
	});
	afterAll(async () => {
		stopped = true;
		await running;
		unsubscribe('http.server.request.start', onRequestStart);
		Object.defineProperties(subtle, originalSubtle);
		jest.useRealTimers();
		timers.setTimeout = realDelay;
	});
}

async function run(): Promise<void> {
	let step = STEP.least;
	let quietSteps = 0;
	while (!stopped) {
		const before = events();
		// Gives data that was sent time to arrive.
		await realDelay(1);
		if (signing > 0) continue;
		const hadNoEvents = events() === before;
		const noTimerDue = advanceToNextTimer(openRequests > 0 ? Math.min(step, STEP.underWay) : step);
		const isQuiet = noTimerDue && hadNoEvents;
		quietSteps = isQuiet && openRequests === 0 ? quietSteps + 1 : 0;
		step = isQuiet
			? Math.min(2 * step, quietSteps > QUIET_STEPS ? STEP.idle : STEP.most)
			: STEP.least;
	}
}

/** Advances the clock to the next timer, at most by `atMostMs`. Returns whether no timer was due by then. */
function advanceToNextTimer(atMostMs: number): boolean {
	let quiet = false;
	const mark = setTimeout(() => {
		quiet = true;
	}, atMostMs);
	jest.advanceTimersToNextTimer();
	clearTimeout(mark);
	return quiet;
}

/** Waits for a promise; fails when `atMostMs` of fake time have passed. */
export async function awaitWithin<T>(happened: Promise<T>, atMostMs: number): Promise<T> {
	const tooLate = new AbortController();
	const passed = timers.setTimeout(atMostMs, undefined, tooLate).then(() => {
		throw new Error(`It did not happen within ${atMostMs / 1000} seconds`);
	});
	try {
		return await Promise.race([happened, passed]);
	} finally {
		passed.catch(() => undefined);
		tooLate.abort();
	}
}
