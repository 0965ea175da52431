import type { IDataObject } from 'n8n-workflow';

import { CLOCK_JUMP_MS } from './serviceClock';
import { MAX_UTC_OFFSET_MS, readRecordTime } from './time';
import type { FollowOptions, Source } from './types';

/** How far the first poll reaches back: what changed in that time is known, so a date without a zone cannot make it new. */
export const FIRST_POLL_REACH_MS = 2 * MAX_UTC_OFFSET_MS;
/** How far the clock of the Date header and the one that stamps records may be apart. */
export const MAX_CLOCK_SKEW_MS = 3_600_000;
/**
 * So often a poll reaches back further, and so far: it finds changes whose stamps are behind the cursor. Nothing else shows that
 * the clock that stamps records was set back while the one of the Date header was not.
 */
const WIDE_POLL_INTERVAL_MS = 15 * 60_000;
const WIDE_POLL_REACH_MS = 2 * 3_600_000;

/**
 * How far a list was read, in the time of its records' stamps.
 *
 * The Date header of an answer need not come from the clock that stamps records. A fresh change shows how far the stamps' clock
 * is at least: its stamp lies in the past of that clock. The cursor therefore moves only as far as the stamps of changes prove,
 * extrapolated by our monotonic clock, and never beyond the Date header. Where records carry no exact dates, the header counts.
 */
export class Reach {
	/** The cursor: what was changed before it was read. */
	private cursor: number | undefined;
	/** Every record with a stamp after this is known. */
	private coveredFrom: number;
	/** From when on the poll reads that is under way, and from when on it would read if it did not reach back further. */
	private pollFrom: number | undefined;
	private regularFrom: number | undefined;
	private pollStartedAt = -Infinity;
	private nextWidePollAt: number;
	/** When the last complete poll began, by the Date header and by the monotonic clock. */
	private lastPoll: { date: number; at: number } | undefined;
	/** How far the stamps' clock is ahead of the monotonic one at least; and by changes that a usual poll would have missed. */
	private stampOffset: number | undefined;
	private lateStampOffset: number | undefined;
	private newestStamp: number | undefined;
	private hasSeenRecords = false;
	private hasCompletedPoll = false;
	private stampLagMs: number | undefined;
	/** Of the poll that is under way: when its first answer came, and to when the clock had been set back by then. */
	private firstAnswer: { date: number; at: number } | undefined;
	private setBackTo: number | undefined;

	constructor(
		private readonly options: Pick<FollowOptions, 'overlapMs' | 'includeExisting'>,
		saved?: { cursor?: number; knownFrom?: number },
	) {
		this.cursor = saved?.cursor;
		this.coveredFrom = saved?.knownFrom ?? Infinity;
		// Clocks may have been set while nothing was polled.
		this.nextWidePollAt = -Infinity;
	}

	get reached(): number | undefined {
		return this.cursor;
	}

	get knownFrom(): number | undefined {
		return this.coveredFrom === Infinity ? undefined : this.coveredFrom;
	}

	/** The latest time that is known without a Date header. */
	get latestKnownTime(): number {
		return Math.max(this.newestStamp ?? 0, this.cursor ?? 0);
	}

	/** Begins as if the list had been read until a time. */
	startFrom(time: number): void {
		this.cursor ??= time;
		this.coveredFrom = Math.min(this.coveredFrom, time);
	}

	/** Begins a poll. Returns from when on the list is read; nothing if all of it is. */
	beginPoll(
		source: Source,
		{ now, floor = Infinity, at }: { now: number | undefined; floor?: number; at: number },
	): number | undefined {
		this.pollStartedAt = at;
		this.lateStampOffset = undefined;
		this.stampLagMs = undefined;
		this.firstAnswer = undefined;
		this.setBackTo = undefined;
		this.pollFrom = this.regularFrom = this.regularStart(source, now, floor);
		const { cursor, coveredFrom } = this;
		if (this.regularFrom !== undefined && cursor !== undefined && at >= this.nextWidePollAt) {
			const wideFrom = Math.max(coveredFrom, cursor - WIDE_POLL_REACH_MS);
			this.pollFrom = Math.min(this.regularFrom, wideFrom);
		}
		return this.pollFrom;
	}

	private regularStart(
		{ filtered, keepsAll }: Source,
		now: number | undefined,
		floor: number,
	): number | undefined {
		const { overlapMs, includeExisting } = this.options;
		if (!filtered) return undefined;
		const { cursor } = this;
		if (cursor !== undefined) return Number.isFinite(cursor) ? cursor - overlapMs : undefined;
		if (includeExisting || keepsAll || now === undefined) return undefined;
		return Math.min(now, floor) - FIRST_POLL_REACH_MS - overlapMs;
	}

	/** The cursor that has the first poll repeated; nothing if it must be the first again. */
	cursorBeforeFirstPoll(source: Source): number | undefined {
		const { overlapMs, includeExisting } = this.options;
		if (this.pollFrom !== undefined) return this.pollFrom + overlapMs;
		return source.filtered || includeExisting ? undefined : -Infinity;
	}

