import { toOutgoingStart } from './changesToStart';
import type { OutgoingStart, WantedChange } from './changesToStart';
import { startKeyOf } from './digest';
import type { SavedStart } from './listSnapshot';
import type { ListDefinition } from './types';

/** An unconfirmed start from before the last restart. */
interface RepeatedStart<Followed extends ListDefinition> {
	/** The list of each change whose record was not read again yet. */
	unseenLists: string[];
	/** The changes whose records were read again and that still hold. */
	wantedChanges: Array<WantedChange<Followed>>;
}

/**
 * The starts that were requested before the last restart and never confirmed. Each is requested again unchanged, with the same
 * key, once all of its records were read again. Later changes of those records are separate starts.
 */
export class StartsToRepeat<Followed extends ListDefinition> {
	private readonly starts: Map<string, RepeatedStart<Followed>>;

	constructor(savedStarts: SavedStart[] = []) {
		this.starts = new Map(
			savedStarts.map(({ key, changes }) => [
				key,
				{ unseenLists: changes.map(([listKey]) => listKey), wantedChanges: [] },
			]),
		);
	}

	/**
	 * Notes that a record of a start was read again; `wantedChange` is missing if the change no longer holds. Returns the start once
	 * it is complete, or 'obsolete' if none of its changes holds.
	 */
	noteRecordRead(
		key: string,
		listKey: string,
		wantedChange?: WantedChange<Followed>,
	): OutgoingStart<Followed> | 'obsolete' | undefined {
		const repeated = this.starts.get(key);
		// The start was sent without this change (see `takeIncomplete`). A second execution is better than a lost change.
		if (!repeated)
			return wantedChange && toOutgoingStart(startKeyOf(key, wantedChange.key), [wantedChange]);
		repeated.unseenLists.splice(repeated.unseenLists.indexOf(listKey), 1);
		if (wantedChange) repeated.wantedChanges.push(wantedChange);
		if (repeated.unseenLists.length > 0) return undefined;
		this.starts.delete(key);
		return repeated.wantedChanges.length > 0
			? toOutgoingStart(key, repeated.wantedChanges)
			: 'obsolete';
	}

	/** Returns the starts that stay incomplete: their lists were read to the end without the missing records. */
	takeIncomplete(wasRead: (listKey: string) => boolean): Array<OutgoingStart<Followed>> {
		return [...this.starts].flatMap(([key, { unseenLists, wantedChanges }]) => {
			if (wantedChanges.length === 0 || !unseenLists.every(wasRead)) return [];
			this.starts.delete(key);
			return [toOutgoingStart(key, wantedChanges)];
		});
	}
}
