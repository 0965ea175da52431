import type { IDataObject } from 'n8n-workflow';

import { chainDigest, keyOf } from './digest';
import type { Entry } from './entry';
import { factsOf, keepsAll, stands, without } from './facts';
import { Memory } from './memory';
import type { Asked, SavedSource } from './saved';
import { FURTHEST_ZONE_MS, namedTime } from './time';
import type { FollowOptions, Source } from './types';
import type { Wanted } from './wanted';

/** How far the first look reaches back: what changed in that time is known, so a date without a zone cannot make it new. */
const FIRST_REACH_MS = 2 * FURTHEST_ZONE_MS;
/** A stamp may be so far ahead of the date of the answer that it came with: a service's machines have clocks of their own. */
const CLOCKS_APART_MS = 60_000;

/** Something that an earlier life asked for with a record that was seen again; without the change if it is not so any more. */
export interface SeenAgain<Followed extends Source> {
	key: string;
	wanted?: Wanted<Followed>;
}

/** What came of a record. */
export interface Taken<Followed extends Source> {
	again: Array<SeenAgain<Followed>>;
	wanted: Array<Wanted<Followed>>;
	/** Whether it is not as it was known. */
	isNews: boolean;
}

/** Something that is not confirmed yet, and the cursor to go on from if it never is. */
interface Open {
	before: number | undefined;
}

/** A record that was last in its list so long ago is gone. */
const VANISHED_MS = 7 * 24 * 3_600_000;

/** One list that is followed: how far it was read, what is known of its records, and which starts are open. */
export class Tracked<Followed extends Source> {
	/** Set as long as people know that it is gone, or that something is against it. */
	lost = false;
	/** How many looks in a row failed by its own fault, and when the next one is due. */
	failures = 0;
	dueAt = -Infinity;
	/** The kinds of problems that were reported and have not ended; saved, since a restart is no reason to report them again. */
	readonly told: Set<string>;
	/** When it was last looked at, and how often in a row the service was sick just then. */
	lookedAt = -Infinity;
	sick = 0;
	/** Whether it was read to its end in this life. */
	isRead = false;
	/** What is known of the records, as of what was asked for: together with that it is saved. */
	private readonly memory = new Memory();
	/** How records are of which something has still to be asked for. */
	private readonly ahead = new Map<string, Entry>();
	private readonly open = new Set<Open>();
	/** What an earlier life asked for, by the record's id. */
	private readonly asked = new Map<string, Array<{ kind: string; key: string }>>();
	/** From when on the look reads that is under way. */
	private readsFrom: number | undefined;
	private reached: number | undefined;
	private newest: number | undefined;
	private floor: number | undefined;

	constructor(
		public source: Followed,
		private readonly options: FollowOptions,
		saved?: Omit<SavedSource, 'key'>,
		asked: Asked[] = [],
	) {
		this.reached = saved?.cursor;
		this.floor = saved?.floor;
		this.lost = saved?.lost === true;
		this.told = new Set(saved?.reported);
		this.memory.takeUp(saved?.known);
		for (const { key, changes } of asked) {
			for (const [of, kind, id] of changes) {
				if (of === source.key) this.asked.set(id, [...(this.asked.get(id) ?? []), { kind, key }]);
			}
		}
	}

	/** How many records it keeps in mind. */
	get size(): number {
		return this.memory.size;
	}

	/** Whether it was never read to its end. */
	get isFirst(): boolean {
		return this.reached === undefined;
	}

	/** Says when following began, if that is not known yet. */
	begin(floor: number): void {
		this.floor ??= this.options.includeExisting ? -Infinity : floor;
	}

	/** Begins a look. Gives from when on it is read; nothing if all of it is. */
	lookSince(serviceNow: number | undefined): number | undefined {
		this.readsFrom = this.since(serviceNow);
		return this.readsFrom;
	}

	private since(serviceNow: number | undefined): number | undefined {
		const { overlapMs, includeExisting } = this.options;
		if (!this.source.filtered) return undefined;
		if (this.reached !== undefined) {
			return Number.isFinite(this.reached) ? this.reached - overlapMs : undefined;
		}
		if (includeExisting || this.source.keepsAll || serviceNow === undefined) return undefined;
		return Math.min(serviceNow, this.floor ?? Infinity) - FIRST_REACH_MS - overlapMs;
	}

