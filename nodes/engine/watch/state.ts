import { Pace } from './pace';
import { countRepeat } from './pollState';
import type { PollConsequence, PollState } from './pollState';
import { DueQueue } from './queue';
import { IdRegister } from './register';
import type {
	AddResult,
	EndedId,
	ClockReading,
	NewId,
	IdReport,
	SavedId,
	IdSnapshot,
	PollResult,
	WatchOptions,
} from './types';

/** Only lengthens a delay: an ID is never polled sooner than its interval. */
const JITTER = 0.1;
/** An ID whose deadline passed while no process watched it is still polled for this long. */
const LAST_POLL_GRACE_MS = 30_000;
/** How long before its deadline the state of an ID is kept: the service may be unavailable until then. */
const KEEP_NOTE_BEFORE_DEADLINE_MS = 15 * 60_000;
/** Pause between two batches of starts. */
const START_BATCH_GAP_MS = 50;
/** Delay of starts that are requested again after a restart: n8n must have registered the trigger first. */
const FIRST_REPEATED_START_MS = 1000;
/** Limit to the doublings of an ID's interval when its requests fail while those of other IDs succeed. */
const MAX_DOUBLINGS = 5;

/**
 * State machine of the watcher: schedules polls, interprets results, ends IDs, applies backoff and decides what to emit or
 * re-emit. Pure: the loop supplies time and events.
 *
 * An ID changes from watched to ended (result saved, start not confirmed) to ended and confirmed, and never back.
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

	/** Restores saved state. `enteredIds` are those that the node contains now; the caller still has to add the new ones. */
	constructor(
		private readonly options: WatchOptions,
		private readonly random: () => number,
		saved: unknown,
		enteredIds: string[],
		moment: ClockReading,
	) {
		this.register = new IdRegister(options, saved, enteredIds, moment.now);
		this.pace = new Pace(options, random);
		// The previous process may have polled a moment ago, so the first poll comes after one interval.
		this.schedule([...this.register.watchedEntries()], moment, options.intervalMs);
		for (const { id } of this.register.unconfirmedEntries()) {
			this.startTimes.set(id, moment.at + FIRST_REPEATED_START_MS);
		}
	}

	/** Number of watched IDs. */
	get watched(): number {
		return this.register.watchedCount;
	}

	/** Whether nothing is left to do: no ID is watched, and no start is unconfirmed. */
	get isIdle(): boolean {
		return this.register.size === 0;
	}

	/** Adds IDs: all of them, or none and the reason. */
	add(items: NewId[], areSubmitted: boolean, moment: ClockReading): AddResult {
		const { result, fresh } = this.register.add(items, areSubmitted, moment.now);
		if (result.ok) {
			this.schedule(fresh, moment, 0);
			this.hasUnsavedChanges = true;
		}
		return result;
	}

	/** Returns the next ID to poll, if one is due and the pace allows it, and counts the poll. */
	takeDue(
		inFlight: number,
		{ at }: ClockReading,
	): { entry: SavedId; report?: IdReport } | undefined {
		if (inFlight >= this.pace.maxInFlight || this.pace.readyAt > at) return undefined;
		const due = this.pollTimes.take(at);
		const entry = due && this.register.get(due.id);
		if (!entry) return undefined;
		entry.polls++;
		return { entry, report: this.pace.recordSent(at, at - due.at, this.watched) };
	}

	/** Applies the result of a request sent at `sentAt`. For an ID that has ended it changes only the pace. */
	applyResult(
		id: string,
		sentAt: number,
		pollResult: PollResult,
		moment: ClockReading,
	): PollConsequence {
		const { at } = moment;
		const state = this.pollStates.get(id);
		const { kind } = pollResult;
		const mayConcernId =
			kind === 'failed' || kind === 'credentialRejected' || kind === 'unrecognized';
		if (mayConcernId && state) state.problem = pollResult.message;
		const cause = mayConcernId ? this.causeOf(id, kind, state, at) : 'service';
		if (cause !== 'service') {
			const isCertain = kind === 'unrecognized' && countRepeat(state, kind) && cause === 'id';
			if (isCertain && pollResult.outcome)
				this.end(id, pollResult.outcome, pollResult.result, moment);
			else this.pollLessOften(id, state, at);
			return {};
		}
		if (kind === 'credentialRejected') return { rejection: pollResult.message };
		if (
			kind === 'rateLimited' ||
			kind === 'unavailable' ||
			kind === 'failed' ||
			kind === 'unrecognized'
		) {
			const { message = 'The service asks to slow down' } = pollResult;
			const retryAfterMs = 'retryAfterMs' in pollResult ? pollResult.retryAfterMs : undefined;
			const fault = this.pace.recordFault(sentAt, at, this.watched, message, retryAfterMs);
			if (state && kind === 'unrecognized') state.repeated = undefined;
			if (fault.first || kind === 'failed') this.pollLessOften(id, state, at);
			else if (state) this.pollTimes.set(id, at + this.pollDelayMs(state));
			return { report: fault.report };
		}
		this.pace.recordGoodPoll(id, sentAt, at, this.watched);
		if (state) this.advance(id, pollResult, state, moment);
		return {};
	}

	/** Forgets a watched ID as if it had never been added. An ID that has ended stays ended. */
	drop(id: string): void {
		if (!this.register.drop(id)) return;
		this.unschedule(id);
		this.hasUnsavedChanges = true;
	}

	/** Ends the IDs whose deadline has come. */
	expire(moment: ClockReading): void {
		for (;;) {
			const late = this.deadlines.take(moment.at);
			if (!late) return;
			const { note, problem = this.pace.currentFault } = this.pollStates.get(late.id)!;
			this.end(late.id, 'stillOutstanding', note, moment, problem);
		}
	}

	/** Returns the report on starts from before the last restart that expired, once. */
	takeStartupReport(): IdReport | undefined {
		const ended = this.register.takeUnreported();
		return ended.length > 0 ? { kind: 'startsUnclear', ended } : undefined;
	}

	/** Returns a snapshot if something has changed since the last call. It must be saved before anything is emitted. */
	takeUnsaved(): IdSnapshot | undefined {
		if (!this.hasUnsavedChanges) return undefined;
		this.hasUnsavedChanges = false;
		return this.register.snapshot();
	}

	snapshot(): IdSnapshot {
		return this.register.snapshot();
	}

	/**
	 * Returns the ended IDs whose start is to be requested now, in the order in which they ended. The caller must save that
	 * they are requested before it requests them.
	 */
	takeStarts({ at, now }: ClockReading): EndedId[] {
		const taken: EndedId[] = [];
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

	/** Records that n8n started the workflow for the ID, now or before. */
	confirmStart(id: string): void {
		if (this.register.confirmStart(id)) this.hasUnsavedChanges = true;
	}

	/** Records that n8n did not start the workflow for the ID, and schedules the next request with backoff. */
	rejectStart(id: string, message: string, { at }: ClockReading): IdReport | undefined {
		const { retryAfterMs, shouldReport } = this.register.rejectStart(id);
		this.hasUnsavedChanges = true;
		this.startTimes.set(id, at + retryAfterMs * (1 + JITTER * this.random()));
		return shouldReport ? { kind: 'startsRejected', message } : undefined;
	}

	/** Returns when something is due next unless an event comes first; `Infinity` if nothing is scheduled. */
	nextAt(inFlight: number): number {
		const poll =
			inFlight < this.pace.maxInFlight
				? Math.max(this.pollTimes.next(), this.pace.readyAt)
				: Infinity;
		const start = Math.max(this.startTimes.next(), this.nextStartBatchAt);
		return Math.min(poll, start, this.deadlines.next());
	}

	/** Schedules the first polls, spread over one interval, and the deadlines. */
	private schedule(entries: SavedId[], { now, at }: ClockReading, delayMs: number): void {
		const { intervalMs, maxWaitMs } = this.options;
		entries.forEach((entry, index) => {
			const hasGoodAnswer = entry.seen === true;
			this.pollStates.set(entry.id, { since: at, hasGoodAnswer, doublings: 0 });
			this.pollTimes.set(entry.id, at + delayMs + (intervalMs * index) / entries.length);
			if (maxWaitMs === undefined) return;
			const left = Math.min(maxWaitMs, entry.since + maxWaitMs - now);
			this.deadlines.set(entry.id, at + Math.max(left, Math.min(LAST_POLL_GRACE_MS, maxWaitMs)));
		});
	}

	/** Applies a good result about a watched ID. */
	private advance(id: string, pollResult: PollResult, state: PollState, moment: ClockReading) {
		const { kind } = pollResult;
		state.hasGoodAnswer = true;
		state.doublings = 0;
		state.problem = undefined;
		if (kind === 'pending') {
			state.repeated = undefined;
			state.note = this.isNearlyOver(id, moment.at) ? pollResult.note : undefined;
			this.register.get(id)!.seen = true;
		} else if (kind === 'finished') this.end(id, pollResult.outcome, pollResult.result, moment);
		else if (countRepeat(state, kind)) {
			if (kind === 'doubtful') this.end(id, pollResult.outcome, pollResult.result, moment);
			else this.end(id, 'gone', undefined, moment);
		}
		if (this.pollStates.has(id)) this.pollTimes.set(id, moment.at + this.pollDelayMs(state));
	}

	/**
	 * Returns whether a bad answer concerns this ID or the whole service. It concerns the ID if another ID got a good answer
	 * a moment ago. Where all other IDs have ended, an unrecognized response concerns the ID if another one got a good
	 * answer since this ID was added, unless the service has degraded: an ID that had good answers before, this one
	 * included, no longer gets them. While some IDs are still to be polled, it may be either.
	 */
	private causeOf(id: string, kind: PollResult['kind'], state: PollState | undefined, at: number) {
		const { pace } = this;
		const allPolled = pace.countComplaint(state?.hasGoodAnswer === true, this.watched);
		if (pace.wasGoodRecently(id, at)) return 'id';
		const wasOtherAnsweredSince = state !== undefined && pace.lastGoodAt(id) >= state.since;
		if (kind === 'unrecognized' && wasOtherAnsweredSince && !pace.hasDegraded) return 'id';
		return kind === 'credentialRejected' || allPolled ? 'service' : 'either';
	}

	/** Whether the present state of an ID may soon become its result. */
	private isNearlyOver(id: string, at: number): boolean {
		const deadline = this.deadlines.timeOf(id);
		return deadline !== undefined && deadline - at <= KEEP_NOTE_BEFORE_DEADLINE_MS;
	}

	/** Doubles the polling interval of an ID, up to the limit. */
	private pollLessOften(id: string, state: PollState | undefined, at: number): void {
		if (!state) return;
		state.doublings = Math.min(state.doublings + 1, MAX_DOUBLINGS);
		this.pollTimes.set(id, at + this.pollDelayMs(state));
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
