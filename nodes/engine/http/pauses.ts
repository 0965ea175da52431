import { perProcess } from '../n8n/perProcess';
import { sleep } from '../sleep';
import { SendRate } from './sendRate';

/** A clock that only ever grows, and a way to wait by it; tests bring their own. */
export interface PauseClock {
	now(): number;
	sleep(ms: number, signal?: AbortSignal): Promise<unknown>;
}

const systemClock: PauseClock = {
	now: () => performance.now(),
	sleep: async (ms, signal) => await sleep(ms, signal),
};

/** How long a request is prepared to wait for others. */
export interface WaitLimits {
	/** The longest pause that it accepts, in milliseconds. */
	longestWaitMs: number;
	/** Until when it waits at most, by the clock. */
	until: number;
}

/** Says that a request must wait longer than it is prepared to; it was not sent. */
export class Paused extends Error {
	constructor(readonly waitMs: number) {
		super('The service asked to wait');
		this.name = 'Paused';
	}
}

/** Whether it is that; by its name, since another version of the pack may have thrown it. */
export const isPaused = (error: unknown): error is Paused =>
	error instanceof Error && error.name === 'Paused';

interface Waiter extends WaitLimits {
	ticket: number;
	/** Whether it could not be sent at once. */
	hadToWait: boolean;
	proceed(): void;
	fail(error: Error): void;
}

/** Everything of one service that is limited together, from its first rejection until nothing was sent for a while. */
export interface PauseQueue {
	notBefore: number;
	/** The same without what chance has added: what the service asked for is what patience is held against. */
	requestedUntil: number;
	/** How many requests may be under way: one after a rejection, and more with every success. */
	concurrency: number;
	/** How fast they may follow each other. */
	rate: SendRate;
	inFlight: number;
	/** When the last one was answered. */
	lastResponseAt: number;
	/** By ticket, so that who came first goes first, also after a refusal. */
	waiting: Waiter[];
	hasTimer: boolean;
}

/** However long the service asks to wait, one is sent after this to see: clocks go wrong, and nobody would notice. */
const LONGEST_PAUSE_MS = 24 * 3_600_000;
/** A pause becomes this much longer at random, so that several processes do not come back in the same moment. */
const JITTER = 0.1;
const LONGEST_JITTER_MS = 1000;
/** By how much the number under way grows with a success: carefully as long as the service's limit is not known. */
const CONCURRENCY_GROWTH = { unknown: 0.25, known: 1 };
/** Time without requests after which the accepted ones are counted anew. */
const IDLE_MS = 1000;
/** Time without requests after which what is known of a limit is forgotten: it may have changed. */
const FORGET_MS = 60_000;
/** Lines that are over are looked for at most this often. */
const SWEEP_MS = 1000;

/**
 * The pauses that services have asked for, shared by all requests of a process: where one was told to slow down, all that are
 * limited together wait, first come first served. After a pause one goes alone, and as long as that goes well they become
 * more; from the second pause on they are spread over time, so that few are rejected. Where no pause was asked for in the
 * last minute, requests pass without a trace.
 */
export class Pauses {
	private tickets = 0;

	private sweptAt = -Infinity;

	constructor(
		/** Only those in use: a line vanishes a minute after its pause and its last request. */
		readonly queues = new Map<string, PauseQueue>(),
		private readonly clock: PauseClock = systemClock,
		private readonly random: () => number = Math.random,
	) {}

	/** The present time by the clock that patience goes by. */
	now(): number {
		return this.clock.now();
	}

	/** A number that says who came first. */
	ticket(): number {
		return this.tickets++;
	}

	/** How long a request would have to wait before it may be sent; 0 where no pause is on. */
	waitFor(key: string): number {
		const queue = this.activeQueue(key);
		return queue ? Math.max(0, queue.notBefore - this.clock.now()) : 0;
	}

