import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, keepsAllRecords, stillHolds, withoutUnrequested } from './derivedEvents';
import { chainDigest, startKeyOf } from './digest';
import { KnownRecords } from './knownRecords';
import { FIRST_POLL_REACH_MS, MAX_CLOCK_SKEW_MS, ListCursor } from './listCursor';
import type { RecordState } from './recordState';
import type { SavedStart, SavedSource } from './saved';
import type { FollowOptions, ListDefinition } from './types';
import type { ProcessedRecord, WantedChange } from './wanted';

/** How far a stamp may be ahead of the Date header of its response: a service's machines have separate clocks. */
const MAX_STAMP_LEAD_MS = 60_000;
/**
 * How many records stay known for longer than the overlap needs. If the service's clock is set back, a poll returns them
 * again, and known records are not mistaken for changes.
 */
const MAX_RETAINED_RECORDS = 2000;

/**
 * When a page was read, by the service's clock (`now`) and by our monotonic clock (`at`), and whether in a repeated pass over
 * the list.
 */
interface ReadContext {
	now: number | undefined;
	at: number;
	isFurtherPass: boolean;
}

/** A change whose start is not confirmed, and the cursor that makes the next process read its record again. */
interface UnconfirmedChange {
	resumeFrom: number | undefined;
}

/** A record that was missing from its list for this long counts as deleted. */
const VANISHED_AFTER_MS = 7 * 24 * 3_600_000;

/** State of one followed list: its cursor, its known records and its unconfirmed changes. */
export class TrackedList<Followed extends ListDefinition> {
	/**
	 * Whether the user was notified that the list is gone, that the service rejects requests for it, or that it has too many
	 * records. Reset by the next complete poll.
	 */
	isLost = false;
	/** Consecutive polls that failed because of this list alone, and when the next one is due on the monotonic clock. */
	failures = 0;
	dueAt = -Infinity;
	/**
	 * The kinds of problems that are reported. Saved, so that a restart does not report them again. A complete poll clears only
	 * `tooManyRecords`.
	 */
	readonly reported: Set<string>;
	/** When it was last polled, and how many polls in a row found the service unavailable. */
	lastPolledAt = -Infinity;
	unavailablePolls = 0;
	/** Whether it was read to its end since the last restart. */
	wasRead = false;
	/** State of the records including all requested changes, and no others: the snapshot contains both. */
	private readonly knownRecords = new KnownRecords();
	/** Latest state of the records that have changes not requested yet. */
	private readonly unrequestedStates = new Map<string, RecordState>();
	private readonly unconfirmed = new Set<UnconfirmedChange>();
	/** Starts from before the last restart, by record ID, until the record is read again. */
	private readonly savedStarts = new Map<string, Array<{ kind: string; key: string }>>();
	private readonly cursor: ListCursor;
	private floor: number | undefined;

	constructor(
		public source: Followed,
		private readonly options: FollowOptions,
		saved?: Omit<SavedSource, 'key'>,
		startsToRestore: SavedStart[] = [],
	) {
		this.cursor = new ListCursor(options, saved);
		this.floor = saved?.floor;
		this.isLost = saved?.lost === true;
		this.reported = new Set(saved?.reported);
		this.knownRecords.restore(saved?.known);
		for (const { key, changes } of startsToRestore) {
			for (const [sourceKey, kind, id] of changes) {
				if (sourceKey === source.key)
					this.savedStarts.set(id, [...(this.savedStarts.get(id) ?? []), { kind, key }]);
			}
		}
	}

	/** Number of known records. */
	get size(): number {
		return this.knownRecords.size;
	}

	/** Whether it was never read to its end, also not before the last restart. */
	get isFirst(): boolean {
		return this.cursor.reached === undefined;
	}

	/** Sets when following began, unless that is already known. */
	setFloor(floor: number): void {
		this.floor ??= this.options.includeExisting ? -Infinity : floor;
	}

	/** Begins a poll. Returns the 'changed since' time to filter by; `undefined` to read all of the list. */
	beginPoll(serviceNow: number | undefined, at: number): number | undefined {
		return this.cursor.beginPoll(this.source, { now: serviceNow, floor: this.floor, at });
	}

