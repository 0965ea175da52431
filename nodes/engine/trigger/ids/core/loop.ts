import { WatchState } from './state';
import { WATCH_DEFAULTS } from './types';
import type {
	AddResult,
	Clock,
	Ended,
	ClockReading,
	NewId,
	IdReport,
	IdSnapshot,
	PollResult,
	WatchOptions,
} from './types';

/** The longest nap: a timer cannot hold more than 24 days, and a short one costs nothing. */
const MAX_SLEEP_MS = 60_000;
/** The shortest nap: what becomes due meanwhile is done together, which costs a tenth where thousands are watched. */
const MIN_SLEEP_MS = 5;
/** Why a nap ends early; made once, since errors are dear and naps many. */
const WAKE_UP = new Error('awake');

/** An id as the one who asks the service gets it. */
export interface Watched {
	readonly id: string;
	readonly data?: unknown;
	readonly subject?: string;
	/** Which poll this is, from 1. */
	readonly polls: number;
	readonly seenOutstanding: boolean;
}

/** What a watcher needs from outside. */
export interface WatchHooks {
	/** Asks the service about one id. A rejection counts as a sick service. */
	fetch(watched: Watched, signal: AbortSignal): Promise<PollResult>;
	/**
	 * Starts the workflow, or decides that this outcome starts none. Resolves when it is started, was started before or need
	 * not be; rejects when it was not, and then is called again. By then the end is saved.
	 */
	emit(ended: Ended): Promise<unknown>;
	/** Keeps a snapshot, at once: it is called before `emit` and must not wait. */
	save?(snapshot: IdSnapshot): void;
	/** Tells people. */
	report?(report: IdReport): void;
	/** Waits, and rejects when the signal is given: `sleep` of n8n-workflow. */
	sleep(ms: number, signal: AbortSignal): Promise<unknown>;
	clock?: Clock;
	random?: () => number;
}

/** Why a watcher stopped. */
export interface WatcherStop {
	/** The service's words when it refused the credential. */
	refused?: string;
}

const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : 'No answer';

/** The computer's own clocks. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Polls ids until each has ended, and has each end emitted. Make one, `run` it once; add ids at any time in between.
 *
 * What it guarantees, given that emitting the same id twice is harmless (n8n's deduplication key): every id that was saved
 * ends in one outcome; no id is polled sooner than its interval after its last answer, nor after its end; no more requests
 * are under way than allowed; after `run` has ended it neither asks, emits, saves nor reports.
 */
export class Watcher {
	private readonly options: WatchOptions;
	private readonly state: WatchState;
	private readonly clock: Clock;
	private inFlight = 0;
	private isStopped = false;
	/** What ends the nap, and what it is for: when there was something to do next as it began. */
	private sleeping: AbortController | undefined;
	private wakeAt = Infinity;
	private refused: string | undefined;
	private failure: { error: unknown } | undefined;

	/**
	 * Goes on from what was saved before (anything else is taken for nothing) and adds the ids that are typed.
	 * Throws if those cannot be watched.
	 */
	constructor(
		private readonly hooks: WatchHooks,
		options: Partial<WatchOptions> = {},
		saved?: unknown,
		typed: NewId[] = [],
	) {
		this.options = { ...WATCH_DEFAULTS, ...options };
		this.clock = hooks.clock ?? systemClock;
		const moment = this.readClocks();
		const ids = typed.map(({ id }) => id);
		const random = hooks.random ?? Math.random;
		this.state = new WatchState(this.options, random, saved, ids, moment);
		const added = this.state.add(typed, false, moment);
		if (!added.ok) throw new Error(added.message);
	}

	/** How many ids are watched. */
	get watched(): number {
		return this.state.watched;
	}

	/** All that must survive a restart, as plain JSON. */
	snapshot(): IdSnapshot {
		return this.state.snapshot();
	}

	/** Watches more ids, all or none, and saves them before it returns. */
	add(items: NewId[]): AddResult {
		if (this.isStopped) {
			return { ok: false, reason: 'stopped', message: 'This trigger no longer watches IDs.' };
		}
		const added = this.state.add(items, true, this.readClocks());
		if (added.ok) this.save();
		this.wake();
		return added;
	}

	/** Watches an id no more: nothing is emitted for it, unless it has ended before. */
	drop(id: string): void {
		this.state.drop(id.trim());
		this.save();
		this.wake();
	}

