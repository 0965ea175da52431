import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, stillHolds } from './derivedEvents';
import type { DerivedEvent, DerivedEvents } from './derivedEvents';
import { chainDigest, startKeyOf } from './digest';
import { KnownRecords } from './knownRecords';
import { ListCursor, MAX_CLOCK_SKEW_MS } from './listCursor';
import type { SavedList } from './listSnapshot';
import type { Outbox, ProcessedRecord, WantedChange } from './outbox';
import { keepsAllRecords } from './recordAge';
import type { RecordState } from './recordState';
import { forgetRecords } from './retention';
import type { FollowOptions, ListDefinition } from './types';

/** When a page was read, on both clocks, whether a repeated pass read it, and which events of its records start nothing. */
export interface PageContext {
	serviceTimeMs: number | undefined;
	monotonicMs: number;
	isFurtherPass: boolean;
	isIgnored?: (record: IDataObject, id: string, kind: string) => boolean;
}

/** A record as it was just read: its previous and its new state. */
interface ReadState {
	id: string;
	record: IDataObject;
	known: RecordState | undefined;
	after: RecordState;
}

/** State of one followed list: its cursor, its known records and its unconfirmed changes. */
export class TrackedList<Followed extends ListDefinition> {
	/**
	 * Whether the user was notified that the list is gone, that the service rejects requests for it, or that it has too many
	 * records. Reset by the next complete poll.
	 */
	isFailureReported: boolean;
	/** Consecutive polls that failed because of this list alone, and when the next one is due on the monotonic clock. */
	failures = 0;
	dueAt = -Infinity;
	/**
	 * The kinds of problems that are reported. Saved, so that a restart does not report them again. A complete poll clears only
	 * `tooManyRecords`.
	 */
	readonly reported: Set<string>;
	/** When the list was last polled, and how many polls in a row found the service unavailable. */
	lastPolledAt = -Infinity;
	unavailablePolls = 0;
	/** Whether the list was read to its end since the last restart. */
	wasRead = false;
	/**
	 * Known state of each record, updated when the starts of its changes are requested. So the snapshot contains the new
	 * state and the pending starts, or neither.
	 */
	private readonly knownRecords = new KnownRecords();
	/** Latest state of the records whose changes are not requested yet. */
	private readonly unrequestedStates = new Map<string, RecordState>();
	/** The changes whose starts n8n has not confirmed: the cursor from which the next process reads each record again. */
	private readonly unconfirmed = new Set<{ resumeFrom: number | undefined }>();
	readonly cursor: ListCursor;
	private followedSince: number | undefined;

	constructor(
		public list: Followed,
		private readonly options: FollowOptions,
		savedList?: Omit<SavedList, 'key'>,
		private readonly takeRestored: Outbox<Followed>['takeRestored'] = () => [],
	) {
		this.cursor = new ListCursor(options, savedList);
		this.followedSince = savedList?.followedSince;
		this.isFailureReported = savedList?.failureReported === true;
		this.reported = new Set(savedList?.reported);
		this.knownRecords.restore(savedList?.known ?? []);
	}

	/** Number of known records. */
	get size(): number {
		return this.knownRecords.size;
	}

	/** Whether the list was never read to its end, not even before the last restart. */
	get hasNeverBeenRead(): boolean {
		return this.cursor.time === undefined;
	}

	/** Sets when following began, unless that is already known. */
	setFollowedSince(followedSince: number): void {
		this.followedSince ??= this.options.includeExisting ? -Infinity : followedSince;
	}

	/** Begins a poll. Returns the 'changed since' time to filter by; `undefined` to read all of the list. */
	beginPoll(serviceTimeMs: number | undefined, monotonicMs: number): number | undefined {
		const { followedSince } = this;
		return this.cursor.beginPoll(this.list, { serviceTimeMs, followedSince, monotonicMs });
	}

