import { perProcess } from '../n8n/perProcess';
import { sleep } from '../sleep';
import { SendRate } from './sendRate';

/** A monotonic clock and its timer; tests pass their own. */
export interface MonotonicTimer {
	monotonic(): number;
	sleep(ms: number, signal?: AbortSignal): Promise<unknown>;
}

const monotonicTimer: MonotonicTimer = {
	monotonic: () => performance.now(),
	sleep: async (ms, signal) => await sleep(ms, signal),
};

/** How long a request may wait in a queue. */
export interface WaitLimits {
	/** Longest pause that the request accepts, in milliseconds. */
	maxRetryDelayMs: number;
	/** Time at which the request stops waiting, by the clock of the pauses. */
	until: number;
}

/** The request was not sent: it would have to wait longer than its limits allow. */
export class PauseTooLong extends Error {
	constructor(readonly waitMs: number) {
		super('The service asked to wait');
		this.name = 'PauseTooLong';
	}
}

/** Checks by name, not by class: another version of the pack in this process may have thrown the error. */
export const isPauseTooLong = (error: unknown): error is PauseTooLong =>
	error instanceof Error && error.name === 'PauseTooLong';

interface Waiter extends WaitLimits {
	ticket: number;
	/** Whether the request could not be sent at once. */
	hadToWait: boolean;
	proceed(): void;
	fail(error: Error): void;
}

/** Requests under the same rate limit. Exists from the first rejection until FORGET_MS after its pause and last response. */
export interface PauseQueue {
	/** End of the pause, jitter included: nothing is sent earlier. */
	notBefore: number;
	/** End of the pause that the service asked for, without jitter. The limits of the requests apply to this time. */
	requestedUntil: number;
	/** Concurrency limit. It is 1 after a rejection and grows with every success. Only its integer part counts. */
	concurrency: number;
	rate: SendRate;
	inFlight: number;
	lastResponseAt: number;
	/** Ordered by ticket: a request keeps its position when it returns after a rejection. */
	waiting: Waiter[];
	hasTimer: boolean;
}

/** Longest pause, after which one request tests the service. Otherwise a wrong clock could stop all requests unnoticed. */
const MAX_PAUSE_MS = 24 * 3_600_000;
/** Maximum random extension of a pause, as a fraction of it, so that several processes do not resume at the same moment. */
const JITTER = 0.1;
const MAX_JITTER_MS = 1000;
/** Growth of the concurrency limit per success: slower while the rate that the service accepts is not known. */
const CONCURRENCY_GROWTH = { unknown: 0.25, known: 1 };
/** Time without requests after which the send rate restarts its count of accepted requests. */
const IDLE_MS = 1000;
/** Time without requests after which a queue and its measured rate are dropped: the service's limit may have changed. */
const FORGET_MS = 60_000;
/** Shortest time between two sweeps for expired queues. */
const SWEEP_MS = 1000;

/**
 * Pauses that services asked for, shared by all requests of the process. After a 429, all requests under the same rate limit
 * wait in one queue, first come, first served. After the pause one request is sent alone, and the concurrency limit grows with
 * every success. From the second pause on, requests are also spread over time (SendRate), so that few are rejected. Without a
 * pause in the last minute, requests are sent at once and leave no state.
 */
export class Pauses {
	private tickets = 0;

	private sweptAt = -Infinity;

	constructor(
		/** Queues in use. A queue is dropped a minute after the end of its pause and its last response. */
		readonly queues = new Map<string, PauseQueue>(),
		private readonly clock: MonotonicTimer = monotonicTimer,
		private readonly random: () => number = () => Math.random(),
	) {}

	/** Returns the time by the clock that WaitLimits refer to. */
	now(): number {
		return this.clock.monotonic();
	}

	/** Returns the next ticket. Tickets order the requests of a queue; a request keeps its ticket for all its attempts. */
	ticket(): number {
		return this.tickets++;
	}

	/** Returns how many milliseconds the pause of a queue still lasts; 0 without one. */
	remainingPauseMs(key: string): number {
		const queue = this.activeQueue(key);
		return queue ? Math.max(0, queue.notBefore - this.clock.monotonic()) : 0;
	}

