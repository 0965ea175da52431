import type { IDataObject } from 'n8n-workflow';

import { JUMP_MS } from './serviceClock';
import { FURTHEST_ZONE_MS, namedTime } from './time';
import type { FollowOptions, Source } from './types';

/** How far the first poll reaches back: what changed in that time is known, so a date without a zone cannot make it new. */
export const FIRST_REACH_MS = 2 * FURTHEST_ZONE_MS;
/** How far the clock of the Date header and the one that stamps records may be apart. */
export const MOST_APART_MS = 3_600_000;
/**
 * So often a poll reaches back further, and so far: it finds changes whose stamps are behind the cursor. Nothing else shows that
 * the clock that stamps records was set back while the one of the Date header was not.
 */
const WIDE_EVERY_MS = 15 * 60_000;
const WIDE_REACH_MS = 2 * 3_600_000;

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
	private readsFrom: number | undefined;
	private usualFrom: number | undefined;
	private polledAt = -Infinity;
	private wideAt: number;
	/** When the last complete poll began, by the Date header and by the monotonic clock. */
	private last: { date: number; at: number } | undefined;
	/** How far the stamps' clock is ahead of the monotonic one at least; and by changes that a usual poll would have missed. */
	private ahead: number | undefined;
	private aheadLate: number | undefined;
	private newest: number | undefined;
	private hasSeenAny = false;
	private isPolled = false;
	private behindMs: number | undefined;
	/** Of the poll that is under way: when its first answer came, and to when the clock had been set back by then. */
	private began: { date: number; at: number } | undefined;
	private setBackTo: number | undefined;

	constructor(
		private readonly options: Pick<FollowOptions, 'overlapMs' | 'includeExisting'>,
		saved?: { cursor?: number; knownFrom?: number },
	) {
		this.cursor = saved?.cursor;
		this.coveredFrom = saved?.knownFrom ?? Infinity;
		// Clocks may have been set while nothing was polled.
		this.wideAt = -Infinity;
	}

	get reached(): number | undefined {
		return this.cursor;
	}

	get knownFrom(): number | undefined {
		return this.coveredFrom === Infinity ? undefined : this.coveredFrom;
	}

	/** The latest time that is known without a Date header. */
	get latest(): number {
		return Math.max(this.newest ?? 0, this.cursor ?? 0);
	}

	/** Begins as if the list had been read until a time. */
	beginAt(time: number): void {
		this.cursor ??= time;
		this.coveredFrom = Math.min(this.coveredFrom, time);
	}

	/** Begins a poll. Returns from when on the list is read; nothing if all of it is. */
	since(
		source: Source,
		{ now, floor = Infinity, at }: { now: number | undefined; floor?: number; at: number },
	): number | undefined {
		this.polledAt = at;
		this.aheadLate = undefined;
		this.behindMs = undefined;
		this.began = undefined;
		this.setBackTo = undefined;
		this.readsFrom = this.usualFrom = this.startOf(source, now, floor);
		const { cursor, coveredFrom } = this;
		if (this.usualFrom !== undefined && cursor !== undefined && at >= this.wideAt) {
			const wide = Math.max(coveredFrom, cursor - WIDE_REACH_MS);
			this.readsFrom = Math.min(this.usualFrom, wide);
		}
		return this.readsFrom;
	}

	private startOf(
		{ filtered, keepsAll }: Source,
		now: number | undefined,
		floor: number,
	): number | undefined {
		const { overlapMs, includeExisting } = this.options;
		if (!filtered) return undefined;
		const { cursor } = this;
		if (cursor !== undefined) return Number.isFinite(cursor) ? cursor - overlapMs : undefined;
		if (includeExisting || keepsAll || now === undefined) return undefined;
		return Math.min(now, floor) - FIRST_REACH_MS - overlapMs;
	}

	/** The cursor that has the first poll repeated; nothing if it must be the first again. */
	beginning(source: Source): number | undefined {
		const { overlapMs, includeExisting } = this.options;
		if (this.readsFrom !== undefined) return this.readsFrom + overlapMs;
		return source.filtered || includeExisting ? undefined : -Infinity;
	}

	/** Notes what a record shows of the stamps' clock. `isNews`: whether it has changed since it was known, or is unknown. */
	note(
		record: IDataObject,
		{ filtered, facets: { stamp, once } }: Source,
		{ now, at, isNews }: { now: number | undefined; at: number; isNews: boolean },
	): void {
		this.hasSeenAny = true;
		const made = once.map((one) => one.at);
		for (const names of stamp === undefined ? made : [[stamp], ...made]) {
			const { latest = NaN, exact = false } = namedTime(record, names) ?? {};
			if (!exact || Number.isNaN(latest)) continue;
			if (latest > (this.newest ?? -Infinity)) this.newest = latest;
			// Where there is a stamp, other dates say less. A date in the future comes from another clock.
			if ((stamp !== undefined && names[0] !== stamp) || latest > (now ?? Infinity)) continue;
			// Once the clock was set back, stamps from before lie in its future: only what has just changed tells the time.
			if (isNews || !this.isPolled) this.ahead = Math.max(this.ahead ?? -Infinity, latest - at);
			// Only a stamp says when the record was changed.
			if (isNews && filtered && stamp !== undefined) this.noteChange(latest, now, at);
		}
	}

	/** Notes the stamp of a change: whether it is older than it can be by the Date header. */
	private noteChange(stamp: number, now: number | undefined, at: number): void {
		if (this.cursor === undefined) return;
		if (stamp < (this.usualFrom ?? -Infinity)) {
			this.aheadLate = Math.max(this.aheadLate ?? -Infinity, stamp - at);
		}
		if (now === undefined || !this.last) return;
		// By how much the change seems to be older than the last poll, which did not show it.
		const lastPoll = now - (at - this.last.at);
		const isSteady = Math.abs(lastPoll - this.last.date) <= JUMP_MS;
		const behind = lastPoll - stamp;
		if (isSteady && behind > this.options.overlapMs) {
			this.behindMs = Math.max(this.behindMs ?? 0, behind);
		}
	}

	/**
	 * Takes in the first answer of a poll, by the Date header and by the monotonic clock. Returns the time to which the clock was
	 * set back since the last poll: what was changed in between may be stamped by the clock as it was or as it is.
	 */
	answered(began: number | undefined, at: number): number | undefined {
		const { last, cursor } = this;
		this.began = began === undefined ? undefined : { date: began, at };
		this.setBackTo = undefined;
		if (began === undefined || cursor === undefined) return undefined;
		const jump = last ? began - (last.date + at - last.at) : 0;
		// Machines behind one address whose clocks differ look like a clock that is set back again and again. The two clocks are
		// never further apart than this, so that the cursor need not go back further.
		const lowest = began - MOST_APART_MS;
		if (jump < -JUMP_MS) this.setBackTo = Math.min(Math.max(cursor + jump, lowest), began);
		// After a restart it is not known when the last poll was: all of the time counts whose records are known.
		else if (!this.isPolled && began < cursor - JUMP_MS) {
			this.setBackTo = Math.max(this.coveredFrom, began - FIRST_REACH_MS);
		}
		if (this.ahead !== undefined && jump < -JUMP_MS) {
			this.ahead = Math.max(this.ahead + jump, Math.min(this.ahead, lowest - at));
		}
		return this.setBackTo;
	}

	/**
	 * Notes that the list was read to its end. Where the service tells no time, its newest stamp counts; where there is none
	 * either, all that comes is new. Returns by how much stamps are behind the Date header, if that is more than the overlap.
	 */
	complete(): number | undefined {
		const { behindMs, aheadLate, began, setBackTo } = this;
		this.coveredFrom = Math.min(this.coveredFrom, this.readsFrom ?? -Infinity);
		if (this.polledAt >= this.wideAt) this.wideAt = this.polledAt + WIDE_EVERY_MS;
		this.isPolled = true;
		if (aheadLate !== undefined) {
			this.ahead = aheadLate;
			this.newest = this.polledAt + aheadLate;
		}
		if (began) this.last = began;
		const cursor = began ? this.proven(began.date) : (this.newest ?? -Infinity);
		const isBack = aheadLate !== undefined || this.cursor === undefined;
		if (setBackTo !== undefined) this.cursor = Math.min(cursor, setBackTo);
		else this.cursor = isBack ? cursor : Math.max(this.cursor!, cursor);
		return behindMs;
	}

	/** Notes that records were forgotten that were last seen at a time. */
	forgot(until: number): void {
		this.coveredFrom = Math.max(this.coveredFrom, until + MOST_APART_MS);
	}

	/** How far the stamps' clock surely was when the poll began. */
	private proven(began: number): number {
		if (this.ahead !== undefined) return Math.min(began, this.polledAt + this.ahead);
		if (this.hasSeenAny) return began;
		const { overlapMs } = this.options;
		const { readsFrom } = this;
		return (
			this.cursor ?? (readsFrom === undefined ? began - FIRST_REACH_MS : readsFrom + overlapMs)
		);
	}
}
