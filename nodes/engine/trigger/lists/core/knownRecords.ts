import { parseState, serializeState } from './recordState';
import type { RecordState } from './recordState';

/** What would be taken for something else in a text of several ids. Anything else may be in one, even half a character. */
const ESCAPED_IN_IDS = /[ %]/g;

interface KnownRecord {
	state: RecordState;
	/** When the service last gave the record, by its own clock. */
	seenAt: number;
}

/**
 * What is known of the records of one list: for each an entry, never the record itself. Those not seen for longest come first.
 */
export class KnownRecords {
	private readonly records = new Map<string, KnownRecord>();
	/** All of it as texts, as long as nothing changes: most lists do not between two saves. */
	private serialized: Array<[seenAt: number, entries: string]> | undefined;

	get size(): number {
		return this.records.size;
	}

	get(id: string): RecordState | undefined {
		return this.records.get(id)?.state;
	}

	/** Notes how a record is, and when that was seen. */
	set(id: string, state: RecordState, seenAt: number): void {
		this.serialized = undefined;
		const before = this.records.get(id)?.seenAt ?? -Infinity;
		this.records.delete(id);
		this.records.set(id, { state, seenAt: Math.max(before, seenAt) });
	}

	/**
	 * Forgets those that were last seen before a time and need not be kept: the service does not give them again. Retains some
	 * of them for longer, those seen last. Gives the time up to which records have been forgotten.
	 */
	forgetSeenBefore(
		time: number,
		retained: { from: number; most: number } = { from: time, most: 0 },
	): number | undefined {
		let until: number | undefined;
		// Records that must be kept take no room from the others.
		let count = [...this.records.values()].filter(({ state }) => !state.kept).length;
		for (const [id, { state, seenAt }] of this.records) {
			if (state.kept || seenAt >= time) continue;
			if (seenAt >= retained.from && count <= retained.most) continue;
			count--;
			this.forget(id);
			until = Math.max(until ?? -Infinity, seenAt);
		}
		return until;
	}

	/** Forgets all that were last seen before a time. Gives the time up to which records have been forgotten. */
	forgetVanished(time: number): number | undefined {
		let until: number | undefined;
		for (const [id, { seenAt }] of this.records) {
			if (seenAt >= time) continue;
			this.forget(id);
			until = Math.max(until ?? -Infinity, seenAt);
		}
		return until;
	}

	/**
	 * Forgets those not seen for longest, down to so many. Gives the time up to which records have been forgotten: whatever was
	 * made before it counts as old from now on.
	 */
	forgetOldest(most: number): number | undefined {
		let until: number | undefined;
		for (const [id, { seenAt }] of this.records) {
			if (this.records.size <= most) break;
			this.forget(id);
			until = Math.max(until ?? -Infinity, seenAt);
		}
		return until;
	}

	/** All of it as texts, those seen at the same time together. */
	toSaved(): Array<[seenAt: number, entries: string]> {
		this.serialized ??= this.serialize();
		return this.serialized;
	}

	private serialize(): Array<[seenAt: number, entries: string]> {
		const groups: Array<[number, string[]]> = [];
		for (const [id, { state, seenAt }] of this.records) {
			const last = groups.at(-1);
			const group = last?.[0] === seenAt ? last[1] : [];
			if (group.length === 0) groups.push([seenAt, group]);
			group.push(`${id.replace(ESCAPED_IN_IDS, encodeURIComponent)}:${serializeState(state)}`);
		}
		return groups.map(([seenAt, entries]) => [seenAt, entries.join(' ')]);
	}

	/** Takes up what was saved; what cannot be understood is left out. What is known already is not seen less recently. */
	restore(texts: unknown): void {
		for (const group of Array.isArray(texts) ? texts : []) {
			const [seenAt, entries]: unknown[] = Array.isArray(group) ? group : [];
			if (typeof seenAt !== 'number' || typeof entries !== 'string') continue;
			for (const text of entries.split(' ')) this.restoreOne(text, seenAt);
		}
	}

	private forget(id: string): void {
		this.serialized = undefined;
		this.records.delete(id);
	}

	private restoreOne(text: string, seenAt: number): void {
		const known = parseKnownRecord(text);
		if (known) this.set(known.id, known.state, seenAt);
	}
}

/** Reads what was saved of one record; returns nothing if that is not possible. */
export function parseKnownRecord(text: string): { id: string; state: RecordState } | undefined {
	const colon = text.lastIndexOf(':');
	const state = parseState(text.slice(colon + 1));
	const id = colon > 0 ? decodeId(text.slice(0, colon)) : undefined;
	return state && id !== undefined ? { id, state } : undefined;
}

function decodeId(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