	/**
	 * Processes records from index `from` on, at least one, until `isOver` says that the event-loop turn has taken long enough.
	 */
	processSome(
		records: IDataObject[],
		from: number,
		context: ReadContext,
		undated: (fields: readonly string[]) => void,
		isOver: () => boolean,
	): Array<ProcessedRecord<Followed>> {
		const processed: Array<ProcessedRecord<Followed>> = [];
		do processed.push(this.processRecord(records[from + processed.length]!, context, undated));
		while (from + processed.length < records.length && !isOver());
		return processed;
	}

	/**
	 * Compares a record with its known state and returns the changes to start. A record without an ID cannot be followed. A
	 * repeated pass may trust dates in the second in which following began: the first pass has read the records that existed
	 * then.
	 */
	processRecord(
		record: IDataObject,
		{ now, at, isFurtherPass }: ReadContext,
		undated: (fields: readonly string[]) => void,
	): ProcessedRecord<Followed> {
		const { source, options } = this;
		const givenId = source.identify(record);
		if (typeof givenId !== 'string' && typeof givenId !== 'number') {
			return { repeated: [], wanted: [], isChanged: false };
		}
		const id = `${givenId}`;
		const known = this.unrequestedStates.get(id) ?? this.knownRecords.get(id);
		const floor = this.floor ?? -Infinity;
		const found = deriveEvents(record, source, {
			known,
			floor,
			newFrom: this.newFrom(floor),
			isFirstPoll: this.isFirst && !options.includeExisting,
			areDatesInconclusive: now === undefined || (!isFurtherPass && now <= floor),
			includeExisting: this.isFirst && options.includeExisting,
			intervalMs: options.intervalMs,
			kinds: options.kinds,
		});
		if (found.undated) undated(found.undated);
		const isChanged = known?.content !== found.after.content;
		this.cursor.observeRecord(record, source, { now, at, isChanged });
		const isOfInterest = source.matches?.(record) !== false;
		const events = isOfInterest ? found.events : [];
		const keys = events.map(({ kind, version }) =>
			startKeyOf(options.owner, source.key, kind, id, ...version),
		);
		const isChained = keepsAllRecords(source) && keys.length > 0;
		const after = isChained ? { ...found.after, chain: chainDigest(keys.join()) } : found.after;
		const seenAt = now ?? this.cursor.latestKnownTime;
		const change = { source, id, record };
		const savedStarts = this.savedStarts.get(id) ?? [];
		this.savedStarts.delete(id);
		const repeated = savedStarts.flatMap(({ kind, key }, index) => {
			if (keys.includes(key)) return [];
			const isLast = savedStarts.findLastIndex((other) => other.kind === kind) === index;
			const isStillWanted = isOfInterest && isLast && stillHolds(kind, source, known, after);
			const changeKey = startKeyOf(options.owner, source.key, kind, id);
			return [
				{ key, ...(isStillWanted && { wanted: this.trackChange(changeKey, { ...change, kind }) }) },
			];
		});
		if (events.length === 0) {
			if (!this.unrequestedStates.has(id)) this.knownRecords.set(id, after, seenAt);
		} else this.unrequestedStates.set(id, after);
		const wanted = events.map(({ kind }, index) =>
			this.trackChange(keys[index]!, { ...change, kind }, () => {
				const unrequested = events.slice(index + 1).map((event) => event.kind);
				this.knownRecords.set(
					id,
					unrequested.length > 0 ? withoutUnrequested(unrequested, source, known, after) : after,
					seenAt,
				);
				if (unrequested.length === 0 && this.unrequestedStates.get(id) === after)
					this.unrequestedStates.delete(id);
			}),
		);
		return { repeated, wanted, isChanged };
	}

	/**
	 * Notes when the first answer of a poll arrived, by the service's clock and by our monotonic clock. If the service's clock
	 * was set back, the floor of a compared list moves back with it.
	 */
	observeFirstAnswer(began: number | undefined, at: number): void {
		const setBackTo = this.cursor.observeFirstAnswer(began, at);
		if (setBackTo !== undefined && !this.source.isFiltered) {
			this.floor = Math.min(this.floor ?? Infinity, setBackTo);
		}
	}

