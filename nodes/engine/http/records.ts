import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/isRecord';
import { deniesSuccess, hasErrors, leavesSuccessOpen, normalizeMemberName } from './statements';

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

/** A list in a member whose name is not one of those that are known for lists. */
interface UnnamedList {
	/** Names of the members that lead to the list, such as `response.rows`. */
	name: string;
	records: IDataObject[];
}

/** Members with lists of something other than the requested records. In lower case, without `_` and `-`. */
const OTHER_LISTS = /^(errors?|warnings?|messages?|links?)$/;

/**
 * Returns the list of a response that has it under an unknown name, if it is certain: exactly one member, at the top or one
 * level below, is a list of records with IDs. An empty list counts if nothing but counts and links is beside it. Decisions
 * use `strictRecords`, which accepts no such list.
 */
export function listUnderUnknownName(body: unknown, kind: RecordKind): UnnamedList | undefined {
	if (!kind.identify || !isRecord(body) || findCandidates(body, kind).length > 0) return undefined;
	const members = membersIn(body);
	const inner = members.flatMap(([name, value]) =>
		isRecord(value)
			? membersIn(value).map(([key, member]): Member => [`${name}.${key}`, member])
			: [],
	);
	const lists = [...members, ...inner].flatMap(([name, value]): UnnamedList[] => {
		if (!Array.isArray(value)) return [];
		const records = value.filter(isRecord).filter((entry) => idOf(entry, kind) !== undefined);
		return records.length === value.length ? [{ name, records }] : [];
	});
	const [list, ...others] = lists.filter(({ records }) => records.length > 0);
	if (list) return others.length === 0 ? list : undefined;
	const [empty] = lists;
	return members.length === 1 && lists.length === 1 ? empty : undefined;
}

type Member = [name: string, value: unknown];

/** Returns the members of a wrapper that may hold the requested records. */
const membersIn = (wrapper: IDataObject): Member[] =>
	Object.entries(wrapper).filter(
		([name]) => !isEnvelopeName(name) && !OTHER_LISTS.test(normalizeMemberName(name)),
	);

/**
 * Reads a response strictly, for decisions that cannot be undone. Returns its records only if it contains exactly one list or
 * one record, every entry is a record with an ID, and the response reports no error.
 */