	/**
	 * Waits until a request may be sent. Returns a function that the caller must call when the request has ended, however it
	 * ended; its argument says whether the service is neither rate-limited nor unavailable. Throws PauseTooLong if the wait would
	 * exceed the request's limits, or the signal's reason.
	 */
	async enter(
		key: string,
		ticket: number,
		limits: WaitLimits,
		signal?: AbortSignal,
	): Promise<(isHealthy: boolean) => void> {
		const queue = this.activeQueue(key);
		// Most requests never meet a pause. Without a queue, requests are not counted.
		if (!queue) return () => undefined;
		signal?.throwIfAborted();
		const now = this.clock.monotonic();
		if (isIdle(queue) && now > lastUsedAt(queue) + IDLE_MS) queue.rate.recordIdle(now);
		const { hadToWait } = await new Promise<Waiter>((resolve, reject) => {
			const cancel = () => {
				settled.abort();
				queue.waiting = queue.waiting.filter((queuedWaiter) => queuedWaiter !== waiter);
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
			const position = queue.waiting.findIndex((queuedWaiter) => queuedWaiter.ticket > ticket);
			queue.waiting.splice(position < 0 ? queue.waiting.length : position, 0, waiter);
			this.admit(key, queue);
			// Requests ahead in the queue may be slow. So when this request's time limit ends, a timer calls `admit`, which
			// rejects the request.
			const remainingMs = limits.until - this.clock.monotonic() + 1;
			if (settled.signal.aborted || !Number.isFinite(remainingMs)) return;
			void this.clock.sleep(remainingMs, settled.signal).then(
				() => this.admit(key, queue),
				() => undefined,
			);
		});
		return (isHealthy) => {
			queue.inFlight--;
			queue.lastResponseAt = this.clock.monotonic();
			if (isHealthy) {
				queue.rate.recordSuccess(queue.lastResponseAt, hadToWait);
				queue.concurrency += queue.rate.isLimiting
					? CONCURRENCY_GROWTH.known
					: CONCURRENCY_GROWTH.unknown;
			}
			this.admit(key, queue);
		};
	}

	/** Starts a pause that the service asked for, or extends the present one. Never shortens a pause. */
	pause(key: string, requestedMs: number): void {
		this.sweep();
		const now = this.clock.monotonic();
		const ms = Math.min(requestedMs, MAX_PAUSE_MS);
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
		const jitter = Math.min(MAX_JITTER_MS, ms * JITTER) * this.random();
		queue.requestedUntil = Math.max(queue.requestedUntil, now + ms);
		queue.notBefore = Math.max(queue.notBefore, now + ms + jitter);
		queue.concurrency = 1;
		queue.rate.recordRejection(now, queue.notBefore);
		this.admit(key, queue);
	}

	/** Lets the requests proceed that may be sent now, rejects those whose limits are exceeded, and sets a timer for the rest. */
	private admit(key: string, queue: PauseQueue): void {
		const now = this.clock.monotonic();
		const waitMs = Math.max(0, queue.notBefore - now);
		const requestedMs = Math.max(0, queue.requestedUntil - now);
		const stillWaiting: Waiter[] = [];
		for (const waiter of queue.waiting) {
			// A request that accepted the pause also accepts its jitter.
			const isOnlyJitterLeft = waitMs > 0 && requestedMs === 0;
			const isTooLong =
				!isOnlyJitterLeft &&
				(requestedMs > waiter.maxRetryDelayMs || now + requestedMs > waiter.until);
			if (waitMs === 0 && hasCapacity(queue) && queue.rate.waitMs(now) === 0) {
				queue.inFlight++;
				queue.rate.recordSend(now);
				waiter.proceed();
			} else if (isTooLong) waiter.fail(new PauseTooLong(requestedMs));
			else {
				waiter.hadToWait = true;
				stillWaiting.push(waiter);
			}
		}
		queue.waiting = stillWaiting;
		const nextMs = Math.max(waitMs, hasCapacity(queue) ? queue.rate.waitMs(now) : 0);
		if (nextMs > 0 && stillWaiting.length > 0) void this.admitLater(key, queue, nextMs);
		if (isExpired(queue, now) && this.queues.get(key) === queue) this.queues.delete(key);
	}

	private async admitLater(key: string, queue: PauseQueue, ms: number): Promise<void> {
		if (queue.hasTimer) return;
		queue.hasTimer = true;
		await this.clock.sleep(Math.ceil(ms));
		queue.hasTimer = false;
		this.admit(key, queue);
	}

	private activeQueue(key: string): PauseQueue | undefined {
		const queue = this.queues.get(key);
		if (!queue || !isExpired(queue, this.clock.monotonic())) return queue;
		this.queues.delete(key);
		return undefined;
	}

	private sweep(): void {
		const now = this.clock.monotonic();
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

/** Pauses of this process, shared with other versions of the pack. */
export const pauses = perProcess('pauses 3', () => new Pauses());
