import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../values/isRecord';
import { withoutSetAside } from '../../../watch';
import type { UnrecognizedHandler } from '../../../watch';
import { parseKnownRecord } from './knownRecords';

/** A start that n8n has not confirmed. `requestedAt`: wall-clock time of the first request to n8n that was not rejected. */
export interface SavedStart {
	key: string;
	changes: Array<[listKey: string, kind: string, id: string]>;
	requestedAt: number;
	/** Set once the start has expired and the user was notified. */
	expired?: true;
}

/** Saved state of one list, as plain JSON. */
export interface SavedList {
	key: string;
	/**
	 * The service's time up to which the list was read and all starts are confirmed; the next poll after a restart resumes
	 * there.
	 */
	cursor?: number;
	/** When following began, by the service's clock. Earlier events are old. */
	followedSince?: number;
	/** Every record that changed after this time is known. */
	knownFrom?: number;
	/** The known records, in the form of `KnownRecords.toSaved`. */
	known: Array<[seen: number, entries: string]>;
	/** Set while a failure of the list is reported, as `TrackedList.isFailureReported`. */
	failureReported?: true;
	/** As in `ListDefinition`. */
	discoveredAs?: string;
	/** The kinds of problems that are reported, as in `TrackedList.reported`. */
	reported?: string[];
}

/** All state that must survive a restart, as plain JSON. */
export interface ListSnapshot {
	version: 1;
	/**
	 * Grows with every save, after a restart by one and later by the number of lists. Of two snapshots, the one with more
	 * saves is the newer.
	 */
	saves: number;
	/** When the trigger was first activated, by our wall clock. */
	activatedAt: number;
	lists: SavedList[];
	pendingStarts: SavedStart[];
	/** The IDs of names that the user gave, in the form of `ResolvedNames.toSaved`. */
	names?: string[];
}

const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const asFiniteNumber = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** `JSON.stringify` writes `-Infinity` as `null`. */
const asTimeOrBeginning = (value: unknown) => (value === null ? -Infinity : asFiniteNumber(value));

/**
 * Returns the snapshot as it is stored in n8n's static data. Each list and each pending start is one JSON string: n8n
 * 2.41.1 wraps every object in static data in a proxy, for every execution.
 */
export const toStoredSnapshot = (snapshot: ListSnapshot): IDataObject => ({
	version: snapshot.version,
	saves: snapshot.saves,
	activatedAt: snapshot.activatedAt,
	lists: snapshot.lists.map((list) => JSON.stringify(list)),
	pendingStarts: snapshot.pendingStarts.map((start) => JSON.stringify(start)),
	...(snapshot.names?.length && { names: snapshot.names }),
});

/**
 * Reads stored state. Parts that cannot be read are passed to `onUnrecognized`; the rest is used. Never throws. Returns
 * `undefined` if nothing can be read.
 */
export function readStoredSnapshot(
	storedState: unknown,
	onUnrecognized: UnrecognizedHandler = () => undefined,
): ListSnapshot | undefined {
	if (storedState === undefined || storedState === null) return undefined;
	// n8n 2.41.1 returns static data as proxies. A copy is faster, and changing it does not change static data.
	const copy: unknown = JSON.parse(JSON.stringify(storedState));
	const activatedAt = isRecord(copy) ? asFiniteNumber(copy.activatedAt) : undefined;
	if (!isRecord(copy) || copy.version !== 1 || activatedAt === undefined) {
		onUnrecognized(withoutSetAside(copy));
		return undefined;
	}
	const readAll = <Read>(
		name: 'lists' | 'pendingStarts',
		read: (value: unknown) => Read | undefined,
	) => {
		const value = copy[name];
		if (!Array.isArray(value)) onUnrecognized({ [name]: value });
		return asArray(value).flatMap((text) => {
			const entry = read(parseJson(text));
			if (entry === undefined) onUnrecognized(text);
			return entry === undefined ? [] : [entry];
		});
	};
	const names = asArray(copy.names).filter((name) => typeof name === 'string');
	return {
		version: 1,
		saves: asFiniteNumber(copy.saves) ?? 0,
		activatedAt,
		lists: readAll('lists', (value) => readSavedList(value, onUnrecognized)),
		pendingStarts: readAll('pendingStarts', (value) => readSavedStart(value, onUnrecognized)),
		...(names.length > 0 && { names }),
	};
}

