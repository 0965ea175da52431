import { DueQueue } from './dueQueue';
import { classifyBadResult } from './failureScope';
import { IdRegister } from './idRegister';
import type { RestoredIds } from './idSnapshot';
import { Pace } from './pace';
import { isRepeatedEnough, newPollState, pollDelayMs } from './pollState';
import type { DuePoll, IdEnd, PollConsequence, PollState } from './pollState';
import type { Starts } from './starts';
import type {
	AddResult,
	BadResult,
	ClockReading,
	ServiceFault,
	GoodResult,
	NewId,
	IdReport,
	SavedId,
	IdSnapshot,
	PollResult,
	WatchOptions,
} from './types';

/** An ID whose deadline passed while no process watched it is still polled for this long. */
const LAST_POLL_GRACE_MS = 30_000;
/** An ID's last known state is kept only this close to its deadline, as the result if the service is then unavailable. */
const KEEP_NOTE_BEFORE_DEADLINE_MS = 15 * 60_000;

/**
 * State machine of the watcher: schedules polls, interprets results, ends IDs and applies backoff. Pure: the loop supplies
 * time and events.
 *
 * An ID changes from watched to ended (result saved, start not confirmed) to ended and confirmed, and never back.
 */
export class WatchState {
	private readonly register: IdRegister;
	private readonly pace: Pace;
	private readonly pollTimes = new DueQueue();
	private readonly deadlines = new DueQueue();
	private readonly pollStates = new Map<string, PollState>();
	/** IDs that have ended since `takeEnded` was last called. */
	private ended: SavedId[] = [];
	private hasUnsavedChanges = true;
	private hasReportedUnknownState = false;

	/** Restores saved state. `enteredIds` are the IDs in the node now; the caller must still `add` the new ones. */
	constructor(
		private readonly options: WatchOptions,
		private readonly random: () => number,
		starts: Starts<SavedId>,
		restoredIds: RestoredIds,
		enteredIds: string[],
		moment: ClockReading,
	) {
		this.register = new IdRegister(options, starts, restoredIds, enteredIds, moment.wallMs);
		this.pace = new Pace(options, random);
		// The previous process may have polled a moment ago, so the first poll comes after one interval.
		this.schedule([...this.register.watchedEntries()], moment, options.intervalMs);
		this.ended = [...this.register.unconfirmedEntries()];
	}

	get watchedCount(): number {
		return this.register.watchedCount;
	}

	/** Whether nothing is left to do: no ID is watched, and no start is unconfirmed. */
	get isIdle(): boolean {
		return this.register.size === 0;
	}

	/** Adds IDs: all of them, or none and the reason. */
	add(items: NewId[], areSubmitted: boolean, moment: ClockReading): AddResult {
		const { result, fresh } = this.register.add(items, areSubmitted, moment.wallMs);
		if (result.ok) {
			this.schedule(fresh, moment, 0);
			this.hasUnsavedChanges = true;
		}
		return result;
	}

	/** Returns the next ID to poll, if one is due and the pace allows it, and counts the poll. */
	takeDue(inFlight: number, { monotonicMs }: ClockReading): DuePoll | undefined {
		if (inFlight >= this.pace.maxInFlight || this.pace.readyAt > monotonicMs) return undefined;
		const due = this.pollTimes.take(monotonicMs);
		const entry = due && this.register.get(due.id);
		if (!entry) return undefined;
		entry.polls++;
		const lateByMs = monotonicMs - due.dueAt;
		return { entry, report: this.pace.recordSent(monotonicMs, lateByMs, this.watchedCount) };
	}

