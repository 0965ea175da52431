import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, keepsAll, stands, without } from './derivedEvents';
import { chainDigest, keyOf } from './digest';
import { KnownRecords } from './knownRecords';
import { FIRST_REACH_MS, MOST_APART_MS, Reach } from './reach';
import type { RecordState } from './recordState';
import type { SavedStart, SavedSource } from './saved';
import type { FollowOptions, Source } from './types';
import type { WantedChange } from './wanted';

/** A stamp may be so far ahead of the date of the answer that it came with: a service's machines have clocks of their own. */
const CLOCKS_APART_MS = 60_000;
/**
 * How many records are known for longer than the overlap needs. They count when the service's clock was set back: a record that
 * is read again then is not taken for a change.
 */
const MOST_RETAINED = 2000;

/** Something that an earlier life asked for with a record that was seen again; without the change if it is not so any more. */
export interface RepeatedChange<Followed extends Source> {
	key: string;
	wanted?: WantedChange<Followed>;
}

/** What came of a record. */
export interface TakenRecord<Followed extends Source> {
	again: Array<RepeatedChange<Followed>>;
	wanted: Array<WantedChange<Followed>>;
	/** Whether it is not as it was known. */
	isNews: boolean;
}

/** When records came, by the service's clock and by our monotonic one, and whether it was in a further pass. */
interface Seen {
	now: number | undefined;
	at: number;
	isFurther: boolean;
}

/** Something that is not confirmed yet, and the cursor to go on from if it never is. */
interface Open {
	before: number | undefined;
}

/** A record that was last in its list so long ago is gone. */
const VANISHED_MS = 7 * 24 * 3_600_000;

/** One list that is followed: how far it was read, what is known of its records, and which starts are open. */
export class TrackedList<Followed extends Source> {
	/** Set as long as people know that it is gone, or that something is against it. */
	lost = false;
	/** How many looks in a row failed by its own fault, and when the next one is due. */
	failures = 0;
	dueAt = -Infinity;
	/** The kinds of problems that were reported and have not ended; saved, since a restart is no reason to report them again. */
	readonly told: Set<string>;
	/** When it was last looked at, and how often in a row the service was sick just then. */
	readAt = -Infinity;
	sick = 0;
	/** Whether it was read to its end in this life. */
	isRead = false;
	/** What is known of the records, as of what was asked for: together with that it is saved. */
	private readonly knownRecords = new KnownRecords();
	/** How records are of which something has still to be asked for. */
	private readonly ahead = new Map<string, RecordState>();
	private readonly open = new Set<Open>();
	/** What an earlier life asked for, by the record's id. */
	private readonly asked = new Map<string, Array<{ kind: string; key: string }>>();
	private readonly reach: Reach;
	private floor: number | undefined;

