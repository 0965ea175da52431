import type { IDataObject } from 'n8n-workflow';

/** A start that n8n was asked for and has not confirmed: its key, what it starts with, and when it was first asked for. */
export interface Asked {
	key: string;
	changes: Array<[source: string, kind: string, id: string]>;
	at: number;
	/** Set once it was given up and people were told. */
	told?: true;
}

/** What survives of one list, as plain JSON. */
export interface SavedSource {
	key: string;
	/** The beginning of the last look of which everything was started, by the service's clock. */
	cursor?: number;
	/** When following it began. */
	floor?: number;
	/** What is known of its records. */
	known: Array<[seen: number, entries: string]>;
	/** Whether people were told that it is gone, or that something is against it. */
	lost?: true;
	/** Of what kind it is, if it was found and not chosen. */
	found?: string;
}

/** All that must survive a restart, as plain JSON. */
export interface FollowSnapshot {
	version: 1;
	/** How often it was saved before: of two the one that was saved more often is the newer one. */
	saves: number;
	/** When the trigger was first switched on, by our clock. */
	began: number;
	sources: SavedSource[];
	asked: Asked[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const time = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** JSON has no word for the beginning of all time. */
const sinceEver = (value: unknown) => (value === null ? -Infinity : time(value));

/** What is kept in n8n's static data: every list as one text, since n8n wraps all objects in there for every execution. */
export const toColumn = (snapshot: FollowSnapshot): IDataObject => ({
	version: snapshot.version,
	saves: snapshot.saves,
	began: snapshot.began,
	sources: snapshot.sources.map((source) => JSON.stringify(source)),
	asked: snapshot.asked.map((asked) => JSON.stringify(asked)),
});

/** Reads what was saved, from whatever came back: what cannot be understood is left out rather than fatal. */
export function readColumn(kept: unknown): FollowSnapshot | undefined {
	if (!isObject(kept)) return undefined;
	// n8n gives static data back as proxies; a copy is faster and ours.
	const copy = JSON.parse(JSON.stringify(kept)) as Record<string, unknown>;
	const began = time(copy.began);
	const sources = list(copy.sources).flatMap((text) => readSource(parsed(text)));
	const asked = list(copy.asked).flatMap((text) => readAsked(parsed(text)));
	if (began === undefined && sources.length === 0 && asked.length === 0) return undefined;
	return { version: 1, saves: time(copy.saves) ?? 0, began: began ?? 0, sources, asked };
}

function parsed(text: unknown): unknown {
	if (typeof text !== 'string') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function readSource(given: unknown): SavedSource[] {
	if (!isObject(given) || typeof given.key !== 'string') return [];
	const known = list(given.known).flatMap((group): SavedSource['known'] => {
		const [seen, entries] = list(group);
		return time(seen) !== undefined && typeof entries === 'string' ? [[Number(seen), entries]] : [];
	});
	return [
		{
			key: given.key,
			cursor: sinceEver(given.cursor),
			floor: sinceEver(given.floor),
			known,
			...(given.lost === true && { lost: true }),
			...(typeof given.found === 'string' && { found: given.found }),
		},
	];
}

function readAsked(given: unknown): Asked[] {
	if (!isObject(given)) return [];
	const { key, at, told } = given;
	const asked = time(at);
	const changes = list(given.changes).flatMap((change): Asked['changes'] => {
		const [source, kind, id] = list(change);
		const isWhole = [source, kind, id].every((part) => typeof part === 'string');
		return isWhole ? [[source, kind, id] as [string, string, string]] : [];
	});
	if (typeof key !== 'string' || changes.length === 0 || asked === undefined) return [];
	return [{ key, changes, at: asked, ...(told === true && { told: true }) }];
}

/**
 * Of what the last follower of this process knew and what n8n has saved, the newer one. n8n can start a trigger again with
 * static data from before its last save; and another process may have followed meanwhile.
 */
export function newer(
	left: FollowSnapshot | undefined,
	saved: FollowSnapshot | undefined,
): FollowSnapshot | undefined {
	if (!left || !saved) return left ?? saved;
	return saved.saves > left.saves ? saved : left;
}