	/** Applies the result of a request sent at `sentAt`. If the ID has ended, the result changes only the pace. */
	applyResult(
		id: string,
		sentAt: number,
		pollResult: PollResult,
		moment: ClockReading,
	): PollConsequence {
		switch (pollResult.kind) {
			case 'pending':
			case 'finished':
			case 'doubtful':
			case 'missing':
				return this.applyGoodResult(id, sentAt, pollResult, moment);
			case 'failed':
			case 'unrecognized':
			case 'credentialRejected':
				return this.applyBadResult(id, sentAt, pollResult, moment);
			case 'rateLimited':
			case 'unavailable':
				return this.applyFault(id, sentAt, pollResult, moment);
		}
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
			const late = this.deadlines.take(moment.monotonicMs);
			if (!late) return;
			const { note, lastMessage } = this.pollStates.get(late.id)!;
			const trouble = lastMessage ?? this.pace.currentFaultMessage;
			const endedAgoMs =
				moment.wallMs - this.register.get(late.id)!.addedAt - this.options.maxWaitMs!;
			this.end(late.id, { outcome: 'stillOutstanding', result: note, trouble, endedAgoMs }, moment);
		}
	}

	/** Returns reports on IDs from before the last restart. */
	takeReports(now: number): IdReport[] {
		return this.register.takeReports(now);
	}

	/** Returns a snapshot if something has changed since the last call. The caller must save it before it emits anything. */
	takeUnsaved(): IdSnapshot | undefined {
		if (!this.hasUnsavedChanges) return undefined;
		this.hasUnsavedChanges = false;
		return this.register.snapshot();
	}

	snapshot(): IdSnapshot {
		return this.register.snapshot();
	}

	/**
	 * Returns the IDs whose start is to be requested, in the order in which they ended: first those from before the last
	 * restart, later those that have ended since the last call.
	 */
	takeEnded(): SavedId[] {
		return this.ended.splice(0);
	}

	/** Marks the state as changed, because a start was requested or rejected. */
	noteStartChanged(): void {
		this.hasUnsavedChanges = true;
	}

	/** Records that n8n started the workflow for the ID, upon this request or an earlier one. */
	confirmStart(id: string): void {
		if (this.register.confirmStart(id)) this.hasUnsavedChanges = true;
	}

	/** Returns when the next poll or deadline is due; `Infinity` if nothing is scheduled. */
	nextDueAt(inFlight: number): number {
		const poll =
			inFlight < this.pace.maxInFlight
				? Math.max(this.pollTimes.nextDueAt(), this.pace.readyAt)
				: Infinity;
		return Math.min(poll, this.deadlines.nextDueAt());
	}

	/** Schedules the first polls, spread over one interval, and the deadlines. */
	private schedule(entries: SavedId[], moment: ClockReading, delayMs: number): void {
		const { wallMs, monotonicMs } = moment;
		const { intervalMs, maxWaitMs } = this.options;
		entries.forEach((entry, index) => {
			this.pollStates.set(entry.id, newPollState(entry, monotonicMs));
			this.pollTimes.set(entry.id, monotonicMs + delayMs + (intervalMs * index) / entries.length);
			if (maxWaitMs === undefined) return;
			const remainingMs = Math.min(maxWaitMs, entry.addedAt + maxWaitMs - wallMs);
			const graceMs = Math.min(LAST_POLL_GRACE_MS, maxWaitMs);
			this.deadlines.set(entry.id, monotonicMs + Math.max(remainingMs, graceMs));
		});
	}

	/** Applies a result that shows that the service works, as even `missing` does. */
	private applyGoodResult(
		id: string,
		sentAt: number,
		result: GoodResult,
		moment: ClockReading,
	): PollConsequence {
		const { monotonicMs } = moment;
		this.pace.recordGoodPoll(id, sentAt, monotonicMs, this.watchedCount);
		const state = this.pollStates.get(id);
		if (!state) return {};
		state.hasGoodResult = true;
		state.failures = 0;
		const unknownState = result.kind === 'pending' ? result.message : undefined;
		state.lastMessage = unknownState;
		if (result.kind === 'pending') {
			state.repeated = undefined;
			// Near the deadline, the ID's present state may become its result.
			const leftMs = (this.deadlines.timeOf(id) ?? Infinity) - monotonicMs;
			state.note = leftMs <= KEEP_NOTE_BEFORE_DEADLINE_MS ? result.note : undefined;
			this.register.markOutstanding(id);
			if (this.options.endsWhilePending)
				this.end(
					id,
					{ outcome: 'stillOutstanding', result: result.note, trouble: unknownState },
					moment,
				);
		} else if (result.kind === 'finished') this.end(id, result, moment);
		else if (isRepeatedEnough(state, result.kind)) {
			this.end(id, result.kind === 'doubtful' ? result : { outcome: 'gone' }, moment);
		}
		if (this.pollStates.has(id)) this.pollTimes.set(id, monotonicMs + this.pollDelayMs(state));
		if (unknownState === undefined || this.hasReportedUnknownState) return {};
		this.hasReportedUnknownState = true;
		return { report: { kind: 'unknownState', message: unknownState } };
	}

	/** Applies a result that may concern the ID alone or the whole service. */
	private applyBadResult(
		id: string,
		sentAt: number,
		result: BadResult,
		moment: ClockReading,
	): PollConsequence {
		const { kind, message } = result;
		const { monotonicMs } = moment;
		const state = this.pollStates.get(id);
		if (state) state.lastMessage = message;
		const scope = classifyBadResult(this.pace, { id, kind, state, monotonicMs }, this.watchedCount);
		if (scope === 'service') {
			if (kind === 'credentialRejected') return { credentialRejectionMessage: message };
			return this.applyFault(id, sentAt, { kind, message }, moment);
		}
		const isConfirmed = kind === 'unrecognized' && isRepeatedEnough(state, kind) && scope === 'id';
		if (isConfirmed && result.outcome)
			this.end(id, { outcome: result.outcome, result: result.result }, moment);
		else this.pollLessOften(id, state, monotonicMs);
		return {};
	}

	/** Applies a fault of the service: all polls slow down. */
	private applyFault(id: string, sentAt: number, fault: ServiceFault, moment: ClockReading) {
		const { monotonicMs } = moment;
		const { pace, watchedCount } = this;
		const { isFirst, report } = pace.recordFault(fault, sentAt, monotonicMs, watchedCount);
		const state = this.pollStates.get(id);
		if (state && fault.kind === 'unrecognized') state.repeated = undefined;
		if (isFirst || fault.kind === 'failed') this.pollLessOften(id, state, monotonicMs);
		else if (state) this.pollTimes.set(id, monotonicMs + this.pollDelayMs(state));
		return { report };
	}

	/** Doubles the interval until the next poll of an ID, up to the limit. */
	private pollLessOften(id: string, state: PollState | undefined, monotonicMs: number): void {
		if (!state) return;
		state.failures++;
		this.pollTimes.set(id, monotonicMs + this.pollDelayMs(state));
	}

	private pollDelayMs(state: PollState): number {
		return pollDelayMs(state, this.options, this.random);
	}

	private end(id: string, ending: IdEnd, { wallMs }: ClockReading): void {
		const { outcome, result, trouble, endedAgoMs } = ending;
		const end = { outcome, endedAt: wallMs, result, trouble };
		this.unschedule(id);
		const entry = this.register.end(id, end, endedAgoMs);
		if (entry) this.ended.push(entry);
		this.hasUnsavedChanges = true;
	}

	private unschedule(id: string): void {
		this.pollStates.delete(id);
		this.pollTimes.delete(id);
		this.deadlines.delete(id);
	}
}