	/**
	 * Takes in one record, and says what is to be started. One without an ID cannot be followed. In a further pass, what was made
	 * in the very second in which following began was not there when it did.
	 */
	take(
		record: IDataObject,
		now: number | undefined,
		isFurther: boolean,
		undated: (fields: readonly string[]) => void,
	): Taken<Followed> {
		const { source, options } = this;
		const given = source.identify(record);
		if (typeof given !== 'string' && typeof given !== 'number') {
			return { again: [], wanted: [], isNews: false };
		}
		const id = `${given}`;
		this.note(record);
		const known = this.ahead.get(id) ?? this.memory.get(id);
		const floor = this.floor ?? -Infinity;
		const found = factsOf(record, source, {
			known,
			floor,
			first: this.isFirst && !options.includeExisting,
			unripe: now === undefined || (!isFurther && now <= floor),
			includeExisting: this.isFirst && options.includeExisting,
			intervalMs: options.intervalMs,
			kinds: options.kinds,
		});
		if (found.undated) undated(found.undated);
		const isOfInterest = source.matches?.(record) !== false;
		const facts = isOfInterest ? found.facts : [];
		const keys = facts.map(({ kind, version }) =>
			keyOf(options.owner, source.key, kind, id, ...version),
		);
		const chained = keepsAll(source) && keys.length > 0;
		const after = chained ? { ...found.after, chain: chainDigest(keys.join()) } : found.after;
		const seen = now ?? Math.max(this.newest ?? 0, this.reached ?? 0);
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
			if (!this.ahead.has(id)) this.memory.set(id, after, seen);
		} else this.ahead.set(id, after);
		const wanted = facts.map(({ kind }, index) =>
			this.want(keys[index]!, { ...change, kind }, () => {
				const untold = facts.slice(index + 1).map((fact) => fact.kind);
				this.memory.set(
					id,
					untold.length > 0 ? without(untold, source, known, after) : after,
					seen,
				);
				if (untold.length === 0 && this.ahead.get(id) === after) this.ahead.delete(id);
			}),
		);
		return { again, wanted, isNews: known?.content !== after.content };
	}

	/**
	 * Notes that it was read to its end, in a look that began at a time of the service. Where the service tells no time, its
	 * newest time stamp counts; and where there is none of those either, all that comes is new.
	 */
	complete(began: number | undefined): void {
		const reached = began ?? this.newest ?? -Infinity;
		this.reached = Math.max(this.reached ?? -Infinity, reached);
		this.begin(reached);
		this.isRead = true;
		this.failures = 0;
		this.sick = 0;
		this.lost = false;
		const cursor = this.cursor;
		if (this.source.filtered && !keepsAll(this.source) && cursor !== undefined) {
			this.memory.forgetBefore(cursor - this.options.overlapMs - CLOCKS_APART_MS);
		}
		// What has not been in a compared list for so long takes room away from others. Where the service tells no time, nobody
		// knows when a record was last seen.
		const vanished =
			keepsAll(this.source) && began !== undefined
				? this.memory.forgetVanished(began - VANISHED_MS)
				: undefined;
		const forgotten = this.memory.shrink(this.options.maxKnown) ?? vanished;
		if (forgotten !== undefined) this.floor = Math.max(this.floor ?? forgotten, forgotten);
	}

	/** Begins at a time as if it had been read until then. */
	beginAt(time: number): void {
		this.reached ??= time;
		this.floor ??= time;
	}

	toSaved(): SavedSource {
		return {
			key: this.source.key,
			cursor: this.cursor,
			floor: this.floor,
			known: this.memory.toTexts(),
			...(this.lost && { lost: true }),
			...(this.source.found !== undefined && { found: this.source.found }),
			...(this.told.size > 0 && { reported: [...this.told] }),
		};
	}

	/** From where to go on in another life: nothing that is not confirmed may lie before it. */
	private get cursor(): number | undefined {
		let cursor = this.reached;
		for (const { before } of this.open) {
			if (cursor === undefined || before === undefined) return undefined;
			cursor = Math.min(cursor, before);
		}
		return cursor;
	}

	private want(
		key: string,
		change: Wanted<Followed>['change'],
		ask: () => void = () => undefined,
	): Wanted<Followed> {
		const open = { before: this.reached ?? this.beginning };
		this.open.add(open);
		return { key, change, ask, confirm: () => this.open.delete(open) };
	}

	/** The cursor that has the first look repeated; nothing if it must be the first again. */
	private get beginning(): number | undefined {
		const { overlapMs, includeExisting } = this.options;
		if (this.readsFrom !== undefined) return this.readsFrom + overlapMs;
		return this.source.filtered || includeExisting ? undefined : -Infinity;
	}

	private note(record: IDataObject): void {
		const { stamp, once } = this.source.facets;
		const fields = [...(stamp === undefined ? [] : [[stamp]]), ...once.map(({ at }) => at)];
		for (const names of fields) {
			const { latest = NaN, exact = false } = namedTime(record, names) ?? {};
			if (exact && latest > (this.newest ?? -Infinity)) this.newest = latest;
		}
	}
}
