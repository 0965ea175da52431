import { retryDelayMs } from '../retryDelay';
import { DueQueue } from './dueQueue';
import type { Clock } from './types';

/** Longer sleeps are split: a timer cannot hold more than 24 days. */
const MAX_SLEEP_MS = 3_600_000;
const RETRY_DELAYS = { firstMs: 1000, maxMs: 60_000 };
/** The trigger reports that n8n does not start the workflow after this many rejections of one start. */
const REJECTIONS_UNTIL_REPORTED = 5;

/** A start of the workflow that n8n has not confirmed. */
export interface PendingStart<Cause> {
	/** Idempotency key, by which n8n recognizes the start. */
	readonly key: string;
	/** The cause of the start, which is only stored here. */
	readonly cause: Cause;
	/** Wall-clock time of the first request that n8n may have carried out. */
	readonly requestedAt: number;
	/**
	 * Whether the start is no longer requested. n8n may have deleted its key, so another request might start the workflow
	 * twice.
	 */
	readonly isExpired: boolean;
}

/** A start to request from n8n. */
export interface StartRequest<Cause> extends Pick<PendingStart<Cause>, 'key' | 'cause'> {
	/** Starts the workflow. Resolves when n8n confirms the start; rejects if the workflow was not started. */
	emit(): Promise<unknown>;
	/** Called once, in the event-loop turn of the first request, before the state is saved. */
	markRequested?(): void;
	/** Whether the start is requested in the same turn as the start before it, even above the limits. */
	isContinuation?: boolean;
	/** Called when n8n has confirmed the start, or when it has expired. */
	markConfirmed?(): void;
}

interface StartHooks {
	/** Saves the state with the next start. Must be synchronous. */
	save(): void;
	/** Called once if n8n does not start the workflow, with n8n's reason. */
	reportRejection(message: string): void;
	/** Resolves after `ms`; rejects when the signal aborts. */
	sleep(ms: number, signal: AbortSignal): Promise<unknown>;
	clock: Clock;
}

interface StartOptions {
	repeatStartsForMs: number;
	/** How many starts may be unconfirmed at the same time. */
	maxUnconfirmed?: number;
	/** How many starts are requested together, and the pause after so many. */
	batchSize?: number;
	batchGapMs?: number;
}

type Entry<Cause> = {
	-readonly [Name in keyof PendingStart<Cause>]: PendingStart<Cause>[Name];
} & {
	/**
	 * Whether the start was requested before the last restart. If so, n8n may have carried it out despite a later rejection.
	 */
	readonly isRestored: boolean;
	/** Whether n8n has rejected every request for this start so far. */
	isRejected: boolean;
	rejections: number;
};

/**
 * Requests starts of the workflow until n8n has confirmed each. A rejected start is requested again with backoff. A start from
 * before the last restart is requested again with the same key, as long as n8n is certain to recognize the key.
 */
export class Starts<Cause> {
	private readonly pending = new Map<string, Entry<Cause>>();
	private unreported: Cause[] = [];
	private hasReportedRejection = false;
	private readonly queue: Array<StartRequest<Cause>> = [];
	/** When rejected starts are requested again, by a number of their own: two starts can have the same key. */
	private readonly retryTimes = new DueQueue();
	private readonly rejected = new Map<string, StartRequest<Cause>>();
	private rejectionCount = 0;
	/** Number of starts that were requested and not confirmed; those from before the last restart count once they are requested again. */
	private unconfirmedCount = 0;
	private isSending = false;
	private sleepAbort = new AbortController();
	private onQueueEmpty: () => void = () => undefined;

	constructor(
		private readonly hooks: StartHooks,
		private readonly options: StartOptions,
	) {}

	/** Restores a start from before the last restart. If it had expired by then, it is not reported again. */
	restore({ key, cause, requestedAt, isExpired }: PendingStart<Cause>): PendingStart<Cause> {
		const now = this.hooks.clock.now();
		const entry: Entry<Cause> = {
			key,
			cause,
			// The clock may have been ahead when the start was saved. The start would then expire too late.
			requestedAt: Math.min(requestedAt, now),
			isExpired,
			isRestored: true,
			isRejected: false,
			rejections: 0,
		};
		this.pending.set(key, entry);
		this.expireIfDue(entry);
		return entry;
	}

	/** Returns all pending and expired starts, in the order in which they were first requested. */
	all(): Array<PendingStart<Cause>> {
		return [...this.pending.values()];
	}

	/** Returns when a start was first requested; undefined if n8n has certainly not carried it out. */
	requestedAt(key: string): number | undefined {
		const entry = this.pending.get(key);
		return entry?.isRejected === false ? entry.requestedAt : undefined;
	}

	/** Removes a start that is no longer needed. */
	remove(key: string): void {
		this.pending.delete(key);
	}

	/** Returns the causes of starts that have expired since the last call, so that each is reported once. */
	takeExpired(): Cause[] {
		return this.unreported.splice(0);
	}

	/**
	 * Requests starts in order, and skips expired ones. Resolves when the last one is requested, or when the signal aborts. Only
	 * one caller at a time may wait for that.
	 */
	async request(requests: Array<StartRequest<Cause>>, signal: AbortSignal): Promise<void> {
		this.queue.push(...requests);
		void this.send(signal);
		if (this.queue.length > 0 && !signal.aborted)
			await new Promise<void>((resolve) => (this.onQueueEmpty = resolve));
	}