	/** Compares a record with its known state and returns the changes to start. A record without an ID cannot be followed. */
	processRecord(
		record: IDataObject,
		context: PageContext,
		onUndated: (fields: readonly string[]) => void,
	): ProcessedRecord<Followed> {
		const { list, options } = this;
		const givenId = list.identify(record);
		if (typeof givenId !== 'string' && typeof givenId !== 'number')
			return { repeated: [], isChanged: false };
		const id = `${givenId}`;
		const known = this.unrequestedStates.get(id) ?? this.knownRecords.get(id);
		const result = this.deriveEvents(record, known, context);
		if (result.undated) onUndated(result.undated);
		const isChanged = known?.content !== result.after.content;
		this.cursor.observeRecord(record, list, { ...context, isChanged });
		const isOfInterest = list.matches?.(record) !== false;
		const isWanted = ({ kind }: DerivedEvent) => !context.isIgnored?.(record, id, kind);
		const events = isOfInterest ? result.events.filter(isWanted) : [];
		const keys = events.map(({ kind, version }) =>
			startKeyOf(options.startKeyPrefix, list.key, kind, id, ...version),
		);
		// The digest of these keys is part of the next keys, so a record that changes to and fro starts a run each time.
		const isChained = keepsAllRecords(list) && keys.length > 0;
		const after = isChained ? { ...result.after, chain: chainDigest(keys.join()) } : result.after;
		if (!context.serviceTimeMs && keepsAllRecords(list)) this.knownRecords.noteUndated(id);
		const seenAt = context.serviceTimeMs ?? this.cursor.latestKnownTime;
		const state: ReadState = { id, record, known, after };
		const repeated = this.repeatStarts(state, keys, isOfInterest);
		if (events.length > 0) this.unrequestedStates.set(id, after);
		// A record whose changes wait is not missing from its list, so its state must not be forgotten.
		const present = this.unrequestedStates.has(id) ? this.knownRecords.get(id) : after;
		if (present) this.knownRecords.set(id, present, seenAt);
		if (events.length === 0) return { repeated, isChanged };
		const wantedChanges = events.map(({ kind }, index) =>
			this.trackChange(keys[index]!, { list, id, record, kind }),
		);
		const markRequested = () => {
			this.knownRecords.set(id, after, seenAt);
			// A newer state may have been read meanwhile; its own events remove it.
			if (this.unrequestedStates.get(id) === after) this.unrequestedStates.delete(id);
		};
		return { repeated, wanted: { wantedChanges, markRequested }, isChanged };
	}

	private deriveEvents(
		record: IDataObject,
		known: RecordState | undefined,
		{ serviceTimeMs: now, isFurtherPass }: PageContext,
	): DerivedEvents {
		const { list, options } = this;
		const followedSince = this.followedSince ?? -Infinity;
		return deriveEvents(record, list, {
			known,
			followedSince,
			earliestNewCreation: this.findEarliestNewCreation(followedSince),
			isFirstPoll: this.hasNeverBeenRead && !options.includeExisting,
			// In the second in which following began, dates cannot distinguish old records from new ones. A further pass can
			// use dates, since the first pass has read the records that already existed.
			// Without a Date header, a restart can repeat the first poll, but when following began is known then.
			areDatesInconclusive:
				!Number.isFinite(followedSince) ||
				(now !== undefined && !isFurtherPass && now <= followedSince),
			includeExisting: this.hasNeverBeenRead && options.includeExisting,
			intervalMs: options.intervalMs,
			kinds: options.kinds,
		});
	}

	/**
	 * Returns the starts of the record from before the last restart, except those that its present events (`keys`) repeat. Of
	 * several starts of one kind, only the last can still hold.
	 */
	private repeatStarts(
		{ id, record, known, after }: ReadState,
		keys: string[],
		isOfInterest: boolean,
	): ProcessedRecord<Followed>['repeated'] {
		const { list, options } = this;
		const restored = this.takeRestored(list.key, id);
		return restored.flatMap(({ kind, key }, index) => {
			if (keys.includes(key)) return [];
			const isLast = restored.findLastIndex((start) => start.kind === kind) === index;
			const isStillWanted = isOfInterest && isLast && stillHolds(kind, list, known, after);
			if (!isStillWanted) return [{ key }];
			const changeKey = startKeyOf(options.startKeyPrefix, list.key, kind, id);
			return [{ key, wantedChange: this.trackChange(changeKey, { list, id, record, kind }) }];
		});
	}

