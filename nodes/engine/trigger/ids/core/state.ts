import { Pace } from './pace';
import { countRepeat } from './pollState';
import type { PollState } from './pollState';
import { DueQueue } from './queue';
import { IdRegister } from './register';
import type {
	AddResult,
	Ended,
	ClockReading,
	NewId,
	IdReport,
	SavedId,
	IdSnapshot,
	PollResult,
	WatchOptions,
} from './types';

/** Upward only: an id never comes sooner than its interval. */
const JITTER = 0.1;
/** An id whose deadline passed while nobody watched still gets this long to be looked at. */
const LAST_POLL_GRACE_MS = 30_000;
/** How long before its deadline it is noted what an id looks like: a service may be out of order for a while until then. */
const KEEP_NOTE_BEFORE_DEADLINE_MS = 15 * 60_000;
/** The pause after as many starts as may be made in one go. */
const START_BATCH_GAP_MS = 50;
/** Starts that are made again after a restart wait until n8n has taken note of the trigger. */
const FIRST_REPEATED_START_MS = 1000;
/** An id whose requests fail while others succeed is asked less and less, up to this many doublings. */
const MAX_DOUBLINGS = 5;

/** What came of an answer. */
export interface PollEffect {
	/** The credential was refused; the watcher must stop. */
	refused?: string;
	report?: IdReport;
}

/**
 * The watcher's mind: which id is due, what an answer means, when an id has ended, when to slow down, what to emit (again).
 * It does nothing by itself: whoever drives it (see loop) tells it the time and what happened, and obeys.
 *
 * An id goes from watched to ended (its result saved, its start not confirmed) to remembered; nothing leads back.
 */
export class WatchState {
	private readonly register: IdRegister;
	private readonly pace: Pace;
	private readonly pollTimes = new DueQueue();
	private readonly deadlines = new DueQueue();
	private readonly startTimes = new DueQueue();
	private readonly pollStates = new Map<string, PollState>();
	private nextStartBatchAt = -Infinity;
	private hasUnsavedChanges = true;

	/** Takes up what was saved, and which ids are typed now; typed ones that are new are still to be added. */
	constructor(
		private readonly options: WatchOptions,
		private readonly random: () => number,
		saved: unknown,
		typed: string[],
		moment: ClockReading,
	) {
		this.register = new IdRegister(options, saved, typed, moment.now);
		this.pace = new Pace(options, random);
		// Whoever watched before may have polled a moment ago, hence not before one interval has passed.
		this.schedule([...this.register.watchedEntries()], moment, options.intervalMs);
		for (const { id } of this.register.unconfirmedEntries()) {
			this.startTimes.set(id, moment.at + FIRST_REPEATED_START_MS);
		}
	}

	/** How many ids are watched. */
	get watched(): number {
		return this.register.watchedCount;
	}

	/** Whether nothing is left to do: no id watched, no start unconfirmed. */
	get isIdle(): boolean {
		return this.register.size === 0;
	}

	/** Watches ids from now on: all of them, or none and the reason. */
	add(items: NewId[], areSubmitted: boolean, moment: ClockReading): AddResult {
		const { result, fresh } = this.register.add(items, areSubmitted, moment.now);
		if (result.ok) {
			this.schedule(fresh, moment, 0);
			this.hasUnsavedChanges = true;
		}
		return result;
	}

	/** Gives the next id to poll, if one is due and may be polled now, and counts it as under way. */
	takeDue(
		inFlight: number,
		{ at }: ClockReading,
	): { entry: SavedId; report?: IdReport } | undefined {
		if (inFlight >= this.pace.maxInFlight || this.pace.readyAt > at) return undefined;
		const due = this.pollTimes.take(at);
		const entry = due && this.register.get(due.id);
		if (!entry) return undefined;
		entry.polls++;
		return { entry, report: this.pace.sent(at, at - due.at, this.watched) };
	}

