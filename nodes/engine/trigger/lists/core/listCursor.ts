import type { IDataObject } from 'n8n-workflow';

import { MAX_UTC_OFFSET_MS, readRecordTime } from '../../../values/recordTime';
import { CLOCK_JUMP_MS } from './serviceClock';
import type { FollowOptions, ListDefinition } from './types';

/**
 * How far the first poll reaches back. Records changed in that time are known afterwards, so a date without a time zone
 * cannot make them count as new.
 */
export const FIRST_POLL_REACH_MS = 2 * MAX_UTC_OFFSET_MS;
/** Largest assumed skew between the clock of the Date header and the clock that stamps records. */
export const MAX_CLOCK_SKEW_MS = 3_600_000;
/**
 * Every 15 minutes a wide poll reaches back two hours and finds changes stamped before the cursor. Nothing else shows that the
 * clock that stamps records was set back while the clock of the Date header was not.
 */
const WIDE_POLL_INTERVAL_MS = 15 * 60_000;
const WIDE_POLL_REACH_MS = 2 * 3_600_000;

/** State of the current poll. */
interface CurrentPoll {
	/** Monotonic time at which the poll began. */
	startedAt: number;
	/** The 'changed since' time of the poll. */
	from?: number;
	/** The 'changed since' time that the poll would have without the wide reach. */
	regularFrom?: number;
	isWide?: boolean;
	/** When the poll got its first response, by the Date header and by the monotonic clock. */
	firstResponse?: { date: number; monotonicMs: number };
	/** Set if the service's clock was set back before that response: the time to which the cursor moves back. */
	setBackTo?: number;
	/** Lower bound of the stamp clock minus the monotonic clock, from changes that a regular poll would have missed. */
	lateStampOffset?: number;
	/** By how much stamps lag behind the Date header, if that is more than the overlap. */
	stampLagMs?: number;
}

/**
 * Cursor of one list, in the time of its records' stamps.
 *
 * The Date header of a response need not come from the clock that stamps records. A fresh change gives a lower bound of the
 * stamp clock: its stamp lies in the past of that clock. The cursor therefore moves only as far as the stamps of changes
 * prove, extrapolated by our monotonic clock, and never beyond the Date header. If records have no exact dates, the cursor
 * follows the header.
 */
export class ListCursor {
	/** Changes stamped before the cursor were read. */
	private cursor: number | undefined;
	/** Every record stamped after this time is known. */
	private allKnownFrom: number;
	private poll: CurrentPoll = { startedAt: -Infinity };
	/** The first poll after a restart is wide: clocks may have been set while nothing was polled. */
	private nextWidePollAt = -Infinity;
	/** The saved cursor until that poll is complete, later `Infinity`. */
	private restoredCursor: number;
	/** Whether a wide poll began after the last complete poll. A wide poll has many pages, and each can fail. */
	private isWidePollUnfinished = false;
	/** When the last complete poll got its first response, by the Date header and by the monotonic clock. */
	private lastPoll: { date: number; monotonicMs: number } | undefined;
	/** Lower bound of the stamp clock minus the monotonic clock. */
	private stampOffset: number | undefined;
	private newestStamp: number | undefined;
	private hasSeenRecords = false;
	private hasCompletedPoll = false;

	constructor(
		private readonly options: Pick<FollowOptions, 'overlapMs' | 'includeExisting'>,
		savedCursor?: { cursor?: number; knownFrom?: number },
	) {
		this.cursor = savedCursor?.cursor;
		this.restoredCursor = this.cursor ?? Infinity;
		this.allKnownFrom = savedCursor?.knownFrom ?? Infinity;
	}

	/** Whether the current poll is wide. If it fails, the next polls are regular until one is complete. */
	get isPollWide(): boolean {
		return this.poll.isWide === true;
	}

	get time(): number | undefined {
		return this.cursor;
	}

	get knownFrom(): number | undefined {
		return this.allKnownFrom === Infinity ? undefined : this.allKnownFrom;
	}

	/** Estimate of the service's time for services without a Date header. */
	get latestKnownTime(): number {
		return Math.max(this.newestStamp ?? 0, this.cursor ?? 0);
	}

	/** Begins as if the list had been read up to a time. */
	assumeReadUpTo(time: number): void {
		this.cursor ??= time;
		this.allKnownFrom = Math.min(this.allKnownFrom, time);
	}

