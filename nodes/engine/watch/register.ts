import type { Added, Ended, NewId, SavedId, Snapshot, WatchOptions } from './types';

const MAX_ID_LENGTH = 128;
const MAX_SUBJECT_LENGTH = 256;
const MAX_DATA_BYTES = 1024;
/**
 * After a restart, a start that n8n was asked for this long ago and never confirmed is taken for done: where n8n does not
 * keep executions, it has forgotten the key by then, and would start it twice. One that it was not asked for is still due.
 */
const EMIT_AGAIN_MS = 10 * 60_000;

type Refused = Extract<Added, { ok: false }>;

const refused = (reason: Refused['reason'], message: string): Refused => ({
	ok: false,
	reason,
	message,
});

/** Says what is wrong with an id to watch, if anything is. White space around an id does not count. */
export function problemWith({ id, data, subject }: NewId): Refused | undefined {
	const text = typeof id === 'string' ? id.trim() : '';
	if (text === '' || text === '.' || text === '..' || /[\p{Cc}\p{Surrogate}]/u.test(text)) {
		return refused('badId', 'An ID must be a text that can stand in an address.');
	}
	if (text.length > MAX_ID_LENGTH) {
		return refused(
			'badId',
			`An ID has ${text.length} characters; ${MAX_ID_LENGTH} are the most that can be watched. Check that it is a single ID.`,
		);
	}
	if (
		subject !== undefined &&
		(typeof subject !== 'string' || subject.length > MAX_SUBJECT_LENGTH)
	) {
		return refused('badId', `A subject must be a text of up to ${MAX_SUBJECT_LENGTH} characters.`);
	}
	if (data !== undefined && !fitsAsData(data)) {
		return refused('tooMuchData', 'The data of an ID must be JSON of up to 1 kB.');
	}
	return undefined;
}

function fitsAsData(data: unknown): boolean {
	try {
		const json = JSON.stringify(data) as string | undefined;
		return json !== undefined && Buffer.byteLength(json, 'utf8') <= MAX_DATA_BYTES;
	} catch {
		return false;
	}
}

/**
 * Which ids there are and how far each has come: watched, ended but not confirmed, or remembered as ended. An id is in
 * exactly one of the three, so it can end once only. Knows nothing of polling.
 */
export class Register {
	private readonly watched = new Map<string, SavedId>();
	private readonly unconfirmed = new Map<string, SavedId>();
	private readonly remembered = new Set<string>();
	private readonly typed: ReadonlySet<string>;
	private typedRemembered = 0;