	/**
	 * Watches until the signal is given, the credential is refused or, if so wanted, nothing is left to watch. Saves at once, and
	 * tells what it found, but asks and emits only after the caller had its turn. Rejects if a hook fails that must not (save or report).
	 */
	async run(signal: AbortSignal, { untilIdle = false } = {}): Promise<WatcherStop> {
		const wake = () => this.wake();
		signal.addEventListener('abort', wake);
		this.catchFailure(() => {
			this.save();
			const startupReport = this.state.takeStartupReport();
			if (startupReport) this.hooks.report?.(startupReport);
		});
		const shouldRun = () => !signal.aborted && this.refused === undefined && !this.failure;
		while (shouldRun() && !(untilIdle && this.state.isIdle)) {
			await this.sleepUntilDue();
			if (shouldRun()) this.runDue(signal);
		}
		this.isStopped = true;
		signal.removeEventListener('abort', wake);
		if (this.failure) throw this.failure.error;
		return { refused: this.refused };
	}

	/** Does all that is to be done now. */
	private runDue(signal: AbortSignal): void {
		this.catchFailure(() => {
			this.state.expire(this.readClocks());
			this.saveThenStart();
			for (;;) {
				const moment = this.readClocks();
				const due = this.state.takeDue(this.inFlight, moment);
				if (!due) return;
				if (due.report) this.hooks.report?.(due.report);
				const { id, data, subject, polls, seen } = due.entry;
				const watched = { id, data, subject, polls, seenOutstanding: seen === true };
				this.inFlight++;
				void this.poll(watched, moment.at, signal);
			}
		});
	}

	private async poll(watched: Watched, sentAt: number, signal: AbortSignal): Promise<void> {
		const pollResult = await this.fetchResult(watched, signal);
		this.inFlight--;
		if (this.isStopped || signal.aborted) return;
		this.catchFailure(() => {
			const effect = this.state.applyResult(watched.id, sentAt, pollResult, this.readClocks());
			this.refused ??= effect.refused;
			if (effect.report) this.hooks.report?.(effect.report);
			this.saveThenStart();
		});
		const shouldStop =
			this.refused !== undefined || this.failure !== undefined || this.state.isIdle;
		if (shouldStop || this.state.nextAt(this.inFlight) < this.wakeAt) this.wake();
	}

	private async fetchResult(watched: Watched, signal: AbortSignal): Promise<PollResult> {
		try {
			return await this.hooks.fetch(watched, signal);
		} catch (error) {
			return { kind: 'sick', message: messageOf(error) };
		}
	}

	/** Saves what has changed and then, never before, starts what may be started. */
	private saveThenStart(): void {
		const starts = this.state.takeStarts(this.readClocks());
		this.save();
		for (const ended of starts) void this.start(ended);
	}

	private async start(ended: Ended): Promise<void> {
		try {
			await this.hooks.emit(ended);
			this.state.confirmStart(ended.id);
		} catch (error) {
			const report = this.state.rejectStart(ended.id, messageOf(error), this.readClocks());
			if (report && !this.isStopped) this.catchFailure(() => this.hooks.report?.(report));
		}
		this.wake();
	}

	private save(): void {
		const snapshot = this.hooks.save && this.state.takeUnsaved();
		if (snapshot) this.hooks.save?.(snapshot);
	}

	/** Keeps the failure of a hook for `run` to tell: nobody else hears of it. */
	private catchFailure(work: () => void): void {
		try {
			work();
		} catch (error) {
			this.failure ??= { error };
		}
	}

	private wake(): void {
		this.sleeping?.abort(WAKE_UP);
	}

	/** Naps until there is something to do. What happens outside a nap is seen before the next one. */
	private async sleepUntilDue(): Promise<void> {
		this.wakeAt = this.state.nextAt(this.inFlight);
		const wait = Math.ceil(this.wakeAt - this.clock.monotonic());
		this.sleeping = new AbortController();
		await this.hooks
			.sleep(Math.max(MIN_SLEEP_MS, Math.min(wait, MAX_SLEEP_MS)), this.sleeping.signal)
			.catch(() => undefined);
	}

	private readClocks(): ClockReading {
		return { now: this.clock.now(), at: this.clock.monotonic() };
	}
}