export function strictRecords(body: unknown, kind: RecordKind): StrictRecords | undefined {
	const [candidate, ...others] = findCandidates(body, kind);
	if (!candidate || others.length > 0) return undefined;
	const { entries, isList } = candidate;
	if (isRecord(body)) {
		// A record may have a field for errors of its own.
		const isTheRecord = entries[0] === body && idOf(body, kind) !== undefined;
		if (deniesSuccess(body, isTheRecord) || (!isTheRecord && hasErrors(body))) return undefined;
	}
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
const isEnvelopeName = (name: string) => ENVELOPE_NAMES.has(normalizeMemberName(name));

/**
 * Reads the response to a request for one record. A list of one record counts as that record, whether the list is bare or
 * wrapped, and so does a wrapped record. The path template of the request contains the service's name for the list. An empty
 * record counts as none.
 */
export function oneRecord(body: unknown, path = ''): OneRecord {
	const unwrapped = unwrap(body, path);
	const list = Array.isArray(unwrapped) ? unwrapped : [unwrapped];
	if (list.length !== 1) {
		return { actual: list.length === 0 ? 'an empty list' : `a list of ${list.length} entries` };
	}
	const one: unknown = list[0];
	if (one === undefined || one === null || one === '') return { actual: 'nothing' };
	if (!isRecord(one)) return { actual: 'something that is not a record' };
	return Object.keys(one).length > 0 ? { record: one } : { actual: 'an empty record' };
}

/**
 * Reads the response to a request for the record with an ID, or with any ID if none is given.
 */
export function identifiedRecord(
	body: unknown,
	path: string,
	kind: RecordKind,
	requestedId?: string,
): OneRecord {
	const one = oneRecord(body, path);
	if (!one.record || !kind.identify) return one;
	const id = idOf(one.record, kind);
	if (id === undefined) return { actual: 'a record without an ID' };
	const isRequested = requestedId === undefined || isSameRecordId(id, requestedId);
	return isRequested ? one : { actual: 'a record with another ID' };
}

/**
 * Returns the record with the requested ID from a wrapper of any name, such as `{ result: {…} }`: its only member, beside counts,
 * links and statuses, is that record or a list of it alone. Undefined if the body is not such a wrapper.
 */
export function requestedRecordIn(
	body: unknown,
	kind: RecordKind,
	requestedId: string,
): IDataObject | undefined {
	if (!isRecord(body) || idOf(body, kind) !== undefined) return undefined;
	const [member, ...others] = membersIn(body);
	const value = member?.[1];
	const [record, next] = Array.isArray(value) ? value : [value];
	if (others.length > 0 || next !== undefined || !isRecord(record)) return undefined;
	const id = idOf(record, kind);
	return id !== undefined && isSameRecordId(id, requestedId) ? record : undefined;
}

/** Whether two IDs are equal by value: a number may come as text, and an ID that a user typed may have leading zeros. */
export const isSameRecordId = (id: string | number, other: string | number): boolean =>
	canonicalId(id) === canonicalId(other);

const canonicalId = (id: string | number) => `${id}`.trim().replace(/^0+(?=\d+$)/, '');

/** Describes what came in place of a list; undefined for a list, or for one record with an ID in place of a list. */
export function missingList(body: unknown, kind: RecordKind): string | undefined {
	if (!kind.identify) return undefined;
	const [candidate] = findCandidates(body, kind);
	if (candidate) return isErrorList(candidate.entries, kind) ? 'a list of errors' : undefined;
	if (!isRecord(body) || listUnderUnknownName(body, kind)) return undefined;
	return Object.keys(body).length > 0 ? 'a record without an ID' : 'an empty record';
}

/** Whether a list consists of statements that something failed, and of no record with an ID. */
const isErrorList = (entries: unknown[], kind: RecordKind): boolean =>
	entries.length > 0 &&
	entries.every(
		(entry) =>
			isRecord(entry) &&
			idOf(entry, kind) === undefined &&
			(deniesSuccess(entry, false) || leavesSuccessOpen([entry], false)),
	);

/** Returns the service's name for a list, from the path template of the list or of one of its records. */
export const pluralIn = (path: string): string =>
	/([^/{}]+)(?:\/\{[^/]+\})?$/.exec(path)?.[1] ?? '';

/**
 * Returns the content of a wrapper, such as `{ data: […], pagination: {…} }` or, for `/events/{eventId}`, `{ event: {…} }`.
 * An object with any other member is a record, whatever it contains.
 */
function unwrap(body: unknown, path: string): unknown {
	if (!isRecord(body)) return body;
	const others = Object.entries(body).filter(([name]) => !isEnvelopeName(name));
	const [name, value] = others[0] ?? [''];
	if (others.length !== 1 || typeof value !== 'object') return body;
	// A list under the name of the path is the record itself if the path is not that of one entry, as for statistics.
	const isListOfRecords = Array.isArray(value) && !path.endsWith('}');
	const names = isListOfRecords ? WRAPPERS : [...WRAPPERS, pluralIn(path).toLowerCase()];
	return isNamed(name, names) ? value : body;
}

/** Whether a member has the name of a list, or that name without the final "s". */
const isNamed = (name: string, listNames: string[]): boolean =>
	[name, `${name}s`].some((form) => listNames.includes(form.toLowerCase()));

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
			.filter(([key]) => isNamed(key, [name ?? '']))
			.flatMap(([, value]): Candidate[] => {
				if (Array.isArray(value)) return [{ entries: value, isList: true }];
				const isOne = isRecord(value) && idOf(value, kind) !== undefined;
				return isOne ? [{ entries: [value], isList: false }] : [];
			}),
	);
}
