import { StartLedger } from '../../common/core/startLedger';
import type { StartRejection } from '../../common/core/startLedger';
import { problemWith, rejectAdd } from './newId';
import { readSnapshot } from './saved';
import type { AddResult, Ended, NewId, SavedId, IdSnapshot, WatchOptions } from './types';

type End = NonNullable<SavedId['end']>;
type RegisterLimits = Pick<WatchOptions, 'maxWatched' | 'maxRemembered' | 'startAgainForMs'>;

/**
 * Which ids there are and how far each has come: watched, ended but not confirmed, remembered as ended, or given up since
 * nobody can tell whether n8n has started it. An id is in exactly one of the four, so it can end once only; one that was given
 * up begins anew when it is handed in, or typed, again. Knows nothing of polling.
 */
export class IdRegister {
	private readonly watched = new Map<string, SavedId>();
	private readonly unconfirmed = new Map<string, SavedId>();
	private readonly endedIds = new Set<string>();
	private readonly givenUp = new Map<string, SavedId>();
	/** What n8n was asked to start, by id. */
	private readonly ledger: StartLedger<SavedId>;
	private readonly typed: ReadonlySet<string>;
	private typedEnded = 0;

	/** Takes up what was saved, and which ids are typed now; typed ones that are new are still to be added. */
	constructor(
		private readonly options: RegisterLimits,
		saved: unknown,
		typed: string[],
		now: number,
	) {
		this.typed = new Set(typed.map((id) => id.trim()));
		this.ledger = new StartLedger(options.startAgainForMs);
		const { ids, ended } = readSnapshot(saved, { now });
		for (const id of ended) this.addEnded(id);
		for (const entry of ids) {
			if (this.knows(entry.id)) continue;
			if (entry.end) this.restoreEnded(entry, entry.end, now);
			else if (entry.submitted || this.typed.has(entry.id)) this.watched.set(entry.id, entry);
		}
	}

	/** How many ids are not done with: watched, or ended and not confirmed. */
	get size(): number {
		return this.watched.size + this.unconfirmed.size;
	}

	get watchedCount(): number {
		return this.watched.size;
	}

	/** The ids being watched. */
	watchedEntries(): Iterable<SavedId> {
		return this.watched.values();
	}

	/** The ids whose end is not confirmed. */
	unconfirmedEntries(): Iterable<SavedId> {
		return this.unconfirmed.values();
	}

	/** The entry of an id that is being watched. */
	get(id: string): SavedId | undefined {
		return this.watched.get(id);
	}

