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
export interface StrictRecords {
	records: IDataObject[];
	/** Whether they came as a list; a single record says nothing of others. */
	isList: boolean;
}

/** Reads a list wherever it is: bare, wrapped, or a single record where a list of one belongs. What is no record is passed over. */
export function recordsOf(body: unknown, kind: Kind = {}): IDataObject[] {
	const [found] = findCandidates(body, kind);
	if (found) return found.entries.filter(isRecord);
	return isRecord(body) && Object.keys(body).length > 0 ? [body] : [];
}

/**
 * Reads an answer that something depends on which cannot be undone: gives what it holds only if that is one list, or one
 * record, of nothing but records with IDs, and if it does not speak of an error besides.
 */
export function surelyRecords(body: unknown, kind: Kind): StrictRecords | undefined {
	const [found, ...others] = findCandidates(body, kind);
	if (!found || others.length > 0 || reportsError(body)) return undefined;
	const { entries, isList } = found;
	const records = entries.filter(isRecord).filter((record) => idOf(record, kind) !== undefined);
	return records.length === entries.length ? { records, isList } : undefined;
}

/** The one record that an answer holds, or in words what it holds instead. */
export type OneRecord =
	{ record: IDataObject; instead?: never } | { record?: never; instead: string };

/** Members that stand beside the list in a wrapper: pages, counts, links and the status of the answer. Without case, `_` and `-`. */
const ENVELOPE_NAMES = new Set(
	`pagination paging page pages perpage pagesize pagenumber pagecount meta metadata links cursor limit offset
	next nextpage nextcursor nextpagetoken prev previous prevpage previouspage hasmore hasnext hasnextpage
	total totalcount totalpages totalrecords totalitems count success status code message error errors
	requestid traceid correlationid timestamp`.split(/\s+/),
);
const isEnvelopeName = (name: string) =>
	ENVELOPE_NAMES.has(name.toLowerCase().replaceAll(/[_-]/g, ''));

/**
 * Reads the answer to a request for one record. A list of one counts as that record, bare or in the wrapper of a list. The path
 * of the request tells what the service calls that list.
 */
export function oneRecord(body: unknown, path = ''): OneRecord {
	const given = unwrapList(body, path) ?? body;
	const list = Array.isArray(given) ? given : [given];
	if (list.length !== 1) {
		return { instead: list.length === 0 ? 'an empty list' : `a list of ${list.length} entries` };
	}
	const [one] = list as [unknown];
	if (one === undefined || one === null || one === '') return { instead: 'nothing' };
	if (!isRecord(one)) return { instead: 'something that is no record' };
	return { record: one };
}

/** Reads the answer to a write in the same way. An empty record counts as none. */
export function writtenRecord(body: unknown, path?: string): OneRecord {
	const one = oneRecord(body, path);
	const isEmpty = one.record !== undefined && Object.keys(one.record).length === 0;
	return isEmpty ? { instead: 'an empty record' } : one;
}

/**
 * Returns the list in a wrapper, such as `{ data: […], pagination: {…} }` or, for `/events/{eventId}`, `{ events: […] }`. An
 * object with any other member is a record, whatever lists it holds.
 */
function unwrapList(body: unknown, path: string): unknown[] | undefined {
	if (!isRecord(body)) return undefined;
	const [, plural = ''] = /([^/{}]+)\/\{[^/]+\}$/.exec(path) ?? [];
	const names = new Set([...WRAPPERS, plural.toLowerCase()]);
	const others = Object.entries(body).filter(([name]) => !isEnvelopeName(name));
	const [name, value] = others[0] ?? [''];
	const isWrapper = others.length === 1 && names.has(name.toLowerCase()) && Array.isArray(value);
	return isWrapper ? value : undefined;
}

/** The ID of a record, where it has one. */
export function idOf(record: IDataObject, { identify }: Kind): string | number | undefined {
	const id = identify?.(record);
	return isId(id) ? id : undefined;
}

/** Whether a value can be an ID: a text or a number. A number that JSON has rounded may be that of another record. */
export const isId = (value: unknown): value is string | number =>
	typeof value === 'string' ? value.trim() !== '' : Number.isSafeInteger(value);

interface Candidate {
	entries: unknown[];
	isList: boolean;
}

/** Everything in an answer that may be what was asked for. An object with an ID is a record, whatever lists it holds. */
function findCandidates(body: unknown, kind: Kind): Candidate[] {
	if (Array.isArray(body)) return [{ entries: body, isList: true }];
	if (!isRecord(body)) return [];
	if (idOf(body, kind) !== undefined) return [{ entries: [body], isList: false }];
	return [...WRAPPERS, kind.plural?.toLowerCase()].flatMap((name) =>
		Object.entries(body)
			.filter(([key]) => [key, `${key}s`].some((known) => known.toLowerCase() === name))
			.flatMap(([, inside]): Candidate[] => {
				if (Array.isArray(inside)) return [{ entries: inside, isList: true }];
				const isOne = isRecord(inside) && idOf(inside, kind) !== undefined;
				return isOne ? [{ entries: [inside], isList: false }] : [];
			}),
	);
}

/** Whether an answer tells of an error, although it came with a status of success. */
const reportsError = (body: unknown): boolean =>
	isRecord(body) &&
	Object.entries(body).some(([key, value]) => {
		if (/^success$/i.test(key)) return value === false || value === 'false';
		return /^errors?$/i.test(key) && !isEmptyValue(value);
	});

const isEmptyValue = (value: unknown): boolean =>
	!value || (typeof value === 'object' && Object.keys(value).length === 0);
