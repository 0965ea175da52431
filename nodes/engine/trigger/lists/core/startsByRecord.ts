import type { SavedStart } from './listSnapshot';

/** The starts of one list that were requested before the last restart, by record ID, until the record is read again. */
export class StartsByRecord {
	private readonly byRecord = new Map<string, Array<{ kind: string; key: string }>>();

	constructor(listKey: string, savedStarts: SavedStart[]) {
		for (const { key, changes } of savedStarts) {
			for (const [list, kind, id] of changes) {
				if (list === listKey)
					this.byRecord.set(id, [...(this.byRecord.get(id) ?? []), { kind, key }]);
			}
		}
	}

	/** Removes and returns the starts of a record. */
	take(id: string): Array<{ kind: string; key: string }> {
		const starts = this.byRecord.get(id) ?? [];
		this.byRecord.delete(id);
		return starts;
	}
}