	/** Begins a poll. Returns the 'changed since' time to filter by; `undefined` to read all of the list. */
	beginPoll(
		list: ListDefinition,
		{
			serviceTimeMs,
			followedSince = Infinity,
			monotonicMs,
		}: { serviceTimeMs: number | undefined; followedSince?: number; monotonicMs: number },
	): number | undefined {
		const regularFrom = this.regularSince(list, serviceTimeMs, followedSince);
		const { cursor, allKnownFrom } = this;
		const isWideDue = monotonicMs >= this.nextWidePollAt && !this.isWidePollUnfinished;
		const isWide = regularFrom !== undefined && cursor !== undefined && isWideDue;
		this.isWidePollUnfinished ||= isWide;
		const wideFrom = Math.min(cursor ?? NaN, this.restoredCursor) - WIDE_POLL_REACH_MS;
		const from = isWide ? Math.min(regularFrom, Math.max(allKnownFrom, wideFrom)) : regularFrom;
		this.poll = { startedAt: monotonicMs, from, regularFrom, isWide };
		return from;
	}

	private regularSince(
		{ isFiltered, keepsAll }: ListDefinition,
		serviceTimeMs: number | undefined,
		followedSince: number,
	): number | undefined {
		const { overlapMs, includeExisting } = this.options;
		if (!isFiltered) return undefined;
		const { cursor } = this;
		if (cursor !== undefined) return Number.isFinite(cursor) ? cursor - overlapMs : undefined;
		if (includeExisting || keepsAll || serviceTimeMs === undefined) return undefined;
		return Math.min(serviceTimeMs, followedSince) - FIRST_POLL_REACH_MS - overlapMs;
	}

	/**
	 * Returns the cursor that makes a restarted trigger repeat the first poll. `undefined` if that poll must count as the first
	 * again.
	 */
	cursorBeforeFirstPoll(list: ListDefinition): number | undefined {
		const { overlapMs, includeExisting } = this.options;
		if (this.poll.from !== undefined) return this.poll.from + overlapMs;
		return list.isFiltered || includeExisting ? undefined : -Infinity;
	}

	/**
	 * Derives from a record how far the stamp clock is. `isChanged`: whether the record changed since it was last read, or is
	 * unknown.
	 */
	observeRecord(
		record: IDataObject,
		{ isFiltered, changeSchema: { stamp, oneTimeEvents } }: ListDefinition,
		{
			serviceTimeMs,
			monotonicMs,
			isChanged,
		}: { serviceTimeMs: number | undefined; monotonicMs: number; isChanged: boolean },
	): void {
		this.hasSeenRecords = true;
		const eventFields = oneTimeEvents.map((one) => one.dateFields);
		for (const names of stamp === undefined ? eventFields : [[stamp], ...eventFields]) {
			const { latest = NaN, exact = false } = readRecordTime(record, names) ?? {};
			if (!exact || Number.isNaN(latest)) continue;
			this.newestStamp = Math.max(this.newestStamp ?? -Infinity, latest);
			// If the list has a stamp field, other dates are weaker evidence. A date in the future comes from another clock.
			if ((stamp !== undefined && names[0] !== stamp) || latest > (serviceTimeMs ?? Infinity))
				continue;
			// Stamps written before the clock was set back can be later than the clock's present time, so only a fresh
			// change shows that time.
			if (isChanged || this.nextWidePollAt === -Infinity)
				this.stampOffset = Math.max(this.stampOffset ?? -Infinity, latest - monotonicMs);
			// Only the stamp field says when the record was changed.
			if (isChanged && isFiltered && stamp !== undefined)
				this.observeChange(latest, serviceTimeMs, monotonicMs);
		}
	}

	/** Checks whether the stamp of a change is older than the Date header allows. */
	private observeChange(
		stamp: number,
		serviceTimeMs: number | undefined,
		monotonicMs: number,
	): void {
		if (this.cursor === undefined) return;
		const { poll } = this;
		if (stamp < (poll.regularFrom ?? -Infinity)) {
			poll.lateStampOffset = Math.max(poll.lateStampOffset ?? -Infinity, stamp - monotonicMs);
		}
		if (serviceTimeMs === undefined || !this.lastPoll) return;
		// The last poll did not return the change, so the change's stamp should be later than that poll. `lagMs` is by how
		// much the stamp is earlier.
		const lastPollDate = serviceTimeMs - (monotonicMs - this.lastPoll.monotonicMs);
		const isClockContinuous = Math.abs(lastPollDate - this.lastPoll.date) <= CLOCK_JUMP_MS;
		const lagMs = lastPollDate - stamp;
		if (isClockContinuous && lagMs > this.options.overlapMs) {
			poll.stampLagMs = Math.max(poll.stampLagMs ?? 0, lagMs);
		}
	}

