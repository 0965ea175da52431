import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/isRecord';

/**
 * Names of members that services wrap a list in, besides the list's own name. Their case does not matter. A single record
 * may be wrapped in a member of the same name without the final "s".
 */
const WRAPPERS = ['data', 'items', 'results', 'records'];

/** How records of one kind are recognized. */
export interface RecordKind {
	/** Returns a record's ID. */
	identify?: (record: IDataObject) => unknown;
	/** The service's own name for a list of these records. */
	plural?: string;
}

/** Records of a response that passed the strict checks. */
export interface StrictRecords {
	records: IDataObject[];
	/** Whether the response was a list. A single record does not show whether there are others. */
	isList: boolean;
}

/** Returns the records of a list: bare, wrapped, or one record in place of a list. Skips entries that are not records. */
export function recordsOf(body: unknown, kind: RecordKind = {}): IDataObject[] {
	const [candidate] = findCandidates(body, kind);
	if (candidate) return candidate.entries.filter(isRecord);
	return isRecord(body) && Object.keys(body).length > 0 ? [body] : [];
}

/**
 * Reads a response strictly, for decisions that cannot be undone. Returns its records only if it contains exactly one list or
 * one record, every entry is a record with an ID, and the response reports no error.
 */
export function strictRecords(body: unknown, kind: RecordKind): StrictRecords | undefined {
	const [candidate, ...others] = findCandidates(body, kind);
	if (!candidate || others.length > 0 || reportsError(body)) return undefined;
	const { entries, isList } = candidate;
	const records = entries.filter(isRecord).filter((record) => idOf(record, kind) !== undefined);
	return records.length === entries.length ? { records, isList } : undefined;
}

/** The only record of a response, or a description of its actual content for messages. */
export type OneRecord =
	{ record: IDataObject; actual?: never } | { record?: never; actual: string };

/** Members beside the list in a wrapper: pages, counts, links and status. In lower case, without `_` and `-`. */
const ENVELOPE_NAMES = new Set(
	`pagination paging page pages perpage pagesize pagenumber pagecount meta metadata links cursor limit offset
	next nextpage nextcursor nextpagetoken prev previous prevpage previouspage hasmore hasnext hasnextpage
	total totalcount totalpages totalrecords totalitems count success status code message error errors
	requestid traceid correlationid timestamp`.split(/\s+/),
);
const isEnvelopeName = (name: string) =>
	ENVELOPE_NAMES.has(name.toLowerCase().replaceAll(/[_-]/g, ''));

/**
 * Reads the response to a request for one record. A list of one record counts as that record, whether the list is bare or
 * wrapped. The path template of the request contains the service's name for the list.
 */
export function oneRecord(body: unknown, path = ''): OneRecord {
	const unwrapped = unwrapList(body, path) ?? body;
	const list = Array.isArray(unwrapped) ? unwrapped : [unwrapped];
	if (list.length !== 1) {
		return { actual: list.length === 0 ? 'an empty list' : `a list of ${list.length} entries` };
	}
	const [one] = list as [unknown];
	if (one === undefined || one === null || one === '') return { actual: 'nothing' };
	if (!isRecord(one)) return { actual: 'something that is not a record' };
	return { record: one };
}

/** Reads the response to a write like `oneRecord`, but an empty record counts as none. */
export function writtenRecord(body: unknown, path?: string): OneRecord {
	const one = oneRecord(body, path);
	const isEmpty = one.record !== undefined && Object.keys(one.record).length === 0;
	return isEmpty ? { actual: 'an empty record' } : one;
}

/**
 * Returns the list in a wrapper, such as `{ data: […], pagination: {…} }` or, for `/events/{eventId}`, `{ events: […] }`. An
 * object with any other member is a record, whatever lists it contains.
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

/** Returns the ID of a record; `undefined` if it has no valid one. */
export function idOf(record: IDataObject, { identify }: RecordKind): string | number | undefined {
	const id = identify?.(record);
	return isId(id) ? id : undefined;
}

/**
 * Whether a value can be an ID: text or a safe integer. `JSON.parse` rounds larger integers, perhaps to another record's ID.
 */
export const isId = (value: unknown): value is string | number =>
	typeof value === 'string' ? value.trim() !== '' : Number.isSafeInteger(value);

interface Candidate {
	entries: unknown[];
	isList: boolean;
}

/**
 * Returns candidates for the requested list or record in a body. An object with an ID is a record, even with lists in it.
 */
function findCandidates(body: unknown, kind: RecordKind): Candidate[] {
	if (Array.isArray(body)) return [{ entries: body, isList: true }];
	if (!isRecord(body)) return [];
	if (idOf(body, kind) !== undefined) return [{ entries: [body], isList: false }];
	return [...WRAPPERS, kind.plural?.toLowerCase()].flatMap((name) =>
		Object.entries(body)
			.filter(([key]) => [key, `${key}s`].some((keyForm) => keyForm.toLowerCase() === name))
			.flatMap(([, value]): Candidate[] => {
				if (Array.isArray(value)) return [{ entries: value, isList: true }];
				const isOne = isRecord(value) && idOf(value, kind) !== undefined;
				return isOne ? [{ entries: [value], isList: false }] : [];
			}),
	);
}

/** Whether a body reports an error despite a success status. */
const reportsError = (body: unknown): boolean =>
	isRecord(body) &&
	Object.entries(body).some(([key, value]) => {
		if (/^success$/i.test(key)) return value === false || value === 'false';
		return /^errors?$/i.test(key) && !isEmptyValue(value);
	});

const isEmptyValue = (value: unknown): boolean =>
	!value || (typeof value === 'object' && Object.keys(value).length === 0);