	/** Takes up what was saved, and which ids are typed now; typed ones that are new are still to be added. */
	constructor(
		private readonly options: Pick<WatchOptions, 'maxWatched' | 'maxRemembered'>,
		saved: unknown,
		typed: string[],
		now: number,
	) {
		this.typed = new Set(typed.map((id) => id.trim()));
		const { ids, ended } = readSnapshot(saved);
		for (const id of ended) this.remember(id);
		for (const entry of ids) {
			if (this.state(entry.id) !== undefined) continue;
			if (!entry.end) {
				if (entry.handed || this.typed.has(entry.id)) this.watched.set(entry.id, entry);
			} else if (now - (entry.end.emittedAt ?? now) < EMIT_AGAIN_MS) {
				this.unconfirmed.set(entry.id, entry);
			} else this.remember(entry.id);
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
	watching(): Iterable<SavedId> {
		return this.watched.values();
	}

	/** The ids whose end is not confirmed. */
	toConfirm(): Iterable<SavedId> {
		return this.unconfirmed.values();
	}

	/** The entry of an id that is being watched. */
	get(id: string): SavedId | undefined {
		return this.watched.get(id);
	}

	/**
	 * Adds all of the ids or, if one cannot be added, none. One that is known already only gets what it lacked; one that
	 * is only typed follows what is typed now.
	 */
	add(items: NewId[], handed: boolean, now: number): { result: Added; fresh: SavedId[] } {
		const fresh = new Map<string, SavedId>();
		const counts = { added: 0, known: 0, finished: 0 };
		const lacking: Array<[SavedId, NewId]> = [];
		for (const item of items) {
			const problem = problemWith(item);
			if (problem) return { result: problem, fresh: [] };
			const id = item.id.trim();
			const entry = this.watched.get(id) ?? fresh.get(id);
			if (entry) {
				counts.known++;
				lacking.push([entry, item]);
			} else if (this.state(id) !== undefined) counts.finished++;
			else {
				counts.added++;
				const saved: SavedId = { id, since: now, polls: 0 };
				fresh.set(id, saved);
				lacking.push([saved, item]);
			}
		}
		const { maxWatched } = this.options;
		if (fresh.size > 0 && this.size + fresh.size > maxWatched) {
			const message = `No more than ${maxWatched} IDs can be watched at a time, and ${this.size} are. Raise Most Watched IDs in the options of the trigger, or hand in fewer.`;
			return { result: refused('tooMany', message), fresh: [] };
		}
		for (const [entry, item] of lacking) {
			if (!handed && !entry.handed) entry.subject = item.subject;
			if (item.subject !== undefined) entry.subject ??= item.subject;
			if (item.data !== undefined) entry.data ??= item.data;
			if (handed) entry.handed = true;
		}
		for (const [id, entry] of fresh) this.watched.set(id, entry);
		return {
			result: { ok: true, ...counts, watched: this.watched.size },
			fresh: [...fresh.values()],
		};
	}

	/** Ends a watched id; from here on its result is part of the snapshot. */
	end(id: string, end: NonNullable<SavedId['end']>): void {
		const entry = this.watched.get(id);
		if (!entry) return;
		entry.end = end;
		this.watched.delete(id);
		this.unconfirmed.set(id, entry);
	}

	/** How an id ended, as long as that is not confirmed. */
	ended(id: string): Ended | undefined {
		const entry = this.unconfirmed.get(id);
		if (!entry?.end) return undefined;
		const { outcome, result, at, trouble } = entry.end;
		return {
			id,
			outcome,
			result,
			data: entry.data,
			subject: entry.subject,
			seenOutstanding: entry.seen === true,
			firstSeen: entry.since,
			finishedAt: at,
			polls: entry.polls,
			trouble,
		};
	}

	/** Notes when the workflow was asked to start, or that it did not. Not changed in place: what was saved stays as it was. */
	emitted(id: string, emittedAt: number | undefined): void {
		const entry = this.unconfirmed.get(id);
		if (entry?.end) this.unconfirmed.set(id, { ...entry, end: { ...entry.end, emittedAt } });
	}

	/** Takes the start of the workflow for done: the result is dropped and only the id remembered. */
	confirm(id: string): boolean {
		const entry = this.unconfirmed.get(id);
		if (!entry?.end) return false;
		this.unconfirmed.delete(id);
		this.remember(id);
		return true;
	}

	/** All that must survive. The lists are new, what is in them is not: making one costs next to nothing. */
	snapshot(): Snapshot {
		return {
			version: 1,
			ids: [...this.watched.values(), ...this.unconfirmed.values()],
			ended: [...this.remembered],
		};
	}

	private state(id: string): 'watched' | 'unconfirmed' | 'remembered' | undefined {
		if (this.watched.has(id)) return 'watched';
		if (this.unconfirmed.has(id)) return 'unconfirmed';
		return this.remembered.has(id) ? 'remembered' : undefined;
	}

	/** Remembers an id, at the cost of the one remembered longest. One still typed would be watched anew, so it stays. */
	private remember(id: string): void {
		if (this.remembered.has(id)) return;
		this.remembered.add(id);
		if (this.typed.has(id)) this.typedRemembered++;
		if (this.remembered.size - this.typedRemembered <= this.options.maxRemembered) return;
		for (const old of this.remembered) {
			if (this.typed.has(old)) continue;
			this.remembered.delete(old);
			return;
		}
	}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const time = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Reads what was saved, from whatever came back: what cannot be understood is left out rather than fatal. */
function readSnapshot(saved: unknown): Pick<Snapshot, 'ids' | 'ended'> {
	// n8n gives static data back as proxies that watch for changes; a copy is faster and ours.
	const copy: unknown = isObject(saved) ? JSON.parse(JSON.stringify(saved)) : {};
	const { ids, ended } = copy as Record<string, unknown>;
	return {
		ids: list(ids)
			.filter(isObject)
			.flatMap((entry) => readEntry(entry)),
		ended: list(ended).filter((id) => typeof id === 'string'),
	};
}

function readEntry(entry: Record<string, unknown>): SavedId[] {
	const { id, since, polls, seen, handed, data, subject, end } = entry;
	const known = { id, data, subject } as NewId;
	if (problemWith(known)) return [];
	const saved: SavedId = { id: known.id, since: time(since) ?? 0, polls: time(polls) ?? 0 };
	if (seen === true) saved.seen = true;
	if (handed === true) saved.handed = true;
	if (data !== undefined) saved.data = data;
	if (known.subject !== undefined) saved.subject = known.subject;
	if (isObject(end) && typeof end.outcome === 'string') {
		const { outcome, at, emittedAt } = end;
		saved.end = { ...end, outcome, at: time(at) ?? 0, emittedAt: time(emittedAt) };
	}
	return [saved];
}
