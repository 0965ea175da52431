import { startKeyOf } from './digest';
import type { SavedStart } from './saved';
import type { Source } from './types';
import { toOutgoingStart } from './wanted';
import type { OutgoingStart, WantedChange } from './wanted';

/** One start that an earlier life asked for. */
interface RepeatedStart<Followed extends Source> {
	/** The lists of those of its changes that have not been seen again. */
	unseenLists: string[];
	/** The others, as far as they are still so. */
	wanted: Array<WantedChange<Followed>>;
}

/**
 * What an earlier life asked n8n to start, and never heard of. It is asked for again as it was, with the same key, once all of
 * its records were seen again: what has changed since is told by itself.
 */
export class RepeatedStarts<Followed extends Source> {
	private readonly starts: Map<string, RepeatedStart<Followed>>;

	constructor(savedStarts: SavedStart[] = []) {
		this.starts = new Map(
			savedStarts.map(({ key, changes }) => [
				key,
				{ unseenLists: changes.map(([source]) => source), wanted: [] },
			]),
		);
	}

	/**
	 * Takes in that a record was seen again with which something is to be started; without it if that is not so any more. Gives
	 * the start once it is whole, or that nothing is left of it.
	 */
	recordSeen(
		key: string,
		source: string,
		wanted?: WantedChange<Followed>,
	): OutgoingStart<Followed> | 'obsolete' | undefined {
		const repeated = this.starts.get(key);
		// The others have gone without it: better twice than never.
		if (!repeated) return wanted && toOutgoingStart(startKeyOf(key, wanted.key), [wanted]);
		repeated.unseenLists.splice(repeated.unseenLists.indexOf(source), 1);
		if (wanted) repeated.wanted.push(wanted);
		if (repeated.unseenLists.length > 0) return undefined;
		this.starts.delete(key);
		return repeated.wanted.length > 0 ? toOutgoingStart(key, repeated.wanted) : 'obsolete';
	}

	/** Gives those that will not be whole any more, since all their lists have been read. */
	takeIncomplete(wasRead: (source: string) => boolean): Array<OutgoingStart<Followed>> {
		return [...this.starts].flatMap(([key, { unseenLists, wanted }]) => {
			if (wanted.length === 0 || !unseenLists.every(wasRead)) return [];
			this.starts.delete(key);
			return [toOutgoingStart(key, wanted)];
		});
	}
}