	/** Takes in the answer to a request that was sent at a time. An answer to an id that has ended changes nothing but the pace. */
	applyResult(
		id: string,
		sentAt: number,
		pollResult: PollResult,
		moment: ClockReading,
	): PollEffect {
		const { at } = moment;
		const pollState = this.pollStates.get(id);
		const { kind } = pollResult;
		const concernsId = kind === 'failed' || kind === 'refused' || kind === 'unreadable';
		if (concernsId && pollState) pollState.problem = pollResult.message;
		const cause = concernsId ? this.causeOf(id, kind, pollState, at) : 'service';
		if (cause !== 'service') {
			const isCertain = kind === 'unreadable' && countRepeat(pollState, kind) && cause === 'id';
			if (isCertain && pollResult.outcome)
				this.end(id, pollResult.outcome, pollResult.result, moment);
			else this.pollLessOften(id, pollState, at);
			return {};
		}
		if (kind === 'refused') return { refused: pollResult.message };
		if (kind === 'busy' || kind === 'sick' || kind === 'failed' || kind === 'unreadable') {
			const { message = 'The service asks to slow down' } = pollResult;
			const retryAfterMs = 'retryAfterMs' in pollResult ? pollResult.retryAfterMs : undefined;
			const fault = this.pace.fault(sentAt, at, this.watched, message, retryAfterMs);
			if (pollState && kind === 'unreadable') pollState.repeated = undefined;
			if (fault.first || kind === 'failed') this.pollLessOften(id, pollState, at);
			else if (pollState) this.pollTimes.set(id, at + this.pollDelayMs(pollState));
			return { report: fault.report };
		}
		this.pace.good(id, sentAt, at, this.watched);
		if (pollState) this.applyGoodAnswer(id, pollResult, pollState, moment);
		return {};
	}

	/** Watches an id no more, as if nobody had ever asked for it. One that has ended stays ended. */
	drop(id: string): void {
		if (!this.register.drop(id)) return;
		this.unschedule(id);
		this.hasUnsavedChanges = true;
	}

	/** Ends the ids whose deadline has come. */
	expire(moment: ClockReading): void {
		for (;;) {
			const late = this.deadlines.take(moment.at);
			if (!late) return;
			const { note, problem = this.pace.currentFault } = this.pollStates.get(late.id)!;
			this.end(late.id, 'stillOutstanding', note, moment, problem);
		}
	}

	/** The report on what was found at the start, once. */
	takeStartupReport(): IdReport | undefined {
		const ended = this.register.takeUnreported();
		return ended.length > 0 ? { kind: 'unclear', ended } : undefined;
	}

	/** What has changed and must be saved before anything is emitted; absent if nothing has. */
	takeUnsaved(): IdSnapshot | undefined {
		if (!this.hasUnsavedChanges) return undefined;
		this.hasUnsavedChanges = false;
		return this.register.snapshot();
	}

	/** All that must survive a restart. */
	snapshot(): IdSnapshot {
		return this.register.snapshot();
	}

	/** Gives the ended ids to start workflows with now, in the order they ended. That they are asked for is to be saved first. */
	takeStarts({ at, now }: ClockReading): Ended[] {
		const taken: Ended[] = [];
		if (this.nextStartBatchAt > at) return taken;
		while (taken.length < this.options.startsAtATime) {
			const start = this.startTimes.take(at);
			if (!start) return taken;
			const ended = this.register.ended(start.id);
			if (!ended) continue;
			taken.push(ended);
			this.register.requestStart(start.id, now);
			this.hasUnsavedChanges = true;
		}
		this.nextStartBatchAt = at + START_BATCH_GAP_MS;
		return taken;
	}

	/** Notes that a workflow was started with the id, now or before. */
	confirmStart(id: string): void {
		if (this.register.confirmStart(id)) this.hasUnsavedChanges = true;
	}

	/** Notes that no workflow could be started with the id: it is tried again, later from time to time. */
	rejectStart(id: string, message: string, { at }: ClockReading): IdReport | undefined {
		const { retryAfterMs, shouldReport } = this.register.rejectStart(id);
		this.hasUnsavedChanges = true;
		this.startTimes.set(id, at + retryAfterMs * (1 + JITTER * this.random()));
		return shouldReport ? { kind: 'unstarted', message } : undefined;
	}

	/** When there is something to do next, if nothing happens before; `Infinity` when nothing is planned. */
	nextAt(inFlight: number): number {
		const poll =
			inFlight < this.pace.maxInFlight
				? Math.max(this.pollTimes.next(), this.pace.readyAt)
				: Infinity;
		const start = Math.max(this.startTimes.next(), this.nextStartBatchAt);
		return Math.min(poll, start, this.deadlines.next());
	}

