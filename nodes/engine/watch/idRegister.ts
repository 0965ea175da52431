import type { RestoredIds } from './idSnapshot';
import { validateNewId, rejectAdd } from './newId';
import { OldEnds } from './oldEnds';
import type { OldEndOptions } from './oldEnds';
import type { Starts } from './starts';
import type { AddResult, IdReport, NewId, SavedId, IdSnapshot, WatchOptions } from './types';

type SavedEnd = NonNullable<SavedId['end']>;
type RegisterOptions = OldEndOptions & Pick<WatchOptions, 'maxWatched' | 'maxKnownEnded'>;

/**
 * All known IDs with their state: watched, ended but not confirmed, ended and confirmed, or given up because it ended before
 * `startFrom`, or it is unknown whether n8n started the workflow. An ID has exactly one of the four states, so it can end only once. An ID that was given
 * up starts anew when it is submitted or entered again. The register does not depend on polling.
 */
export class IdRegister {
	private readonly watched = new Map<string, SavedId>();
	private readonly unconfirmed = new Map<string, SavedId>();
	private readonly confirmedIds = new Set<string>();
	private readonly givenUp = new Map<string, SavedId>();
	private readonly oldEnds: OldEnds;
	private readonly enteredIds: ReadonlySet<string>;
	private confirmedEnteredCount = 0;

	/**
	 * Restores saved state, and changes its entries later. `enteredIds` are the IDs in the node now; the caller must still `add`
	 * the new ones.
	 */
	constructor(
		private readonly options: RegisterOptions,
		/** The starts that were requested from n8n, by ID. */
		private readonly starts: Starts<SavedId>,
		{ ids, confirmedIds }: RestoredIds,
		enteredIds: string[],
		now: number,
	) {
		this.enteredIds = new Set(enteredIds.map((id) => id.trim()));
		this.oldEnds = new OldEnds(options, now);
		for (const id of confirmedIds) this.addConfirmed(id);
		for (const entry of ids) {
			if (this.knows(entry.id)) continue;
			if (entry.end) this.restoreEnded(entry, entry.end);
			else if (entry.submitted || this.enteredIds.has(entry.id)) this.watched.set(entry.id, entry);
		}
	}

	/** Number of IDs that are watched, or ended and not confirmed. */
	get size(): number {
		return this.watched.size + this.unconfirmed.size;
	}

	get watchedCount(): number {
		return this.watched.size;
	}

	watchedEntries(): Iterable<SavedId> {
		return this.watched.values();
	}

	unconfirmedEntries(): Iterable<SavedId> {
		return this.unconfirmed.values();
	}

	/** Returns the entry of an ID while it is watched. */
	get(id: string): SavedId | undefined {
		return this.watched.get(id);
	}

	/**
	 * Adds all IDs or, if one cannot be added, none. Submitting an empty list checks whether there is room for one ID.
	 *
	 * - An ID that is already watched receives only the data and the subject that it lacks.
	 * - Exception: an ID that was never submitted takes the subject that is now entered in the node.
	 * - If an ID is entered twice, the subject of either entry applies; without a subject, anyone's answer would count.
	 * - Two different subjects of one entered ID are rejected. Of a submitted ID, the first subject applies.
	 */
	add(items: NewId[], areSubmitted: boolean, now: number): { result: AddResult; fresh: SavedId[] } {
		const fresh = new Map<string, SavedId>();
		const counts = { added: 0, alreadyWatched: 0, alreadyEnded: 0 };
		const subjects = new Map<string, string>();
		const merges: Array<[SavedId, NewId]> = [];
		for (const item of items) {
			const problem = validateNewId(item);
			if (problem) return { result: problem, fresh: [] };
			const id = item.id.trim();
			if (item.subject !== undefined) {
				const firstSubject = subjects.get(id) ?? item.subject;
				if (!areSubmitted && firstSubject !== item.subject) {
					const message = `${id} is entered twice, with different subjects. Enter it once.`;
					return { result: rejectAdd('badId', message), fresh: [] };
				}
				subjects.set(id, firstSubject);
			}
			const entry = this.watched.get(id) ?? fresh.get(id);
			if (entry) {
				counts.alreadyWatched++;
				merges.push([entry, item]);
			} else if (this.knows(id) && !(areSubmitted && this.givenUp.has(id))) {
				counts.alreadyEnded++;
			} else {
				counts.added++;
				const newEntry: SavedId = { id, addedAt: now, polls: 0 };
				fresh.set(id, newEntry);
				merges.push([newEntry, item]);
			}
		}
		const { maxWatched } = this.options;
		const neededSlots = areSubmitted && items.length === 0 ? 1 : fresh.size;
		if (neededSlots > 0 && this.size + neededSlots > maxWatched) {
			const message = `No more than ${maxWatched} IDs can be watched at a time, and ${this.size} are. Raise 'Max Watched IDs' in the options of the trigger, or send fewer.`;
			return { result: rejectAdd('tooMany', message), fresh: [] };
		}
		for (const [entry, item] of merges) {
			const subject = subjects.get(entry.id);
			if (!areSubmitted && !entry.submitted) entry.subject = subject;
			entry.subject ??= subject;
			entry.data ??= item.data;
			if (areSubmitted) entry.submitted = true;
		}
		for (const [id, entry] of fresh) {
			this.givenUp.delete(id);
			this.watched.set(id, entry);
		}
		return {
			result: { ok: true, ...counts, watched: this.watched.size },
			fresh: [...fresh.values()],
		};
	}