function parseJson(text: unknown): unknown {
	if (typeof text !== 'string') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Reads one list. A record whose state cannot be read becomes unknown. */
function readSavedList(value: unknown, onUnrecognized: UnrecognizedHandler): SavedList | undefined {
	if (!isRecord(value) || typeof value.key !== 'string') return undefined;
	const { key, known: groups, failureReported, discoveredAs } = value;
	if (!Array.isArray(groups)) return undefined;
	// If these are unrecognized, a problem is reported once more; that is harmless.
	const reported = asArray(value.reported).filter((kind) => typeof kind === 'string');
	const cursor = asTimeOrBeginning(value.cursor);
	const followedSince = asTimeOrBeginning(value.followedSince);
	// Without these times, the trigger cannot distinguish old records of the list from new ones.
	if (isInvalid(value.cursor, cursor) || isInvalid(value.followedSince, followedSince))
		return undefined;
	const recordGroups = groups.flatMap((group): SavedList['known'] => {
		const [seen, entries] = asArray(group);
		const seenAt = asFiniteNumber(seen);
		if (seenAt === undefined || typeof entries !== 'string') {
			onUnrecognized({ key, known: [group] });
			return [];
		}
		const [recognized, unrecognized] = splitReadable(entries);
		if (unrecognized !== '') onUnrecognized({ key, known: [[seenAt, unrecognized]] });
		return recognized === '' ? [] : [[seenAt, recognized]];
	});
	return {
		key,
		cursor,
		followedSince,
		...(value.knownFrom !== undefined && { knownFrom: asTimeOrBeginning(value.knownFrom) }),
		known: recordGroups,
		...(failureReported === true && { failureReported: true }),
		...(typeof discoveredAs === 'string' && { discoveredAs }),
		...(reported.length > 0 && { reported }),
	};
}

const isInvalid = (storedValue: unknown, read: number | undefined) =>
	storedValue !== undefined && read === undefined;

/** Splits the records of a group into recognized and unrecognized ones. */
function splitReadable(entries: string): [good: string, bad: string] {
	const texts = entries.split(' ');
	const unrecognized = texts.filter((text) => parseKnownRecord(text) === undefined);
	if (unrecognized.length === 0) return [entries, ''];
	return [
		texts.filter((text) => parseKnownRecord(text) !== undefined).join(' '),
		unrecognized.join(' '),
	];
}

function readSavedStart(
	value: unknown,
	onUnrecognized: UnrecognizedHandler,
): SavedStart | undefined {
	if (!isRecord(value)) return undefined;
	const { key, expired } = value;
	const requestedAt = asFiniteNumber(value.requestedAt);
	const changes = asArray(value.changes).flatMap((change): SavedStart['changes'] => {
		const [listKey, kind, id, ...others] = asArray(change).filter(
			(part) => typeof part === 'string',
		);
		if (listKey !== undefined && kind !== undefined && id !== undefined && others.length === 0)
			return [[listKey, kind, id]];
		onUnrecognized({ key, requestedAt: value.requestedAt, changes: [change] });
		return [];
	});
	if (typeof key !== 'string' || changes.length === 0 || requestedAt === undefined)
		return undefined;
	return { key, changes, requestedAt, ...(expired === true && { expired: true }) };
}

/**
 * Returns the newer of two snapshots: `previous`, left by the previous follower of this process, or
 * `savedSnapshot`, saved by n8n. Either can be newer: n8n 2.41.1 can restart a trigger with static data from before its
 * last save, and another process may have followed the lists meanwhile.
 */
export function newerSnapshot(
	previous: ListSnapshot | undefined,
	savedSnapshot: ListSnapshot | undefined,
): ListSnapshot | undefined {
	if (!previous || !savedSnapshot) return previous ?? savedSnapshot;
	return savedSnapshot.saves > previous.saves ? savedSnapshot : previous;
}
