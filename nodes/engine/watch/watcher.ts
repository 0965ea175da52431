import type { RestoredIds } from './idSnapshot';
import { toEndedId } from './oldEnds';
import { Starts } from './starts';
import { WATCH_DEFAULTS } from './types';
import type {
	AddResult,
	Clock,
	EndedId,
	ClockReading,
	NewId,
	IdReport,
	IdSnapshot,
	PollResult,
	SavedId,
	WatchOptions,
} from './types';
import { WatchState } from './watchState';

/** Longer sleeps are split: a timer cannot hold more than 24 days, and a short sleep costs nothing. */
const MAX_SLEEP_MS = 60_000;
/** Polls that become due during this time are sent together. With thousands of IDs, this costs a tenth of single sends. */
const MIN_SLEEP_MS = 5;
/** Pause between two batches of starts. */
const START_BATCH_GAP_MS = 50;
/** Delay of starts that are requested again after a restart: n8n must have registered the trigger first. */
const REPEATED_START_DELAY_MS = 1000;
/** The reason for ending a sleep early. Created once: creating an Error captures a stack. */
const WAKE_UP = new Error('awake');

/** An ID as `pollId` receives it. */
export interface WatchedId {
	readonly id: string;
	readonly data?: unknown;
	readonly subject?: string;
	/** The number of this poll, from 1. */
	readonly pollNumber: number;
	readonly seenOutstanding: boolean;
}

/** The side effects of a watcher, supplied by its caller. */
export interface WatchHooks {
	/** Polls the service about one ID. A rejected promise counts as an unavailable service. */
	pollId(watched: WatchedId, signal: AbortSignal): Promise<PollResult>;
	/**
	 * Starts the workflow, unless this outcome starts none. Resolves when the run has ended, or at once if n8n has the key
	 * already or the outcome starts no workflow. Rejects if the workflow was not started; the watcher then calls `emit`
	 * again. The watcher saves the end of the ID before the call.
	 */
	emit(endedId: EndedId): Promise<unknown>;
	/**
	 * Called when the state has changed: assigns it to static data, which n8n writes with the next start. Must be synchronous,
	 * since the watcher calls `emit` right afterwards.
	 */
	save?(snapshot: IdSnapshot): void;
	/** Shows a report to the user. */
	report?(report: IdReport): void;
	/** Waits, and rejects when the signal is aborted, as `engine/sleep.ts` does. */
	sleep(ms: number, signal: AbortSignal): Promise<unknown>;
	clock?: Clock;
	random?: () => number;
}

export interface WatcherStop {
	/** The service's message if it rejected the credential. */
	credentialRejectionMessage?: string;
}