	/**
	 * Notes when the first response of a poll arrived, by the service's clock and by our monotonic clock. If the service's clock
	 * was set back, `followedSince` of a compared list moves back with it.
	 */
	observeFirstResponse(date: number | undefined, monotonicMs: number): void {
		const setBackTo = this.cursor.observeFirstResponse(date, monotonicMs);
		if (setBackTo !== undefined && !this.list.isFiltered)
			this.followedSince = Math.min(this.followedSince ?? Infinity, setBackTo);
	}

	/**
	 * Returns the creation time from which on an unknown record is new.
	 * - Filtered list: every record stamped after `knownFrom` is known. So an unknown one is new even if its creation time is
	 *   before `followedSince`: the service's clocks differ, or were set back.
	 * - Compared list: an import may add many old records at once, so only the clock skew is allowed for.
	 */
	private findEarliestNewCreation(followedSince: number): number {
		if (this.hasNeverBeenRead) return followedSince;
		const { isFiltered } = this.list;
		return isFiltered
			? Math.min(followedSince, this.cursor.knownFrom ?? Infinity)
			: followedSince - MAX_CLOCK_SKEW_MS;
	}

	/**
	 * Completes a poll that read the list to its end. Returns by how much stamps lag behind the service's clock, if that is more
	 * than the overlap.
	 */
	completePoll(firstResponseDate: number | undefined): number | undefined {
		const stampLagMs = this.cursor.completePoll();
		this.setFollowedSince(firstResponseDate ?? this.cursor.time ?? -Infinity);
		this.wasRead = true;
		this.failures = 0;
		this.unavailablePolls = 0;
		this.isFailureReported = false;
		this.forgetRecords(firstResponseDate);
		return stampLagMs;
	}

	private forgetRecords(firstResponseDate: number | undefined): void {
		const { knownRecords, list, options, savedCursor } = this;
		const times = { savedCursor, firstResponseDate };
		const forgotten = forgetRecords(knownRecords, list, times, options);
		const { unneededLastSeenAt, returnableLastSeenAt } = forgotten;
		if (unneededLastSeenAt !== undefined) this.cursor.noteForgotten(unneededLastSeenAt);
		if (returnableLastSeenAt === undefined) return;
		this.followedSince = Math.max(this.followedSince ?? returnableLastSeenAt, returnableLastSeenAt);
		this.cursor.noteForgotten(returnableLastSeenAt);
	}

	/** Begins as if the list had been read up to a time. */
	startFrom(time: number): void {
		this.cursor.assumeReadUpTo(time);
		this.followedSince ??= time;
	}

	toSaved(): SavedList {
		return {
			key: this.list.key,
			cursor: this.savedCursor,
			followedSince: this.followedSince,
			known: this.knownRecords.toSaved(),
			...(this.cursor.knownFrom !== undefined && { knownFrom: this.cursor.knownFrom }),
			...(this.isFailureReported && { failureReported: true }),
			...(this.list.discoveredAs !== undefined && { discoveredAs: this.list.discoveredAs }),
			...(this.reported.size > 0 && { reported: [...this.reported] }),
		};
	}

	/** The cursor to save. All unconfirmed changes lie after it, so the next process reads their records again. */
	private get savedCursor(): number | undefined {
		const cursors = [
			this.cursor.time,
			...[...this.unconfirmed].map(({ resumeFrom }) => resumeFrom),
		];
		return cursors.reduce((a, b) =>
			a === undefined || b === undefined ? undefined : Math.min(a, b),
		);
	}

	private trackChange(
		key: string,
		change: WantedChange<Followed>['change'],
	): WantedChange<Followed> {
		const unconfirmed = {
			resumeFrom: this.cursor.time ?? this.cursor.cursorBeforeFirstPoll(this.list),
		};
		this.unconfirmed.add(unconfirmed);
		return { key, change, markConfirmed: () => this.unconfirmed.delete(unconfirmed) };
	}
}
