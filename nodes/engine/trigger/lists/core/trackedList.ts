import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, keepsAllRecords, stillHolds, withoutUnrequested } from './derivedEvents';
import { chainDigest, startKeyOf } from './digest';
import { KnownRecords } from './knownRecords';
import { FIRST_POLL_REACH_MS, MAX_CLOCK_SKEW_MS, Reach } from './reach';
import type { RecordState } from './recordState';
import type { SavedStart, SavedSource } from './saved';
import type { FollowOptions, Source } from './types';
import type { WantedChange } from './wanted';

/** A stamp may be so far ahead of the date of the answer that it came with: a service's machines have clocks of their own. */
const MAX_STAMP_LEAD_MS = 60_000;
/**
 * How many records are known for longer than the overlap needs. They count when the service's clock was set back: a record that
 * is read again then is not taken for a change.
 */
const MAX_RETAINED_RECORDS = 2000;

/** Something that an earlier life asked for with a record that was seen again; without the change if it is not so any more. */
export interface RepeatedChange<Followed extends Source> {
	key: string;
	wanted?: WantedChange<Followed>;
}

/** What came of a record. */
export interface ProcessedRecord<Followed extends Source> {
	repeated: Array<RepeatedChange<Followed>>;
	wanted: Array<WantedChange<Followed>>;
	/** Whether it is not as it was known. */
	isChanged: boolean;
}

/** When records came, by the service's clock and by our monotonic one, and whether it was in a further pass. */
interface ReadContext {
	now: number | undefined;
	at: number;
	isFurtherPass: boolean;
}

/** Something that is not confirmed yet, and the cursor to go on from if it never is. */
interface UnconfirmedChange {
	resumeFrom: number | undefined;
}

/** A record that was last in its list so long ago is gone. */
const VANISHED_AFTER_MS = 7 * 24 * 3_600_000;

/** One list that is followed: how far it was read, what is known of its records, and which starts are open. */
export class TrackedList<Followed extends Source> {
	/** Set as long as people know that it is gone, or that something is against it. */
	isLost = false;
	/** How many looks in a row failed by its own fault, and when the next one is due. */
	failures = 0;
	dueAt = -Infinity;
	/** The kinds of problems that were reported and have not ended; saved, since a restart is no reason to report them again. */
	readonly reported: Set<string>;
	/** When it was last looked at, and how often in a row the service was sick just then. */
	lastPolledAt = -Infinity;
	unavailablePolls = 0;
	/** Whether it was read to its end in this life. */
	wasRead = false;
	/** What is known of the records, as of what was asked for: together with that it is saved. */
	private readonly knownRecords = new KnownRecords();
	/** How records are of which something has still to be asked for. */
	private readonly unrequestedStates = new Map<string, RecordState>();
	private readonly unconfirmed = new Set<UnconfirmedChange>();
	/** What an earlier life asked for, by the record's id. */
	private readonly savedStarts = new Map<string, Array<{ kind: string; key: string }>>();
	private readonly reach: Reach;
	private floor: number | undefined;