	/** Spreads first polls over one interval. */
	private schedule(entries: SavedId[], { now, at }: ClockReading, delayMs: number): void {
		const { intervalMs, deadlineMs } = this.options;
		entries.forEach((entry, index) => {
			this.pollStates.set(entry.id, {
				since: at,
				hasGoodAnswer: entry.seen === true,
				doublings: 0,
			});
			this.pollTimes.set(entry.id, at + delayMs + (intervalMs * index) / entries.length);
			if (deadlineMs === undefined) return;
			const left = Math.min(deadlineMs, entry.since + deadlineMs - now);
			this.deadlines.set(entry.id, at + Math.max(left, Math.min(LAST_POLL_GRACE_MS, deadlineMs)));
		});
	}

	/** Takes in what the service says about a watched id when it is well. */
	private applyGoodAnswer(
		id: string,
		pollResult: PollResult,
		pollState: PollState,
		moment: ClockReading,
	): void {
		const { kind } = pollResult;
		pollState.hasGoodAnswer = true;
		pollState.doublings = 0;
		pollState.problem = undefined;
		if (kind === 'pending') {
			pollState.repeated = undefined;
			pollState.note = this.isNearlyOver(id, moment.at) ? pollResult.note : undefined;
			this.register.get(id)!.seen = true;
		} else if (kind === 'finished') this.end(id, pollResult.outcome, pollResult.result, moment);
		else if (countRepeat(pollState, kind)) {
			if (kind === 'doubtful') this.end(id, pollResult.outcome, pollResult.result, moment);
			else this.end(id, 'gone', undefined, moment);
		}
		if (this.pollStates.has(id)) this.pollTimes.set(id, moment.at + this.pollDelayMs(pollState));
	}

	/**
	 * Whether what is wrong is wrong with one id alone. Others show it that were answered well a moment ago. Where they have
	 * all ended, it is enough for an unreadable id that one was answered well since it came, unless the service has changed:
	 * an id that was answered well before, this one included, is not any more. As long as others are still to be asked, it may
	 * be either.
	 */
	private causeOf(
		id: string,
		kind: PollResult['kind'],
		pollState: PollState | undefined,
		at: number,
	) {
		const { pace } = this;
		const allPolled = pace.countComplaint(pollState?.hasGoodAnswer === true, this.watched);
		if (pace.wasGoodRecently(id, at)) return 'id';
		const wasOtherAnsweredSince = pollState !== undefined && pace.lastGoodAt(id) >= pollState.since;
		if (kind === 'unreadable' && wasOtherAnsweredSince && !pace.hasDegraded) return 'id';
		return kind === 'refused' || allPolled ? 'service' : 'either';
	}

	/** Whether what is known of an id may soon be its result. */
	private isNearlyOver(id: string, at: number): boolean {
		const deadline = this.deadlines.timeOf(id);
		return deadline !== undefined && deadline - at <= KEEP_NOTE_BEFORE_DEADLINE_MS;
	}

	/** Asks for an id more rarely from now on. */
	private pollLessOften(id: string, pollState: PollState | undefined, at: number): void {
		if (!pollState) return;
		pollState.doublings = Math.min(pollState.doublings + 1, MAX_DOUBLINGS);
		this.pollTimes.set(id, at + this.pollDelayMs(pollState));
	}

	private pollDelayMs({ doublings }: PollState): number {
		const { intervalMs, longestPauseMs } = this.options;
		const slowed = Math.max(intervalMs, Math.min(longestPauseMs, intervalMs * 2 ** doublings));
		return slowed * (1 + JITTER * this.random());
	}

	private end(
		id: string,
		outcome: string,
		result: unknown,
		{ now, at }: ClockReading,
		trouble?: string,
	) {
		this.register.end(id, { outcome, at: now, result, trouble });
		this.unschedule(id);
		this.startTimes.set(id, at);
		this.hasUnsavedChanges = true;
	}

	private unschedule(id: string): void {
		this.pollStates.delete(id);
		this.pollTimes.delete(id);
		this.deadlines.delete(id);
	}
}