	/**
	 * Returns the creation time from which on an unknown record is new. In a filtered list, every record stamped after
	 * `knownFrom` is known, so an unknown one is new even if it is dated before the floor: the service's clocks differ, or were
	 * set back. A compared list may receive many old records at once, such as an import, so only the clock skew is allowed for.
	 */
	private newFrom(floor: number): number {
		if (this.isFirst) return floor;
		const { isFiltered } = this.source;
		return isFiltered
			? Math.min(floor, this.cursor.knownFrom ?? Infinity)
			: floor - MAX_CLOCK_SKEW_MS;
	}

	/**
	 * Completes a poll that read the list to its end. Returns by how much stamps lag behind the service's clock, if that is more
	 * than the overlap.
	 */
	completePoll(began: number | undefined): number | undefined {
		const stampLagMs = this.cursor.completePoll();
		this.setFloor(began ?? this.cursor.reached ?? -Infinity);
		this.wasRead = true;
		this.failures = 0;
		this.unavailablePolls = 0;
		this.isLost = false;
		this.forgetRecords(began);
		return stampLagMs;
	}

	private forgetRecords(began: number | undefined): void {
		const { savedCursor } = this;
		if (this.source.isFiltered && !keepsAllRecords(this.source) && savedCursor !== undefined) {
			const until = this.knownRecords.forgetSeenBefore(
				savedCursor - this.options.overlapMs - MAX_STAMP_LEAD_MS,
				{
					from: savedCursor - FIRST_POLL_REACH_MS,
					most: MAX_RETAINED_RECORDS,
				},
			);
			if (until !== undefined) this.cursor.noteForgotten(until);
		}
		// Deleted records of a compared list would use up `maxKnown`. Without a Date header, it is unknown when a record was last
		// seen.
		const vanishedUntil =
			keepsAllRecords(this.source) && began !== undefined
				? this.knownRecords.forgetVanished(began - VANISHED_AFTER_MS)
				: undefined;
		const forgottenUntil = this.knownRecords.forgetOldest(this.options.maxKnown) ?? vanishedUntil;
		if (forgottenUntil === undefined) return;
		this.floor = Math.max(this.floor ?? forgottenUntil, forgottenUntil);
		this.cursor.noteForgotten(forgottenUntil);
	}

	/** Begins as if the list had been read up to a time. */
	startFrom(time: number): void {
		this.cursor.startFrom(time);
		this.floor ??= time;
	}

	toSaved(): SavedSource {
		return {
			key: this.source.key,
			cursor: this.savedCursor,
			floor: this.floor,
			known: this.knownRecords.toSaved(),
			...(this.cursor.knownFrom !== undefined && { knownFrom: this.cursor.knownFrom }),
			...(this.isLost && { lost: true }),
			...(this.source.discoveredAs !== undefined && { discoveredAs: this.source.discoveredAs }),
			...(this.reported.size > 0 && { reported: [...this.reported] }),
		};
	}

	/** The cursor to save. Every unconfirmed change lies after it, so that the next process reads its record again. */
	private get savedCursor(): number | undefined {
		let cursor = this.cursor.reached;
		for (const { resumeFrom } of this.unconfirmed) {
			if (cursor === undefined || resumeFrom === undefined) return undefined;
			cursor = Math.min(cursor, resumeFrom);
		}
		return cursor;
	}

	private trackChange(
		key: string,
		change: WantedChange<Followed>['change'],
		markRequested: () => void = () => undefined,
	): WantedChange<Followed> {
		const unconfirmed = {
			resumeFrom: this.cursor.reached ?? this.cursor.cursorBeforeFirstPoll(this.source),
		};
		this.unconfirmed.add(unconfirmed);
		return {
			key,
			change,
			markRequested,
			markConfirmed: () => this.unconfirmed.delete(unconfirmed),
		};
	}
}
