import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/convert';

/**
 * The names that services wrap a list in, besides its own name, in any case. A single record may be wrapped in one without
 * the "s" at its end.
 */
const WRAPPERS = ['data', 'items', 'results', 'records'];

/** How the records of a kind are recognized. */
export interface Kind {
	/** What tells one record from another. */
	identify?: (record: IDataObject) => unknown;
	/** The service's own name for a list of them. */
	plural?: string;
}

/** What an answer surely holds. */
export interface Holding {
	records: IDataObject[];
	/** Whether they came as a list; a single record says nothing of others. */
	isList: boolean;
}

/** Reads a list wherever it is: bare, wrapped, or a single record where a list of one belongs. What is no record is passed over. */
export function recordsOf(body: unknown, kind: Kind = {}): IDataObject[] {
	const [found] = findings(body, kind);
	if (found) return found.entries.filter(isRecord);
	return isRecord(body) && Object.keys(body).length > 0 ? [body] : [];
}

/**
 * Reads an answer that something depends on which cannot be undone: gives what it holds only if that is one list, or one
 * record, of nothing but records with IDs, and if it does not speak of an error besides.
 */
export function surelyRecords(body: unknown, kind: Kind): Holding | undefined {
	const [found, ...others] = findings(body, kind);
	if (!found || others.length > 0 || complains(body)) return undefined;
	const { entries, isList } = found;
	const records = entries.filter(isRecord).filter((record) => idOf(record, kind) !== undefined);
	return records.length === entries.length ? { records, isList } : undefined;
}

/** The one record that an answer holds, or in words what it holds instead. */
export type OneRecord =
	{ record: IDataObject; instead?: never } | { record?: never; instead: string };

/**
 * Reads an answer to something that is about one record. A list of one counts as that record, bare or in the wrapper of a
 * list; an object with an ID is a record, whatever lists it holds.
 */
export function oneRecord(body: unknown): OneRecord {
	const given = listIn(body) ?? body;
	const list = Array.isArray(given) ? given : [given];
	if (list.length !== 1) {
		return { instead: list.length === 0 ? 'an empty list' : `a list of ${list.length} entries` };
	}
	const [one] = list as [unknown];
	if (one === undefined || one === null || one === '') return { instead: 'nothing' };
	if (!isRecord(one)) return { instead: 'something that is no record' };
	return { record: one };
}

/** The same of the answer to a write, where a record without any field tells nothing either. */
export function writtenRecord(body: unknown): OneRecord {
	const one = oneRecord(body);
	const isEmpty = one.record !== undefined && Object.keys(one.record).length === 0;
	return isEmpty ? { instead: 'an empty record' } : one;
}

/** The list in a wrapper, such as `{ data: […], pagination: {…} }`. */
function listIn(body: unknown): unknown[] | undefined {
	if (!isRecord(body) || Object.keys(body).some((name) => /id$/i.test(name))) return undefined;
	const lists = Object.entries(body).filter(
		([name, value]) => WRAPPERS.includes(name.toLowerCase()) && Array.isArray(value),
	);
	return lists.length === 1 ? (lists[0]![1] as unknown[]) : undefined;
}

/** The ID of a record, where it has one. */
export function idOf(record: IDataObject, { identify }: Kind): string | number | undefined {
	const id = identify?.(record);
	return isId(id) ? id : undefined;
}

/** Whether a value can be an ID: a text or a number. A number that JSON has rounded may be that of another record. */
export const isId = (value: unknown): value is string | number =>
	typeof value === 'string' ? value.trim() !== '' : Number.isSafeInteger(value);

interface Finding {
	entries: unknown[];
	isList: boolean;
}

/** Everything in an answer that may be what was asked for. An object with an ID is a record, whatever lists it holds. */
function findings(body: unknown, kind: Kind): Finding[] {
	if (Array.isArray(body)) return [{ entries: body, isList: true }];
	if (!isRecord(body)) return [];
	if (idOf(body, kind) !== undefined) return [{ entries: [body], isList: false }];
	return [...WRAPPERS, kind.plural?.toLowerCase()].flatMap((name) =>
		Object.entries(body)
			.filter(([key]) => [key, `${key}s`].some((known) => known.toLowerCase() === name))
			.flatMap(([, inside]): Finding[] => {
				if (Array.isArray(inside)) return [{ entries: inside, isList: true }];
				const isOne = isRecord(inside) && idOf(inside, kind) !== undefined;
				return isOne ? [{ entries: [inside], isList: false }] : [];
			}),
	);
}

/** Whether an answer tells of an error, although it came with a status of success. */
const complains = (body: unknown): boolean =>
	isRecord(body) &&
	Object.entries(body).some(([key, value]) => {
		if (/^success$/i.test(key)) return value === false || value === 'false';
		return /^errors?$/i.test(key) && !isNothing(value);
	});

const isNothing = (value: unknown): boolean =>
	!value || (typeof value === 'object' && Object.keys(value).length === 0);