	constructor(
		public source: Followed,
		private readonly options: FollowOptions,
		saved?: Omit<SavedSource, 'key'>,
		startsToRestore: SavedStart[] = [],
	) {
		this.reach = new Reach(options, saved);
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

	/** How many records it keeps in mind. */
	get size(): number {
		return this.knownRecords.size;
	}

	/** Whether it was never read to its end. */
	get isFirst(): boolean {
		return this.reach.reached === undefined;
	}

	/** Says when following began, if that is not known yet. */
	setFloor(floor: number): void {
		this.floor ??= this.options.includeExisting ? -Infinity : floor;
	}

	/** Begins a look. Gives from when on it is read; nothing if all of it is. */
	beginPoll(serviceNow: number | undefined, at: number): number | undefined {
		return this.reach.beginPoll(this.source, { now: serviceNow, floor: this.floor, at });
	}

	/** Takes in records from an index on, at least one, until the turn is over. */
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
	 * Takes in one record, and says what is to be started. One without an ID cannot be followed. In a further pass, what was made
	 * in the very second in which following began was not there when it did.
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
		this.reach.observeRecord(record, source, { now, at, isChanged });
		const isOfInterest = source.matches?.(record) !== false;
		const events = isOfInterest ? found.events : [];
		const keys = events.map(({ kind, version }) =>
			startKeyOf(options.owner, source.key, kind, id, ...version),
		);
		const isChained = keepsAllRecords(source) && keys.length > 0;
		const after = isChained ? { ...found.after, chain: chainDigest(keys.join()) } : found.after;
		const seenAt = now ?? this.reach.latestKnownTime;
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

	/** Takes in when the first answer of a look came, by the service's clock and by our monotonic one. */
	observeFirstAnswer(began: number | undefined, at: number): void {
		const setBackTo = this.reach.observeFirstAnswer(began, at);
		if (setBackTo !== undefined && !this.source.filtered) {
			this.floor = Math.min(this.floor ?? Infinity, setBackTo);
		}
	}

	/**
	 * From when on an unknown record is new. Where every record with a later stamp is known, a date before the floor means that
	 * the service's clocks are apart, or were set back. A compared list may be given old records later, all at once.
	 */
	private newFrom(floor: number): number {
		if (this.isFirst) return floor;
		const { filtered } = this.source;
		return filtered ? Math.min(floor, this.reach.knownFrom ?? Infinity) : floor - MAX_CLOCK_SKEW_MS;
	}

	/** Notes that it was read to its end. Gives by how much stamps are behind the service's clock, if that is worth a report. */
	completePoll(began: number | undefined): number | undefined {
		const stampLagMs = this.reach.completePoll();
		this.setFloor(began ?? this.reach.reached ?? -Infinity);
		this.wasRead = true;
		this.failures = 0;
		this.unavailablePolls = 0;
		this.isLost = false;
		this.forgetRecords(began);
		return stampLagMs;
	}

	private forgetRecords(began: number | undefined): void {
		const cursor = this.cursor;
		if (this.source.filtered && !keepsAllRecords(this.source) && cursor !== undefined) {
			const until = this.knownRecords.forgetSeenBefore(
				cursor - this.options.overlapMs - MAX_STAMP_LEAD_MS,
				{
					from: cursor - FIRST_POLL_REACH_MS,
					most: MAX_RETAINED_RECORDS,
				},
			);
			if (until !== undefined) this.reach.noteForgotten(until);
		}
		// What has not been in a compared list for so long takes room away from others. Where the service tells no time, nobody
		// knows when a record was last seen.
		const vanishedUntil =
			keepsAllRecords(this.source) && began !== undefined
				? this.knownRecords.forgetVanished(began - VANISHED_AFTER_MS)
				: undefined;
		const forgottenUntil = this.knownRecords.forgetOldest(this.options.maxKnown) ?? vanishedUntil;
		if (forgottenUntil === undefined) return;
		this.floor = Math.max(this.floor ?? forgottenUntil, forgottenUntil);
		this.reach.noteForgotten(forgottenUntil);
	}

	/** Begins at a time as if it had been read until then. */
	startFrom(time: number): void {
		this.reach.startFrom(time);
		this.floor ??= time;
	}

	toSaved(): SavedSource {
		return {
			key: this.source.key,
			cursor: this.cursor,
			floor: this.floor,
			known: this.knownRecords.toSaved(),
			...(this.reach.knownFrom !== undefined && { knownFrom: this.reach.knownFrom }),
			...(this.isLost && { lost: true }),
			...(this.source.found !== undefined && { found: this.source.found }),
			...(this.reported.size > 0 && { reported: [...this.reported] }),
		};
	}

	/** From where to go on in another life: nothing that is not confirmed may lie before it. */
	private get cursor(): number | undefined {
		let cursor = this.reach.reached;
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
			resumeFrom: this.reach.reached ?? this.reach.cursorBeforeFirstPoll(this.source),
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