	/** Sends the queue and the rejected starts until none is left or the signal aborts. */
	private async send(signal: AbortSignal): Promise<void> {
		this.sleepAbort.abort();
		if (this.isSending) return;
		this.isSending = true;
		const wake = () => this.sleepAbort.abort();
		signal.addEventListener('abort', wake);
		const { batchSize = Infinity, batchGapMs = 0 } = this.options;
		while (!signal.aborted) {
			const batch = this.takeBatch();
			this.sendBatch(batch, signal);
			if (this.queue.length === 0) this.onQueueEmpty();
			if (this.queue.length === 0 && this.retryTimes.size === 0 && batch.length < batchSize) break;
			if (batch.length < batchSize) await this.sleepUntilRetry();
			else await this.hooks.sleep(batchGapMs, signal).catch(() => undefined);
		}
		signal.removeEventListener('abort', wake);
		this.isSending = false;
		this.onQueueEmpty();
	}

	/** Takes the starts to request together: first rejected ones whose delay is over, then as many as there is room for. */
	private takeBatch(): Array<StartRequest<Cause>> {
		const { maxUnconfirmed = Infinity, batchSize = Infinity } = this.options;
		const batch: Array<StartRequest<Cause>> = [];
		while (batch.length < batchSize) {
			const retry = this.retryTimes.take(this.hooks.clock.monotonic());
			if (!retry) break;
			batch.push(this.rejected.get(retry.id)!);
			this.rejected.delete(retry.id);
		}
		const room = Math.min(batchSize - batch.length, maxUnconfirmed - this.unconfirmedCount);
		const fresh: Array<StartRequest<Cause>> = [];
		let taken = 0;
		while (taken < this.queue.length && fresh.length < room) {
			do {
				const request = this.queue[taken++]!;
				request.markRequested?.();
				if (!this.dropIfExpired(request)) fresh.push(request);
			} while (this.queue[taken]?.isContinuation);
		}
		this.queue.splice(0, taken);
		this.unconfirmedCount += fresh.length;
		return [...batch, ...fresh];
	}

	/** Sleeps until a rejected start is due, or until `sleepAbort` is aborted. */
	private async sleepUntilRetry(): Promise<void> {
		this.sleepAbort = new AbortController();
		const retryAfterMs = this.retryTimes.nextDueAt() - this.hooks.clock.monotonic();
		await this.hooks
			.sleep(Math.min(Math.max(0, retryAfterMs), MAX_SLEEP_MS), this.sleepAbort.signal)
			.catch(() => undefined);
	}

	/**
	 * Requests several starts in one event-loop turn. At each start n8n 2.41.1 saves static data that has changed. The
	 * `save` hook changes static data, so it is called just before the last start: n8n then saves once, not for each start.
	 */
	private sendBatch(batch: Array<StartRequest<Cause>>, signal: AbortSignal): void {
		for (const request of batch) this.recordRequest(request);
		batch.forEach((request, index) => {
			if (index === batch.length - 1) this.hooks.save();
			void this.requestOne(request, signal);
		});
	}

	private async requestOne(request: StartRequest<Cause>, signal: AbortSignal): Promise<void> {
		const rejection = await request.emit().then(
			() => undefined,
			(error: unknown) => ({ error }),
		);
		if (!rejection) {
			this.remove(request.key);
			request.markConfirmed?.();
			this.unconfirmedCount--;
			this.sleepAbort.abort();
			return;
		}
		if (signal.aborted) return;
		const retryAfterMs = this.recordRejection(request.key, rejection.error);
		this.hooks.save();
		const id = `${this.rejectionCount++}`;
		this.rejected.set(id, request);
		this.retryTimes.set(id, this.hooks.clock.monotonic() + retryAfterMs);
		await this.send(signal);
	}

	/** `requestedAt` is the time of the first request that n8n may have carried out, because n8n stored the key then. */
	private recordRequest({ key, cause }: StartRequest<Cause>): void {
		const now = this.hooks.clock.now();
		const entry = this.pending.get(key);
		if (entry) {
			// If the clock was set back, n8n stores an earlier time with the key, and deletes the key earlier.
			entry.requestedAt = entry.isRejected ? now : Math.min(entry.requestedAt, now);
			entry.isRejected = false;
			entry.cause = cause;
			return;
		}
		const state = { isExpired: false, isRestored: false, isRejected: false, rejections: 0 };
		this.pending.set(key, { key, cause, requestedAt: now, ...state });
	}

	/** Records that n8n rejected a start. Returns how long to wait before the next request. */
	private recordRejection(key: string, error: unknown): number {
		const entry = this.pending.get(key);
		const rejections = entry ? ++entry.rejections : 1;
		if (entry && !entry.isRestored) entry.isRejected = true;
		if (rejections >= REJECTIONS_UNTIL_REPORTED && !this.hasReportedRejection) {
			this.hasReportedRejection = true;
			this.hooks.reportRejection(error instanceof Error ? error.message : 'No reason was given');
		}
		return retryDelayMs(rejections, RETRY_DELAYS);
	}

	/** Removes a start if it has expired, as if n8n had confirmed it. Returns whether it has expired. */
	private dropIfExpired({ key, markConfirmed }: StartRequest<Cause>): boolean {
		const entry = this.pending.get(key);
		if (!entry || !this.expireIfDue(entry)) return false;
		this.remove(key);
		markConfirmed?.();
		return true;
	}

	/**
	 * Marks a start as expired if its time is over, and returns whether it has expired. Only a start from before the last
	 * restart can expire: n8n confirms or rejects every other start to this process.
	 */
	private expireIfDue(entry: Entry<Cause>): boolean {
		const { isRestored, requestedAt, cause } = entry;
		const isDue =
			isRestored && this.hooks.clock.now() - requestedAt >= this.options.repeatStartsForMs;
		if (isDue && !entry.isExpired) {
			entry.isExpired = true;
			this.unreported.push(cause);
		}
		return entry.isExpired;
	}
}
