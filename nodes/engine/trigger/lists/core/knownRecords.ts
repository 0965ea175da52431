import { parseState, serializeState } from './recordState';
import type { RecordState } from './recordState';

/**
 * The characters to escape in IDs: a space separates records, and `%` escapes. All others stay as they are, even a lone
 * surrogate, which `encodeURIComponent` rejects.
 */
const ESCAPED_IN_IDS = /[ %]/g;

/** What is kept of a record. */
export interface KnownRecord {
	state: RecordState;
	/** When the service last returned the record, by the service's clock. */
	seenAt: number;
}

/**
 * The known records of one list. Holds the state of each record, never the record itself. The records are ordered by when
 * they were last set, the least recent first; this is nearly the order of `seenAt`.
 */
export class KnownRecords {
	private readonly records = new Map<string, KnownRecord>();
	/** IDs of the records that were read before the service's time was known: their `seenAt` is too early. */
	private readonly undated = new Set<string>();
	/** Cached result of `toSaved`, until a record changes. Most lists do not change between two saves. */
	private serialized: Array<[seenAt: number, entries: string]> | undefined;

	get size(): number {
		return this.records.size;
	}

	get(id: string): RecordState | undefined {
		return this.records.get(id)?.state;
	}

	/** Sets the state of a record and when it was seen; `seenAt` never moves back. */
	set(id: string, state: RecordState, seenAt: number): void {
		this.serialized = undefined;
		const previousSeenAt = this.records.get(id)?.seenAt ?? -Infinity;
		this.records.delete(id);
		this.records.set(id, { state, seenAt: Math.max(previousSeenAt, seenAt) });
	}

	/** Notes that a record is read, although the service's time is unknown. */
	noteUndated(id: string): void {
		this.undated.add(id);
	}

	/** Sets when the records that were read at an unknown time were seen, now that the service's time is known. */
	dateUndated(seenAt: number): void {
		for (const id of this.undated) {
			const state = this.get(id);
			if (state) this.set(id, state, seenAt);
		}
		this.undated.clear();
	}

	/**
	 * Forgets the records that `shouldForget` selects; asks it in the order in which they were last set. Returns the latest time
	 * at which a forgotten record was seen.
	 */
	forget(shouldForget: (record: KnownRecord) => boolean): number | undefined {
		let until: number | undefined;
		for (const [id, record] of this.records) {
			if (!shouldForget(record)) continue;
			this.serialized = undefined;
			this.undated.delete(id);
			this.records.delete(id);
			until = Math.max(until ?? -Infinity, record.seenAt);
		}
		return until;
	}

	/** Number of records that `matches` selects. */
	count(matches: (record: KnownRecord) => boolean): number {
		return [...this.records.values()].filter(matches).length;
	}

	/**
	 * Returns the saved form: groups of records that were seen at the same time, each as one text. The time of undated records
	 * is not positive.
	 */
	toSaved(): Array<[seenAt: number, entries: string]> {
		this.serialized ??= this.serialize();
		return this.serialized;
	}

	private serialize(): Array<[seenAt: number, entries: string]> {
		const groups: Array<[number, string[]]> = [];
		for (const [id, { state, seenAt }] of this.records) {
			const savedTime = this.undated.has(id) ? 0 - seenAt : seenAt;
			const last = groups.at(-1);
			const group = last?.[0] === savedTime ? last[1] : [];
			if (group.length === 0) groups.push([savedTime, group]);
			group.push(`${id.replace(ESCAPED_IN_IDS, encodeURIComponent)}:${serializeState(state)}`);
		}
		return groups.map(([seenAt, entries]) => [seenAt, entries.join(' ')]);
	}

	/** Restores saved records and skips unreadable ones. A record that is already known keeps the later of both times. */
	restore(savedGroups: Array<[seenAt: number, entries: string]>): void {
		for (const [seenAt, entries] of savedGroups) {
			for (const text of entries.split(' ')) {
				const knownRecord = parseKnownRecord(text);
				if (!knownRecord) continue;
				if (seenAt <= 0) this.noteUndated(knownRecord.id);
				this.set(knownRecord.id, knownRecord.state, Math.abs(seenAt));
			}
		}
	}
}

/** Parses one saved record; returns `undefined` if the text is not one. */
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
