import { fromText, toText } from './recordState';
import type { RecordState } from './recordState';

/** What would be taken for something else in a text of several ids. Anything else may be in one, even half a character. */
const SPECIAL = /[ %]/g;

interface Kept {
	entry: RecordState;
	/** When the service last gave the record, by its own clock. */
	seen: number;
}

/**
 * What is known of the records of one list: for each an entry, never the record itself. Those not seen for longest come first.
 */
export class KnownRecords {
	private readonly records = new Map<string, Kept>();
	/** All of it as texts, as long as nothing changes: most lists do not between two saves. */
	private texts: Array<[seen: number, entries: string]> | undefined;

	get size(): number {
		return this.records.size;
	}

	get(id: string): RecordState | undefined {
		return this.records.get(id)?.entry;
	}

	/** Notes how a record is, and when that was seen. */
	set(id: string, entry: RecordState, seen: number): void {
		this.texts = undefined;
		const before = this.records.get(id)?.seen ?? -Infinity;
		this.records.delete(id);
		this.records.set(id, { entry, seen: Math.max(before, seen) });
	}

	/**
	 * Forgets those that were last seen before a time and need not be kept: the service does not give them again. Retains some
	 * of them for longer, those seen last. Gives the time up to which records have been forgotten.
	 */
	forgetBefore(
		time: number,
		retained: { from: number; most: number } = { from: time, most: 0 },
	): number | undefined {
		let until: number | undefined;
		// Records that must be kept take no room from the others.
		let count = [...this.records.values()].filter(({ entry }) => !entry.kept).length;
		for (const [id, { entry, seen }] of this.records) {
			if (entry.kept || seen >= time) continue;
			if (seen >= retained.from && count <= retained.most) continue;
			count--;
			this.forget(id);
			until = Math.max(until ?? -Infinity, seen);
		}
		return until;
	}

	/** Forgets all that were last seen before a time. Gives the time up to which records have been forgotten. */
	forgetVanished(time: number): number | undefined {
		let until: number | undefined;
		for (const [id, { seen }] of this.records) {
			if (seen >= time) continue;
			this.forget(id);
			until = Math.max(until ?? -Infinity, seen);
		}
		return until;
	}

	/**
	 * Forgets those not seen for longest, down to so many. Gives the time up to which records have been forgotten: whatever was
	 * made before it counts as old from now on.
	 */
	shrink(most: number): number | undefined {
		let until: number | undefined;
		for (const [id, { seen }] of this.records) {
			if (this.records.size <= most) break;
			this.forget(id);
			until = Math.max(until ?? -Infinity, seen);
		}
		return until;
	}

	/** All of it as texts, those seen at the same time together. */
	toTexts(): Array<[seen: number, entries: string]> {
		this.texts ??= this.written();
		return this.texts;
	}

	private written(): Array<[seen: number, entries: string]> {
		const groups: Array<[number, string[]]> = [];
		for (const [id, { entry, seen }] of this.records) {
			const last = groups.at(-1);
			const group = last?.[0] === seen ? last[1] : [];
			if (group.length === 0) groups.push([seen, group]);
			group.push(`${id.replace(SPECIAL, encodeURIComponent)}:${toText(entry)}`);
		}
		return groups.map(([seen, entries]) => [seen, entries.join(' ')]);
	}

	/** Takes up what was saved; what cannot be understood is left out. What is known already is not seen less recently. */
	restore(texts: unknown): void {
		for (const group of Array.isArray(texts) ? texts : []) {
			const [seen, entries]: unknown[] = Array.isArray(group) ? group : [];
			if (typeof seen !== 'number' || typeof entries !== 'string') continue;
			for (const text of entries.split(' ')) this.takeUpOne(text, seen);
		}
	}

	private forget(id: string): void {
		this.texts = undefined;
		this.records.delete(id);
	}

	private takeUpOne(text: string, seen: number): void {
		const known = readKnown(text);
		if (known) this.set(known.id, known.entry, seen);
	}
}

/** Reads what was saved of one record; returns nothing if that is not possible. */
export function readKnown(text: string): { id: string; entry: RecordState } | undefined {
	const colon = text.lastIndexOf(':');
	const entry = fromText(text.slice(colon + 1));
	const id = colon > 0 ? decoded(text.slice(0, colon)) : undefined;
	return entry && id !== undefined ? { id, entry } : undefined;
}

function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