	/** Forgets a watched ID; returns whether it was watched. */
	drop(id: string): boolean {
		return this.watched.delete(id);
	}

	/**
	 * Ends a watched ID; the next snapshot includes its result. Returns undefined if the ID ended before `startFrom`: it starts
	 * nothing. `endedAgoMs`: how long ago the ID ended at the service; undefined if that is unknown.
	 */
	end(id: string, end: SavedEnd, endedAgoMs?: number): SavedId | undefined {
		const entry = this.watched.get(id);
		if (!entry) return undefined;
		this.watched.delete(id);
		const happenedAt = endedAgoMs === undefined ? undefined : end.endedAt - endedAgoMs;
		if (this.oldEnds.noteIfIgnored(entry, end, happenedAt)) {
			this.giveUp(entry, end);
			return undefined;
		}
		this.oldEnds.noteStarted(entry, end, happenedAt);
		entry.end = end;
		this.unconfirmed.set(id, entry);
		return entry;
	}

	/** Notes that the service reports a watched ID as pending. */
	markOutstanding(id: string): void {
		const entry = this.watched.get(id)!;
		entry.seenOutstanding = true;
		if (this.options.startFrom !== undefined) entry.followedFrom = this.options.startFrom;
	}

	/**
	 * Records that the workflow was started: drops the result and keeps only the ID. Returns false if no start was pending.
	 */
	confirmStart(id: string): boolean {
		const entry = this.unconfirmed.get(id);
		if (!entry?.end) return false;
		this.unconfirmed.delete(id);
		this.addConfirmed(id);
		return true;
	}

	/** Returns reports on the IDs that were given up or ended long ago. Each ID is reported once. */
	takeReports(now: number): IdReport[] {
		return this.oldEnds.takeReports(this.starts.takeExpired(), now);
	}

	/**
	 * Returns all state that must survive a restart. The lists are copies that share their entries, so a snapshot costs next
	 * to nothing.
	 */
	snapshot(): IdSnapshot {
		return {
			version: 1,
			ids: [
				...this.watched.values(),
				...[...this.unconfirmed.values()].map((entry) => this.withRequestTime(entry)),
				...this.givenUp.values(),
			],
			confirmedIds: [...this.confirmedIds],
		};
	}

	private knows(id: string): boolean {
		const places = [this.watched, this.unconfirmed, this.confirmedIds, this.givenUp];
		return places.some((place) => place.has(id));
	}

	/**
	 * Restores an ID that had ended. The previous process may have stopped before or after n8n carried out the start. As
	 * long as n8n still knows the start's deduplication key and drops a second start, the start is requested again. Later,
	 * another request might start the workflow twice, so the ID is given up.
	 */
	private restoreEnded(entry: SavedId, end: SavedEnd): void {
		const { id } = entry;
		if (end.reportedAs) {
			// The ID starts anew if it is entered now and was only submitted when it was given up.
			if (this.enteredIds.has(id) && end.reportedAs === 'submitted') return;
			return this.giveUp(entry, end);
		}
		if (this.oldEnds.noteIfIgnored(entry, end, end.endedAt)) return this.giveUp(entry, end);
		const start =
			end.requestedAt === undefined
				? undefined
				: this.starts.restore({
						key: id,
						cause: entry,
						requestedAt: end.requestedAt,
						isExpired: false,
					});
		const savedEnd = { ...end, requestedAt: start?.requestedAt };
		if (!start?.isExpired) {
			this.unconfirmed.set(id, { ...entry, end: savedEnd });
			return;
		}
		this.starts.remove(id);
		this.giveUp(entry, savedEnd);
	}

	/** Returns an entry with the time of the first request that n8n may have carried out. */
	private withRequestTime(entry: SavedId): SavedId {
		const requestedAt = this.starts.requestedAt(entry.id);
		return { ...entry, end: { ...entry.end!, requestedAt } };
	}

	/** Keeps an ID, without its data and result, as one that was given up and reported. */
	private giveUp(entry: SavedId, { outcome, endedAt, requestedAt }: SavedEnd): void {
		const { id, addedAt, polls } = entry;
		const reportedAs = this.enteredIds.has(id) ? 'entered' : 'submitted';
		this.givenUp.set(id, {
			id,
			addedAt,
			polls,
			end: { outcome, endedAt, requestedAt, reportedAs },
		});
		if (this.givenUp.size <= this.options.maxKnownEnded) return;
		this.givenUp.delete(this.givenUp.keys().next().value!);
	}

	/**
	 * Adds an ID with a confirmed start, and drops the oldest one above the limit. IDs that are still entered in the node
	 * are never dropped, since they would then be watched anew.
	 */
	private addConfirmed(id: string): void {
		if (this.confirmedIds.has(id)) return;
		this.confirmedIds.add(id);
		if (this.enteredIds.has(id)) this.confirmedEnteredCount++;
		if (this.confirmedIds.size - this.confirmedEnteredCount <= this.options.maxKnownEnded) return;
		for (const old of this.confirmedIds) {
			if (this.enteredIds.has(old)) continue;
			this.confirmedIds.delete(old);
			return;
		}
	}
}