	constructor(
		public source: Followed,
		private readonly options: FollowOptions,
		saved?: Omit<SavedSource, 'key'>,
		asked: SavedStart[] = [],
	) {
		this.reach = new Reach(options, saved);
		this.floor = saved?.floor;
		this.lost = saved?.lost === true;
		this.told = new Set(saved?.reported);
		this.knownRecords.restore(saved?.known);
		for (const { key, changes } of asked) {
			for (const [of, kind, id] of changes) {
				if (of === source.key) this.asked.set(id, [...(this.asked.get(id) ?? []), { kind, key }]);
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
	begin(floor: number): void {
		this.floor ??= this.options.includeExisting ? -Infinity : floor;
	}

	/** Begins a look. Gives from when on it is read; nothing if all of it is. */
	readSince(serviceNow: number | undefined, at: number): number | undefined {
		return this.reach.since(this.source, { now: serviceNow, floor: this.floor, at });
	}

	/** Takes in records from an index on, at least one, until the turn is over. */
	takeSome(
		records: IDataObject[],
		from: number,
		seen: Seen,
		undated: (fields: readonly string[]) => void,
		isOver: () => boolean,
	): Array<TakenRecord<Followed>> {
		const taken: Array<TakenRecord<Followed>> = [];
		do taken.push(this.take(records[from + taken.length]!, seen, undated));
		while (from + taken.length < records.length && !isOver());
		return taken;
	}

	/**
	 * Takes in one record, and says what is to be started. One without an ID cannot be followed. In a further pass, what was made
	 * in the very second in which following began was not there when it did.
	 */
	take(
		record: IDataObject,
		{ now, at, isFurther }: Seen,
		undated: (fields: readonly string[]) => void,
	): TakenRecord<Followed> {
		const { source, options } = this;
		const given = source.identify(record);
		if (typeof given !== 'string' && typeof given !== 'number') {
			return { again: [], wanted: [], isNews: false };
		}
		const id = `${given}`;
		const known = this.ahead.get(id) ?? this.knownRecords.get(id);
		const floor = this.floor ?? -Infinity;
		const found = deriveEvents(record, source, {
			known,
			floor,
			newFrom: this.newFrom(floor),
			first: this.isFirst && !options.includeExisting,
			unripe: now === undefined || (!isFurther && now <= floor),
			includeExisting: this.isFirst && options.includeExisting,
			intervalMs: options.intervalMs,
			kinds: options.kinds,
		});
		if (found.undated) undated(found.undated);
		const isNews = known?.content !== found.after.content;
		this.reach.note(record, source, { now, at, isNews });
		const isOfInterest = source.matches?.(record) !== false;
		const facts = isOfInterest ? found.events : [];
		const keys = facts.map(({ kind, version }) =>
			keyOf(options.owner, source.key, kind, id, ...version),
		);
		const chained = keepsAll(source) && keys.length > 0;
		const after = chained ? { ...found.after, chain: chainDigest(keys.join()) } : found.after;
		const seen = now ?? this.reach.latest;
		const change = { source, id, record };
		const asked = this.asked.get(id) ?? [];
		this.asked.delete(id);
		const again = asked.flatMap(({ kind, key }, index) => {
			if (keys.includes(key)) return [];
			const isLast = asked.findLastIndex((other) => other.kind === kind) === index;
			const isSo = isOfInterest && isLast && stands(kind, source, known, after);
			const own = keyOf(options.owner, source.key, kind, id);
			return [{ key, ...(isSo && { wanted: this.want(own, { ...change, kind }) }) }];
		});
		if (facts.length === 0) {
			if (!this.ahead.has(id)) this.knownRecords.set(id, after, seen);
		} else this.ahead.set(id, after);
		const wanted = facts.map(({ kind }, index) =>
			this.want(keys[index]!, { ...change, kind }, () => {
				const untold = facts.slice(index + 1).map((fact) => fact.kind);
				this.knownRecords.set(
					id,
					untold.length > 0 ? without(untold, source, known, after) : after,
					seen,
				);
				if (untold.length === 0 && this.ahead.get(id) === after) this.ahead.delete(id);
			}),
		);
		return { again, wanted, isNews };
	}

	/** Takes in when the first answer of a look came, by the service's clock and by our monotonic one. */
	answered(began: number | undefined, at: number): void {
		const setBackTo = this.reach.answered(began, at);
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
		return filtered ? Math.min(floor, this.reach.knownFrom ?? Infinity) : floor - MOST_APART_MS;
	}

	/** Notes that it was read to its end. Gives by how much stamps are behind the service's clock, if that is worth a report. */
	complete(began: number | undefined): number | undefined {
		const behindMs = this.reach.complete();
		this.begin(began ?? this.reach.reached ?? -Infinity);
		this.isRead = true;
		this.failures = 0;
		this.sick = 0;
		this.lost = false;
		this.forget(began);
		return behindMs;
	}

	private forget(began: number | undefined): void {
		const cursor = this.cursor;
		if (this.source.filtered && !keepsAll(this.source) && cursor !== undefined) {
			const until = this.knownRecords.forgetBefore(
				cursor - this.options.overlapMs - CLOCKS_APART_MS,
				{
					from: cursor - FIRST_REACH_MS,
					most: MOST_RETAINED,
				},
			);
			if (until !== undefined) this.reach.forgot(until);
		}
		// What has not been in a compared list for so long takes room away from others. Where the service tells no time, nobody
		// knows when a record was last seen.
		const vanished =
			keepsAll(this.source) && began !== undefined
				? this.knownRecords.forgetVanished(began - VANISHED_MS)
				: undefined;
		const forgotten = this.knownRecords.shrink(this.options.maxKnown) ?? vanished;
		if (forgotten === undefined) return;
		this.floor = Math.max(this.floor ?? forgotten, forgotten);
		this.reach.forgot(forgotten);
	}

	/** Begins at a time as if it had been read until then. */
	beginAt(time: number): void {
		this.reach.beginAt(time);
		this.floor ??= time;
	}

	toSaved(): SavedSource {
		return {
			key: this.source.key,
			cursor: this.cursor,
			floor: this.floor,
			known: this.knownRecords.toTexts(),
			...(this.reach.knownFrom !== undefined && { knownFrom: this.reach.knownFrom }),
			...(this.lost && { lost: true }),
			...(this.source.found !== undefined && { found: this.source.found }),
			...(this.told.size > 0 && { reported: [...this.told] }),
		};
	}

	/** From where to go on in another life: nothing that is not confirmed may lie before it. */
	private get cursor(): number | undefined {
		let cursor = this.reach.reached;
		for (const { before } of this.open) {
			if (cursor === undefined || before === undefined) return undefined;
			cursor = Math.min(cursor, before);
		}
		return cursor;
	}

	private want(
		key: string,
		change: WantedChange<Followed>['change'],
		ask: () => void = () => undefined,
	): WantedChange<Followed> {
		const open = { before: this.reach.reached ?? this.reach.beginning(this.source) };
		this.open.add(open);
		return { key, change, ask, confirm: () => this.open.delete(open) };
	}
}
