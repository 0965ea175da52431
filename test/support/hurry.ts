import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers/promises';

// Taken before anything stands in for it.
const realDelay = timers.setTimeout;

/** The shortest step of time, and the longest: while a request is under way, and while nothing happens. */
const STEP = { least: 10, underWay: 20, most: 100 };

/** How many requests the servers of this process have not answered yet. */
let underWay = 0;
const heard = (message: unknown): void => {
	underWay++;
	(message as { response: ServerResponse }).response.once('close', () => underWay--);
};

/** How often this process has heard from a socket, a file or another thread; a Node.js that does not count says nothing. */
const events = (): number =>
	(performance.nodeTiming as { uvMetricsInfo?: { events: number } }).uvMetricsInfo?.events ?? 0;

/** What keys are signed and verified with. Other threads do it, and on a busy machine they may have to wait for their turn. */
const subtle = Object.getPrototypeOf(crypto.subtle) as Record<string, unknown>;
const subtleAsItIs = Object.getOwnPropertyDescriptors(subtle);
let signing = 0;

function watchSigning(): void {
	for (const [name, { value }] of Object.entries(subtleAsItIs)) {
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

let running: Promise<void> | undefined;
let stopped = false;

/**
 * Lets hours pass in moments, for all tests of a file: timers and clocks are Jest's, those of `node:timers/promises` too, while
 * sockets and promises are real. Whenever nothing happens, time goes on to the next timer, by small steps at first and by
 * larger ones when all is quiet, a hundred times as fast as usual; so waiting costs little, and what happens takes little time,
 * however slow the machine.
 */
export function useHurry(): void {
	beforeAll(() => {
		jest.useFakeTimers({
			doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime'],
		});
		subscribe('http.server.request.start', heard);
		watchSigning();
		stopped = false;
		running = run();
	});
	afterAll(async () => {
		stopped = true;
		await running;
		unsubscribe('http.server.request.start', heard);
		Object.defineProperties(subtle, subtleAsItIs);
		jest.useRealTimers();
	});
}

async function run(): Promise<void> {
	let step = STEP.least;
	while (!stopped) {
		const before = events();
		// What was sent has to arrive.
		await realDelay(1);
		if (signing > 0) continue;
		const heardNothing = events() === before;
		const quiet = leap(underWay > 0 ? Math.min(step, STEP.underWay) : step);
		step = quiet && heardNothing ? Math.min(2 * step, STEP.most) : STEP.least;
	}
}

/** Goes on to the next timer, so much later at most; whether none was due by then. */
function leap(atMostMs: number): boolean {
	let quiet = false;
	const mark = setTimeout(() => {
		quiet = true;
	}, atMostMs);
	jest.advanceTimersToNextTimer();
	clearTimeout(mark);
	return quiet;
}

/** Waits until something has happened; fails when so much time has passed. */
export async function hurryUntil<T>(happened: Promise<T>, atMostMs: number): Promise<T> {
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