	/**
	 * Adds all of the ids or, if one cannot be added, none. One that is known already only gets what it lacked; one that
	 * is only typed follows what is typed now. To hand in none asks whether there is room for one.
	 */
	add(items: NewId[], areSubmitted: boolean, now: number): { result: AddResult; fresh: SavedId[] } {
		const fresh = new Map<string, SavedId>();
		const counts = { added: 0, known: 0, finished: 0 };
		const toComplete: Array<[SavedId, NewId]> = [];
		for (const item of items) {
			const problem = problemWith(item);
			if (problem) return { result: problem, fresh: [] };
			const id = item.id.trim();
			const entry = this.watched.get(id) ?? fresh.get(id);
			if (entry) {
				counts.known++;
				toComplete.push([entry, item]);
			} else if (this.knows(id) && !(areSubmitted && this.givenUp.has(id))) {
				counts.finished++;
			} else {
				counts.added++;
				const saved: SavedId = { id, since: now, polls: 0 };
				fresh.set(id, saved);
				toComplete.push([saved, item]);
			}
		}
		const { maxWatched } = this.options;
		const room = areSubmitted && items.length === 0 ? 1 : fresh.size;
		if (room > 0 && this.size + room > maxWatched) {
			const message = `No more than ${maxWatched} IDs can be watched at a time, and ${this.size} are. Raise 'Max Watched IDs' in the options of the trigger, or send fewer.`;
			return { result: rejectAdd('tooMany', message), fresh: [] };
		}
		for (const [entry, item] of toComplete) {
			if (!areSubmitted && !entry.submitted) entry.subject = item.subject;
			entry.subject ??= item.subject;
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

	/** Forgets a watched id; says whether there was one. */
	drop(id: string): boolean {
		return this.watched.delete(id);
	}

	/** Ends a watched id; from here on its result is part of the snapshot. */
	end(id: string, end: End): void {
		const entry = this.watched.get(id);
		if (!entry) return;
		entry.end = end;
		this.watched.delete(id);
		this.unconfirmed.set(id, entry);
	}

	/** How an id ended, as long as that is not confirmed. */
	ended(id: string): Ended | undefined {
		const entry = this.unconfirmed.get(id);
		return entry?.end && endOf(entry, entry.end);
	}

	/** Notes that the workflow is asked to start. */
	requestStart(id: string, now: number): void {
		const entry = this.unconfirmed.get(id);
		if (!entry) return;
		this.ledger.request(id, entry, now);
		this.copyRequestTime(entry);
	}

	/** Notes that the workflow was not started, and says when to ask for it again. */
	rejectStart(id: string): StartRejection {
		const rejection = this.ledger.reject(id);
		const entry = this.unconfirmed.get(id);
		if (entry) this.copyRequestTime(entry);
		return rejection;
	}

	/** Takes the start of the workflow for done: the result is dropped and only the id remembered. */
	confirmStart(id: string): boolean {
		const entry = this.unconfirmed.get(id);
		if (!entry?.end) return false;
		this.unconfirmed.delete(id);
		this.ledger.remove(id);
		this.addEnded(id);
		return true;
	}

	/** Gives those that were given up and of which nobody knows yet, once. */
	takeUnreported(): Ended[] {
		return this.ledger.takeExpired().map((entry) => endOf(entry, entry.end!));
	}

	/** All that must survive. The lists are new, what is in them is not: making one costs next to nothing. */
	snapshot(): IdSnapshot {
		return {
			version: 1,
			ids: [...this.watched.values(), ...this.unconfirmed.values(), ...this.givenUp.values()],
			ended: [...this.endedIds],
		};
	}

	private knows(id: string): boolean {
		const places = [this.watched, this.unconfirmed, this.endedIds, this.givenUp];
		return places.some((place) => place.has(id));
	}

	/**
	 * Takes up an id that had ended. n8n was perhaps asked to start it and died, before it did or after: it is started again,
	 * since n8n drops a second start by its key, as long as that is surely remembered. After that a second start might be made.
	 */
	private restoreEnded(entry: SavedId, end: End, now: number): void {
		const { id, since, polls } = entry;
		const source = this.typed.has(id) ? 'typed' : 'submitted';
		if (end.reportedAs) {
			// One that is typed now and was not then shall begin anew.
			if (source === 'typed' && end.reportedAs === 'submitted') return;
			this.giveUp({ id, since, polls, end: { ...end, reportedAs: source } });
			return;
		}
		const { outcome, at, emittedAt: requestedAt } = end;
		const start =
			requestedAt === undefined
				? undefined
				: this.ledger.restore({ key: id, subject: entry, requestedAt, isExpired: false }, now);
		const emittedAt = start?.requestedAt;
		if (!start?.isExpired) {
			this.unconfirmed.set(id, { ...entry, end: { ...end, emittedAt } });
			return;
		}
		this.ledger.remove(id);
		this.giveUp({ id, since, polls, end: { outcome, at, emittedAt, reportedAs: source } });
	}

	/** Has the snapshot show since when n8n may have started an id. Not changed in place: what was saved stays as it was. */
	private copyRequestTime(entry: SavedId): void {
		const start = this.ledger.get(entry.id);
		const emittedAt = start?.isRejected === false ? start.requestedAt : undefined;
		if (!entry.end || entry.end.emittedAt === emittedAt) return;
		this.unconfirmed.set(entry.id, { ...entry, end: { ...entry.end, emittedAt } });
	}

	private giveUp(entry: SavedId): void {
		this.givenUp.set(entry.id, entry);
		if (this.givenUp.size <= this.options.maxRemembered) return;
		this.givenUp.delete(this.givenUp.keys().next().value!);
	}

	/** Remembers an id, at the cost of the one remembered longest. One still typed would be watched anew, so it stays. */
	private addEnded(id: string): void {
		if (this.endedIds.has(id)) return;
		this.endedIds.add(id);
		if (this.typed.has(id)) this.typedEnded++;
		if (this.endedIds.size - this.typedEnded <= this.options.maxRemembered) return;
		for (const old of this.endedIds) {
			if (this.typed.has(old)) continue;
			this.endedIds.delete(old);
			return;
		}
	}
}

const endOf = (entry: SavedId, { outcome, result, at, trouble }: End): Ended => ({
	id: entry.id,
	outcome,
	result,
	data: entry.data,
	subject: entry.subject,
	seenOutstanding: entry.seen === true,
	firstSeen: entry.since,
	finishedAt: at,
	polls: entry.polls,
	trouble,
});