	/**
	 * Waits until a request may be sent. Gives a function to call when it is answered, whatever the answer. Throws Paused
	 * when that would take longer than the request is prepared to wait.
	 */
	async enter(
		key: string,
		ticket: number,
		limits: WaitLimits,
		signal?: AbortSignal,
	): Promise<(isHealthy: boolean) => void> {
		const queue = this.activeQueue(key);
		// Nothing is counted while all is well: most requests never meet a pause.
		if (!queue) return () => undefined;
		signal?.throwIfAborted();
		const now = this.clock.now();
		if (isIdle(queue) && now > lastUsedAt(queue) + IDLE_MS) queue.rate.idled(now);
		const { hadToWait } = await new Promise<Waiter>((resolve, reject) => {
			const cancel = () => {
				settled.abort();
				queue.waiting = queue.waiting.filter((other) => other !== waiter);
				reject(signal?.reason);
			};
			const settled = new AbortController();
			const settle = (then: () => void) => () => {
				settled.abort();
				signal?.removeEventListener('abort', cancel);
				then();
			};
			const waiter: Waiter = {
				...limits,
				ticket,
				hadToWait: false,
				proceed: settle(() => resolve(waiter)),
				fail: (error) => settle(() => reject(error))(),
			};
			signal?.addEventListener('abort', cancel);
			const position = queue.waiting.findIndex((other) => other.ticket > ticket);
			queue.waiting.splice(position < 0 ? queue.waiting.length : position, 0, waiter);
			this.serve(key, queue);
			// Those before it may be slow: when its patience is over, it is sent away whatever they do.
			const remainingMs = limits.until - this.clock.now() + 1;
			if (settled.signal.aborted || !Number.isFinite(remainingMs)) return;
			void this.clock.sleep(remainingMs, settled.signal).then(
				() => this.serve(key, queue),
				() => undefined,
			);
		});
		return (isHealthy) => {
			queue.inFlight--;
			queue.lastResponseAt = this.clock.now();
			if (isHealthy) {
				queue.rate.succeeded(queue.lastResponseAt, hadToWait);
				queue.concurrency += queue.rate.isKnown
					? CONCURRENCY_GROWTH.known
					: CONCURRENCY_GROWTH.unknown;
			}
			this.serve(key, queue);
		};
	}

	/** Notes that the service asked to wait: nobody is sent before that time is over. */
	pause(key: string, requestedMs: number): void {
		this.sweep();
		const now = this.clock.now();
		const ms = Math.min(requestedMs, LONGEST_PAUSE_MS);
		const queue = this.queues.get(key) ?? {
			notBefore: now,
			requestedUntil: now,
			concurrency: 1,
			rate: new SendRate(),
			inFlight: 0,
			lastResponseAt: now,
			waiting: [],
			hasTimer: false,
		};
		this.queues.set(key, queue);
		const jitter = Math.min(LONGEST_JITTER_MS, ms * JITTER) * this.random();
		queue.requestedUntil = Math.max(queue.requestedUntil, now + ms);
		queue.notBefore = Math.max(queue.notBefore, now + ms + jitter);
		queue.concurrency = 1;
		queue.rate.rejected(now, queue.notBefore);
		this.serve(key, queue);
	}

	/** Lets go whose turn it is, and sends away who cannot wait so long. */
	private serve(key: string, queue: PauseQueue): void {
		const now = this.clock.now();
		const waitMs = Math.max(0, queue.notBefore - now);
		const requestedMs = Math.max(0, queue.requestedUntil - now);
		const stillWaiting: Waiter[] = [];
		for (const waiter of queue.waiting) {
			// Who has accepted a pause accepts the little by which it was lengthened.
			const isOnlyJitterLeft = waitMs > 0 && requestedMs === 0;
			const isTooLong =
				!isOnlyJitterLeft &&
				(requestedMs > waiter.longestWaitMs || now + requestedMs > waiter.until);
			if (waitMs === 0 && hasCapacity(queue) && queue.rate.waitMs(now) === 0) {
				queue.inFlight++;
				queue.rate.sent(now);
				waiter.proceed();
			} else if (isTooLong) waiter.fail(new Paused(requestedMs));
			else {
				waiter.hadToWait = true;
				stillWaiting.push(waiter);
			}
		}
		queue.waiting = stillWaiting;
		const nextMs = Math.max(waitMs, hasCapacity(queue) ? queue.rate.waitMs(now) : 0);
		if (nextMs > 0 && stillWaiting.length > 0) void this.serveLater(key, queue, nextMs);
		if (isExpired(queue, now) && this.queues.get(key) === queue) this.queues.delete(key);
	}

	private async serveLater(key: string, queue: PauseQueue, ms: number): Promise<void> {
		if (queue.hasTimer) return;
		queue.hasTimer = true;
		await this.clock.sleep(Math.ceil(ms));
		queue.hasTimer = false;
		this.serve(key, queue);
	}

	private activeQueue(key: string): PauseQueue | undefined {
		const queue = this.queues.get(key);
		if (!queue || !isExpired(queue, this.clock.now())) return queue;
		this.queues.delete(key);
		return undefined;
	}

	private sweep(): void {
		const now = this.clock.now();
		if (now < this.sweptAt + SWEEP_MS) return;
		this.sweptAt = now;
		for (const key of this.queues.keys()) this.activeQueue(key);
	}
}

const hasCapacity = ({ inFlight, concurrency }: PauseQueue) => inFlight < Math.floor(concurrency);

const isIdle = ({ inFlight, waiting }: PauseQueue) => inFlight === 0 && waiting.length === 0;

const lastUsedAt = ({ notBefore, lastResponseAt }: PauseQueue) =>
	Math.max(notBefore, lastResponseAt);

const isExpired = (queue: PauseQueue, now: number) =>
	isIdle(queue) && lastUsedAt(queue) + FORGET_MS <= now;

/** The pauses of this process. */
export const pauses = perProcess('pauses 2', () => new Pauses());