const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : 'No answer';

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Polls IDs until each has ended, and emits each end. Call `run` once; IDs can be added at any time.
 *
 * Guarantees, provided that emitting the same ID twice is harmless (n8n's deduplication key): every saved ID ends in one
 * outcome; no ID is polled sooner than its interval after its last response, nor after its end; the concurrency limit holds;
 * after `run` has ended the watcher does not poll, emit, save or report.
 */
export class Watcher {
	private readonly options: WatchOptions;
	private readonly state: WatchState;
	private readonly clock: Clock;
	private readonly starts: Starts<SavedId>;
	/** Ends the requests of starts when the watcher stops. */
	private readonly startsAbort = new AbortController();
	private inFlight = 0;
	private isStopped = false;
	/** Ends the present sleep. `wakeAt` is when something is due next, as computed when the sleep began. */
	private sleepAbort: AbortController | undefined;
	private wakeAt = Infinity;
	private credentialRejectionMessage: string | undefined;
	private hookFailure: { error: unknown } | undefined;

	/**
	 * Restores saved state and adds the entered IDs. Throws if the entered IDs cannot be watched.
	 */
	constructor(
		private readonly hooks: WatchHooks,
		options: Partial<WatchOptions> = {},
		restoredIds: RestoredIds = { ids: [], confirmedIds: [] },
		enteredIds: NewId[] = [],
	) {
		this.options = { ...WATCH_DEFAULTS, ...options };
		this.clock = hooks.clock ?? systemClock;
		this.starts = new Starts(
			{
				save: () => this.captureHookError(() => this.saveStarts()),
				reportRejection: (message) =>
					this.captureHookError(() => this.hooks.report?.({ kind: 'startsRejected', message })),
				sleep: async (ms, signal) => await this.hooks.sleep(ms, signal),
				clock: this.clock,
			},
			{
				repeatStartsForMs: this.options.repeatStartsForMs,
				batchSize: this.options.startBatchSize,
				batchGapMs: START_BATCH_GAP_MS,
			},
		);
		const moment = this.readClocks();
		const ids = enteredIds.map(({ id }) => id);
		const random = hooks.random ?? Math.random;
		this.state = new WatchState(this.options, random, this.starts, restoredIds, ids, moment);
		const added = this.state.add(enteredIds, false, moment);
		if (!added.ok) throw new Error(added.message);
	}

	get watchedCount(): number {
		return this.state.watchedCount;
	}

	snapshot(): IdSnapshot {
		return this.state.snapshot();
	}

	/** Adds IDs, all or none, and saves them before it returns. */
	add(items: NewId[]): AddResult {
		if (this.isStopped) {
			return { ok: false, reason: 'stopped', message: 'This trigger no longer watches IDs.' };
		}
		const added = this.state.add(items, true, this.readClocks());
		if (added.ok) this.save();
		this.wake();
		return added;
	}

	/** Forgets an ID: nothing is emitted for it, unless it has ended before. */
	drop(id: string): void {
		if (this.isStopped) return;
		this.state.drop(id.trim());
		this.save();
		this.wake();
	}

	/**
	 * Watches until the signal is aborted, the service rejects the credential or, with `untilIdle`, nothing is left to
	 * watch. Saves the state and reports expired starts synchronously; polls and emits only after the caller has continued.
	 * Rejects if `save` or `report` throws.
	 */
	async run(signal: AbortSignal, { untilIdle = false } = {}): Promise<WatcherStop> {
		const wake = () => {
			this.startsAbort.abort(WAKE_UP);
			this.wake();
		};
		signal.addEventListener('abort', wake);
		this.captureHookError(() => {
			this.save();
			this.reportOldIds();
		});
		void this.requestRestoredStarts(this.state.takeEnded());
		const shouldRun = () =>
			!signal.aborted && this.credentialRejectionMessage === undefined && !this.hookFailure;
		while (shouldRun() && !(untilIdle && this.state.isIdle)) {
			await this.sleepUntilDue();
			if (shouldRun()) this.runDue(signal);
		}
		this.isStopped = true;
		this.startsAbort.abort(WAKE_UP);
		signal.removeEventListener('abort', wake);
		if (this.hookFailure) throw this.hookFailure.error;
		return { credentialRejectionMessage: this.credentialRejectionMessage };
	}

	/** Ends expired IDs, requests due starts and sends due polls. */
	private runDue(signal: AbortSignal): void {
		this.captureHookError(() => {
			this.state.expire(this.readClocks());
			this.saveAndStart();
			this.reportOldIds();
			for (;;) {
				const moment = this.readClocks();
				const due = this.state.takeDue(this.inFlight, moment);
				if (!due) return;
				if (due.report) this.hooks.report?.(due.report);
				const { id, data, subject, polls: pollNumber, seenOutstanding = false } = due.entry;
				const watched = { id, data, subject, pollNumber, seenOutstanding };
				this.inFlight++;
				void this.poll(watched, moment.monotonicMs, signal);
			}
		});
	}

	/** Reports IDs from before the last restart. */
	private reportOldIds(): void {
		const { wallMs } = this.readClocks();
		for (const report of this.state.takeReports(wallMs)) this.hooks.report?.(report);
	}

	private async poll(watched: WatchedId, sentAt: number, signal: AbortSignal): Promise<void> {
		const pollResult = await this.fetchResult(watched, signal);
		this.inFlight--;
		if (this.isStopped || signal.aborted) return;
		this.captureHookError(() => {
			const consequence = this.state.applyResult(watched.id, sentAt, pollResult, this.readClocks());
			this.credentialRejectionMessage ??= consequence.credentialRejectionMessage;
			if (consequence.report) this.hooks.report?.(consequence.report);
			this.saveAndStart();
		});
		const shouldStop =
			this.credentialRejectionMessage !== undefined ||
			this.hookFailure !== undefined ||
			this.state.isIdle;
		if (shouldStop || this.state.nextDueAt(this.inFlight) < this.wakeAt) this.wake();
	}

	private async fetchResult(watched: WatchedId, signal: AbortSignal): Promise<PollResult> {
		try {
			return await this.hooks.pollId(watched, signal);
		} catch (error) {
			return { kind: 'unavailable', message: messageOf(error) };
		}
	}

	/** Saves changes first and only then requests starts for the IDs that have ended. */
	private saveAndStart(): void {
		const ended = this.state.takeEnded();
		this.save();
		if (ended.length > 0)
			void this.starts.request(this.toStartRequests(ended), this.startsAbort.signal);
	}

	private async requestRestoredStarts(ended: SavedId[]): Promise<void> {
		if (ended.length === 0) return;
		const { signal } = this.startsAbort;
		await this.hooks.sleep(REPEATED_START_DELAY_MS, signal).catch(() => undefined);
		if (!signal.aborted) await this.starts.request(this.toStartRequests(ended), signal);
	}

	private readonly toStartRequests = (ended: SavedId[]) =>
		ended.map((entry) => ({
			key: entry.id,
			cause: entry,
			emit: async () => await this.hooks.emit(toEndedId(entry, entry.end!)),
			markConfirmed: () => {
				this.state.confirmStart(entry.id);
				this.wake();
			},
		}));

	private saveStarts(): void {
		this.state.noteStartChanged();
		this.save();
	}

	private save(): void {
		const snapshot = this.hooks.save && this.state.takeUnsaved();
		if (snapshot) this.hooks.save?.(snapshot);
	}

	/** Keeps an error that a hook throws, so that `run` rejects with it. No other caller would see the error. */
	private captureHookError(work: () => void): void {
		try {
			work();
		} catch (error) {
			this.hookFailure ??= { error };
		}
	}

	private wake(): void {
		this.sleepAbort?.abort(WAKE_UP);
	}

	/** Sleeps until something is due or `wake` is called. The loop checks for events before the next sleep. */
	private async sleepUntilDue(): Promise<void> {
		this.wakeAt = this.state.nextDueAt(this.inFlight);
		const wait = Math.ceil(this.wakeAt - this.clock.monotonic());
		this.sleepAbort = new AbortController();
		await this.hooks
			.sleep(Math.max(MIN_SLEEP_MS, Math.min(wait, MAX_SLEEP_MS)), this.sleepAbort.signal)
			.catch(() => undefined);
	}

	private readClocks(): ClockReading {
		return { wallMs: this.clock.now(), monotonicMs: this.clock.monotonic() };
	}
}
