import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../values/isRecord';
import { withoutSetAside } from '../../ids/core';
import type { Unrecognized } from '../../ids/core';
import { parseKnownRecord } from './knownRecords';

/** A start that n8n was asked for and has not confirmed: its key, what it starts with, and when it was first asked for. */
export interface SavedStart {
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
	/** From when on every changed record is known. */
	knownFrom?: number;
	/** What is known of its records. */
	known: Array<[seen: number, entries: string]>;
	/** Whether people were told that it is gone, or that something is against it. */
	lost?: true;
	/** Of what kind it is, if it was found and not chosen. */
	found?: string;
	/** The kinds of problems that were reported and have not ended. */
	reported?: string[];
}

/** All that must survive a restart, as plain JSON. */
export interface ListSnapshot {
	version: 1;
	/** How often it was saved before: of two the one that was saved more often is the newer one. */
	saves: number;
	/** When the trigger was first switched on, by our clock. */
	began: number;
	sources: SavedSource[];
	asked: SavedStart[];
}

const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const asTime = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** JSON has no word for the beginning of all time. */
const asTimeOrBeginning = (value: unknown) => (value === null ? -Infinity : asTime(value));

/** What is kept in n8n's static data: every list as one text, since n8n wraps all objects in there for every execution. */
export const toListColumn = (snapshot: ListSnapshot): IDataObject => ({
	version: snapshot.version,
	saves: snapshot.saves,
	began: snapshot.began,
	sources: snapshot.sources.map((source) => JSON.stringify(source)),
	asked: snapshot.asked.map((asked) => JSON.stringify(asked)),
});

/**
 * Reads stored state. A part that cannot be read goes to `unrecognized` and the rest counts; nothing throws. Returns nothing if
 * none of it can be read.
 */
export function readListColumn(
	stored: unknown,
	unrecognized: Unrecognized = () => undefined,
): ListSnapshot | undefined {
	if (stored === undefined || stored === null) return undefined;
	// n8n gives static data back as proxies; a copy is faster, and changes to it stay here.
	const copy: unknown = JSON.parse(JSON.stringify(stored));
	const began = isRecord(copy) ? asTime(copy.began) : undefined;
	if (!isRecord(copy) || copy.version !== 1 || began === undefined) {
		unrecognized(withoutSetAside(copy));
		return undefined;
	}
	const readAll = <Read>(name: 'sources' | 'asked', read: (value: unknown) => Read | undefined) => {
		const value = copy[name];
		if (!Array.isArray(value)) unrecognized({ [name]: value });
		return asArray(value).flatMap((text) => {
			const found = read(parseJson(text));
			if (found === undefined) unrecognized(text);
			return found === undefined ? [] : [found];
		});
	};
	return {
		version: 1,
		saves: asTime(copy.saves) ?? 0,
		began,
		sources: readAll('sources', (value) => readSavedSource(value, unrecognized)),
		asked: readAll('asked', (value) => readSavedStart(value, unrecognized)),
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

/** Reads one list. A record of which nothing can be read counts as unknown. */
function readSavedSource(given: unknown, unrecognized: Unrecognized): SavedSource | undefined {
	if (!isRecord(given) || typeof given.key !== 'string') return undefined;
	const { key, known: groups, lost, found } = given;
	if (!Array.isArray(groups)) return undefined;
	// Without these, a problem is reported once more.
	const reported = asArray(given.reported).filter((kind) => typeof kind === 'string');
	const cursor = asTimeOrBeginning(given.cursor);
	const floor = asTimeOrBeginning(given.floor);
	// Without its times, a list cannot tell old records from new ones.
	if (isInvalid(given.cursor, cursor) || isInvalid(given.floor, floor)) return undefined;
	const known = groups.flatMap((group): SavedSource['known'] => {
		const [seen, entries] = asArray(group);
		const seenAt = asTime(seen);
		if (seenAt === undefined || typeof entries !== 'string') {
			unrecognized({ key, known: [group] });
			return [];
		}
		const [good, bad] = splitReadable(entries);
		if (bad !== '') unrecognized({ key, known: [[seenAt, bad]] });
		return good === '' ? [] : [[seenAt, good]];
	});
	return {
		key,
		cursor,
		floor,
		...(given.knownFrom !== undefined && { knownFrom: asTimeOrBeginning(given.knownFrom) }),
		known,
		...(lost === true && { lost: true }),
		...(typeof found === 'string' && { found }),
		...(reported.length > 0 && { reported }),
	};
}

const isInvalid = (given: unknown, read: number | undefined) =>
	given !== undefined && read === undefined;

/** Divides the entries of a text into those that can be read and those that cannot. */
function splitReadable(entries: string): [good: string, bad: string] {
	const texts = entries.split(' ');
	const bad = texts.filter((text) => parseKnownRecord(text) === undefined);
	if (bad.length === 0) return [entries, ''];
	return [texts.filter((text) => parseKnownRecord(text) !== undefined).join(' '), bad.join(' ')];
}

function readSavedStart(given: unknown, unrecognized: Unrecognized): SavedStart | undefined {
	if (!isRecord(given)) return undefined;
	const { key, at, told } = given;
	const asked = asTime(at);
	const changes = asArray(given.changes).flatMap((change): SavedStart['changes'] => {
		const [source, kind, id] = asArray(change);
		const isComplete = [source, kind, id].every((part) => typeof part === 'string');
		if (!isComplete) unrecognized({ key, at, changes: [change] });
		return isComplete ? [[source, kind, id] as [string, string, string]] : [];
	});
	if (typeof key !== 'string' || changes.length === 0 || asked === undefined) return undefined;
	return { key, changes, at: asked, ...(told === true && { told: true }) };
}

/**
 * Of what the last follower of this process knew and what n8n has saved, the newer one. n8n can start a trigger again with
 * static data from before its last save; and another process may have followed meanwhile.
 */
export function newerSnapshot(
	left: ListSnapshot | undefined,
	saved: ListSnapshot | undefined,
): ListSnapshot | undefined {
	if (!left || !saved) return left ?? saved;
	return saved.saves > left.saves ? saved : left;
}