	/** Notes what a record shows of the stamps' clock. `isChanged`: whether it has changed since it was known, or is unknown. */
	observeRecord(
		record: IDataObject,
		{ filtered, facets: { stamp, once } }: Source,
		{ now, at, isChanged }: { now: number | undefined; at: number; isChanged: boolean },
	): void {
		this.hasSeenRecords = true;
		const eventFields = once.map((one) => one.at);
		for (const names of stamp === undefined ? eventFields : [[stamp], ...eventFields]) {
			const { latest = NaN, exact = false } = readRecordTime(record, names) ?? {};
			if (!exact || Number.isNaN(latest)) continue;
			if (latest > (this.newestStamp ?? -Infinity)) this.newestStamp = latest;
			// Where there is a stamp, other dates say less. A date in the future comes from another clock.
			if ((stamp !== undefined && names[0] !== stamp) || latest > (now ?? Infinity)) continue;
			// Once the clock was set back, stamps from before lie in its future: only what has just changed tells the time.
			if (isChanged || !this.hasCompletedPoll)
				this.stampOffset = Math.max(this.stampOffset ?? -Infinity, latest - at);
			// Only a stamp says when the record was changed.
			if (isChanged && filtered && stamp !== undefined) this.observeChange(latest, now, at);
		}
	}

	/** Notes the stamp of a change: whether it is older than it can be by the Date header. */
	private observeChange(stamp: number, now: number | undefined, at: number): void {
		if (this.cursor === undefined) return;
		if (stamp < (this.regularFrom ?? -Infinity)) {
			this.lateStampOffset = Math.max(this.lateStampOffset ?? -Infinity, stamp - at);
		}
		if (now === undefined || !this.lastPoll) return;
		// By how much the change seems to be older than the last poll, which did not show it.
		const lastPollDate = now - (at - this.lastPoll.at);
		const isClockContinuous = Math.abs(lastPollDate - this.lastPoll.date) <= CLOCK_JUMP_MS;
		const lagMs = lastPollDate - stamp;
		if (isClockContinuous && lagMs > this.options.overlapMs) {
			this.stampLagMs = Math.max(this.stampLagMs ?? 0, lagMs);
		}
	}

	/**
	 * Takes in the first answer of a poll, by the Date header and by the monotonic clock. Returns the time to which the clock was
	 * set back since the last poll: what was changed in between may be stamped by the clock as it was or as it is.
	 */
	observeFirstAnswer(began: number | undefined, at: number): number | undefined {
		const { lastPoll, cursor } = this;
		this.firstAnswer = began === undefined ? undefined : { date: began, at };
		this.setBackTo = undefined;
		if (began === undefined || cursor === undefined) return undefined;
		const jump = lastPoll ? began - (lastPoll.date + at - lastPoll.at) : 0;
		// Machines behind one address whose clocks differ look like a clock that is set back again and again. The two clocks are
		// never further apart than this, so that the cursor need not go back further.
		const lowestCursor = began - MAX_CLOCK_SKEW_MS;
		if (jump < -CLOCK_JUMP_MS)
			this.setBackTo = Math.min(Math.max(cursor + jump, lowestCursor), began);
		// After a restart it is not known when the last poll was: all of the time counts whose records are known.
		else if (!this.hasCompletedPoll && began < cursor - CLOCK_JUMP_MS) {
			this.setBackTo = Math.max(this.coveredFrom, began - FIRST_POLL_REACH_MS);
		}
		if (this.stampOffset !== undefined && jump < -CLOCK_JUMP_MS) {
			this.stampOffset = Math.max(
				this.stampOffset + jump,
				Math.min(this.stampOffset, lowestCursor - at),
			);
		}
		return this.setBackTo;
	}

	/**
	 * Notes that the list was read to its end. Where the service tells no time, its newest stamp counts; where there is none
	 * either, all that comes is new. Returns by how much stamps are behind the Date header, if that is more than the overlap.
	 */
	completePoll(): number | undefined {
		const { stampLagMs, lateStampOffset, firstAnswer, setBackTo } = this;
		this.coveredFrom = Math.min(this.coveredFrom, this.pollFrom ?? -Infinity);
		if (this.pollStartedAt >= this.nextWidePollAt)
			this.nextWidePollAt = this.pollStartedAt + WIDE_POLL_INTERVAL_MS;
		this.hasCompletedPoll = true;
		if (lateStampOffset !== undefined) {
			this.stampOffset = lateStampOffset;
			this.newestStamp = this.pollStartedAt + lateStampOffset;
		}
		if (firstAnswer) this.lastPoll = firstAnswer;
		const cursor = firstAnswer
			? this.provenCursor(firstAnswer.date)
			: (this.newestStamp ?? -Infinity);
		const mayMoveBack = lateStampOffset !== undefined || this.cursor === undefined;
		if (setBackTo !== undefined) this.cursor = Math.min(cursor, setBackTo);
		else this.cursor = mayMoveBack ? cursor : Math.max(this.cursor!, cursor);
		return stampLagMs;
	}

	/** Notes that records were forgotten that were last seen at a time. */
	noteForgotten(until: number): void {
		this.coveredFrom = Math.max(this.coveredFrom, until + MAX_CLOCK_SKEW_MS);
	}

	/** How far the stamps' clock surely was when the poll began. */
	private provenCursor(began: number): number {
		if (this.stampOffset !== undefined)
			return Math.min(began, this.pollStartedAt + this.stampOffset);
		if (this.hasSeenRecords) return began;
		const { overlapMs } = this.options;
		const { pollFrom } = this;
		return (
			this.cursor ?? (pollFrom === undefined ? began - FIRST_POLL_REACH_MS : pollFrom + overlapMs)
		);
	}
}
