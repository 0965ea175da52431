import { keyOf } from './digest';
import type { SavedStart } from './saved';
import type { Source } from './types';
import { bundled } from './wanted';
import type { OutgoingStart, WantedChange } from './wanted';

/** One start that an earlier life asked for. */
interface Repeated<Followed extends Source> {
	/** The lists of those of its changes that have not been seen again. */
	unseen: string[];
	/** The others, as far as they are still so. */
	wanted: Array<WantedChange<Followed>>;
}

/**
 * What an earlier life asked n8n to start, and never heard of. It is asked for again as it was, with the same key, once all of
 * its records were seen again: what has changed since is told by itself.
 */
export class RepeatedStarts<Followed extends Source> {
	private readonly starts: Map<string, Repeated<Followed>>;

	constructor(asked: SavedStart[] = []) {
		this.starts = new Map(
			asked.map(({ key, changes }) => [
				key,
				{ unseen: changes.map(([source]) => source), wanted: [] },
			]),
		);
	}

	/**
	 * Takes in that a record was seen again with which something is to be started; without it if that is not so any more. Gives
	 * the start once it is whole, or that nothing is left of it.
	 */
	seen(
		key: string,
		source: string,
		wanted?: WantedChange<Followed>,
	): OutgoingStart<Followed> | 'over' | undefined {
		const repeated = this.starts.get(key);
		// The others have gone without it: better twice than never.
		if (!repeated) return wanted && bundled(keyOf(key, wanted.key), [wanted]);
		repeated.unseen.splice(repeated.unseen.indexOf(source), 1);
		if (wanted) repeated.wanted.push(wanted);
		if (repeated.unseen.length > 0) return undefined;
		this.starts.delete(key);
		return repeated.wanted.length > 0 ? bundled(key, repeated.wanted) : 'over';
	}

	/** Gives those that will not be whole any more, since all their lists have been read. */
	rest(isRead: (source: string) => boolean): Array<OutgoingStart<Followed>> {
		return [...this.starts].flatMap(([key, { unseen, wanted }]) => {
			if (wanted.length === 0 || !unseen.every(isRead)) return [];
			this.starts.delete(key);
			return [bundled(key, wanted)];
		});
	}
}