	/**
	 * Notes when the first response of a poll arrived, by the Date header and by the monotonic clock. If the service's clock
	 * was set back since the last poll, returns the time to which the cursor moves back. Changes in between may be stamped
	 * by the old or by the new time.
	 */
	observeFirstResponse(date: number | undefined, monotonicMs: number): number | undefined {
		const { lastPoll, cursor, poll } = this;
		poll.firstResponse = date === undefined ? undefined : { date, monotonicMs };
		if (date === undefined || cursor === undefined) return undefined;
		const jump = lastPoll ? date - (lastPoll.date + monotonicMs - lastPoll.monotonicMs) : 0;
		// Two machines behind one address whose clocks differ appear as a clock that is set back again and again. The skew
		// of such clocks is limited, so the cursor need not move back further than this limit.
		const lowestCursor = date - MAX_CLOCK_SKEW_MS;
		if (jump < -CLOCK_JUMP_MS)
			poll.setBackTo = Math.min(Math.max(cursor + jump, lowestCursor), date);
		// After a restart, the time of the last poll is unknown. So the cursor moves back over all the time whose records
		// are known, up to `FIRST_POLL_REACH_MS`. The next poll reaches back further by the overlap.
		else if (!this.hasCompletedPoll && date < cursor - CLOCK_JUMP_MS) {
			const earliestKnown = this.allKnownFrom + this.options.overlapMs;
			poll.setBackTo = Math.max(earliestKnown, date - FIRST_POLL_REACH_MS);
		}
		if (this.stampOffset !== undefined && jump < -CLOCK_JUMP_MS) {
			this.stampOffset = Math.max(
				this.stampOffset + jump,
				Math.min(this.stampOffset, lowestCursor - monotonicMs),
			);
		}
		return poll.setBackTo;
	}

	/**
	 * Completes a poll that read the list to its end, and moves the cursor:
	 * - with a Date header, as far as the stamps of changes prove, and never beyond the header;
	 * - without the header, to the newest stamp;
	 * - without the header and without stamps, not at all: each poll reads the whole list.
	 *
	 * Returns by how much stamps lag behind the Date header, if that is more than the overlap.
	 */
	completePoll(): number | undefined {
		const { startedAt, from, regularFrom, isWide } = this.poll;
		const { stampLagMs, lateStampOffset, firstResponse, setBackTo } = this.poll;
		this.allKnownFrom = Math.min(this.allKnownFrom, from ?? -Infinity);
		if (isWide || regularFrom === undefined || this.cursor === undefined) {
			this.nextWidePollAt = startedAt + WIDE_POLL_INTERVAL_MS;
			this.restoredCursor = Infinity;
		}
		this.isWidePollUnfinished = false;
		this.hasCompletedPoll = true;
		if (lateStampOffset !== undefined) {
			this.stampOffset = lateStampOffset;
			this.newestStamp = startedAt + lateStampOffset;
		}
		if (firstResponse) this.lastPoll = firstResponse;
		const cursor = firstResponse
			? this.provenCursor(firstResponse.date)
			: (this.newestStamp ?? -Infinity);
		const mayMoveBack = lateStampOffset !== undefined || this.cursor === undefined;
		if (setBackTo !== undefined) this.cursor = Math.min(cursor, setBackTo);
		else this.cursor = mayMoveBack ? cursor : Math.max(this.cursor!, cursor);
		return stampLagMs;
	}

	/** Notes that records last seen up to a time were forgotten. */
	noteForgotten(until: number): void {
		this.allKnownFrom = Math.max(this.allKnownFrom, until + MAX_CLOCK_SKEW_MS);
	}

	/** Returns how far the stamp clock is proven to have been when the poll began. */
	private provenCursor(firstResponseDate: number): number {
		const { startedAt, from = -Infinity } = this.poll;
		// The next poll need not reach back further than this one: old records are unknown there.
		const earliest = from + this.options.overlapMs;
		if (this.stampOffset !== undefined)
			return Math.min(firstResponseDate, Math.max(startedAt + this.stampOffset, earliest));
		if (this.hasSeenRecords) return firstResponseDate;
		return (
			this.cursor ??
			(Number.isFinite(earliest) ? earliest : firstResponseDate - FIRST_POLL_REACH_MS)
		);
	}
}
