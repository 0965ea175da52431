import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/convert';
import { PagesAhead } from './ahead';
import type { Client } from './client';
import { idOf, recordsOf } from './records';
import type { Kind } from './records';
import type { Answer, FirstPage, Request } from './types';

/** How a service cuts a list of a kind of record into pages. */
export interface Paging extends Kind {
	/** The query parameter with the page's number; a service without one gives the whole list at once. */
	page?: string;
	/** The parameter to try where such a service counts more records than it gave, and so has cut the list all the same. */
	pageIfCut?: string;
	/** The query parameter with the number of records per page, and the most it takes. */
	size?: { name: string; most: number };
	/** How many records there are in all, where an answer says so. */
	total?: (body: unknown) => number | undefined;
}

/** How many records are read at most unless told. */
export const MOST_RECORDS = 1_000_000;

/** How many pages are asked for at once at most. */
export const MOST_PAGES_AT_A_TIME = 10;

/** About the longest text that JavaScript can hold: n8n could not save more. */
const MOST_BYTES = 500_000_000;

/** So many pages in a row may hold mostly what was sent before; beyond that, the service goes round in circles. */
const MOST_STALE = 10;

type Query = Record<string, unknown>;

/** What walking through pages needs. */
export interface Walk {
	paging: Paging;
	first: FirstPage;
	/** How many records are wanted at most. */
	limit: number;
	/** How much is read at most although more is wanted. */
	most?: { records?: number; bytes?: number };
	/** Gets one page; the query holds only what paging adds. */
	get: (query: Query) => Promise<Pick<Answer, 'body' | 'bytes'>>;
	/** Says that the list may be incomplete, and why. */
	warn: (message: string) => void;
}

/**
 * Gives the records of a list page by page, each record once, until the limit or the end. Holds one page at a time. Where
 * counting starts is found out if need be: the first request names no page, and the second asks for page 1. A list that
 * never ends is cut, and that is said.
 */
export async function* walkPages({
	paging,
	first,
	limit,
	most: { records: mostRead = MOST_RECORDS, bytes: mostBytes = MOST_BYTES } = {},
	get,
	warn,
}: Walk): AsyncGenerator<IDataObject[]> {
	const wanted = Math.min(limit, mostRead);
	const size = paging.size && Math.min(paging.size.most, wanted);
	const sized = paging.size ? { [paging.size.name]: size } : {};
	const seen = new Set<unknown>();
	let given = 0;
	let bytes = 0;
	let stale = 0;
	let before: IDataObject[] = [];
	let name = paging.page;
	let detecting = first === 'detect' && name !== undefined;
	const cut = (reason: string) => warn(`${reason}: the list may be incomplete. ${NARROW}`);

	for (let page: number | undefined = first === 'detect' ? undefined : first; ;) {
		const numbered = name && page !== undefined ? { [name]: page } : {};
		const { body, bytes: read = 0 } = await get({ ...sized, ...numbered });
		bytes += read;
		const records = recordsOf(body, paging);
		const fresh = records.filter((record) => isNew(record, seen, paging));
		const short = records.length === 0 || (size !== undefined && records.length < size);
		const repeated =
			before.length > 0 && !short && (fresh.length === 0 || samePage(before, records, paging));
		if (repeated && !detecting) {
			return cut('The service sent the same records again, so it seems to ignore the page number');
		}
		const taken = repeated ? [] : fresh.slice(0, wanted - given);
		given += taken.length;
		if (taken.length > 0) yield taken;
		if (given >= limit) return;
		const total = paging.total?.(body);
		const complete = total === undefined ? short || name === undefined : given >= total;
		if (given >= mostRead && (fresh.length > taken.length || !complete)) {
			return warn(
				`The node stopped after ${inFigures(given)} records: the list may be incomplete. ${NARROW} Or raise 'Max Records' in the options.`,
			);
		}
		if (complete) {
			const count = given === 0 ? countIn(body) : 0;
			if (count > 0) warn(contradiction(count));
			return;
		}
		if (total !== undefined) name ??= paging.pageIfCut;
		const isShortOfTotal = short && total !== undefined;
		if (name === undefined || records.length === 0 || isShortOfTotal) {
			return cut(`The service reports ${total} records, but returned ${given} of them`);
		}
		if (short) return;
		if (bytes >= mostBytes) {
			return cut(`The node stopped after ${inFigures(Math.floor(bytes / 1_000_000))} MB`);
		}
		stale = isStale(records, fresh, before, paging) && !repeated ? stale + 1 : 0;
		if (stale === MOST_STALE) {
			return cut('The service kept sending mostly records that it had sent before');
		}
		if (page !== undefined) detecting = false;
		before = records;
		page = page === undefined ? 1 : page + 1;
	}
}

/** What is wanted of a list. */
export interface ListWish extends Pick<Walk, 'paging' | 'most'> {
	/** How many records at most; all of them unless told. */
	limit?: number;
	/** How many pages are asked for at once. More than one can miss a record where the list changes meanwhile. */
	pagesAtATime?: number;
	/** Looks at an answer before its records are read, and may put another body in its place. */
	inspect?: (answer: Answer) => Answer;
	/** Hears that the list may be incomplete, and why. */
	warn?: (message: string) => void;
}

/** Reads a list of the service page by page, or some pages at a time. */
export async function* readPages(
	client: Client,
	request: Request,
	{ limit = Infinity, pagesAtATime = 1, inspect, warn = () => undefined, ...wish }: ListWish,
): AsyncGenerator<IDataObject[]> {
	const { service, credential } = client.connection;
	const over = new AbortController();
	const sender =
		pagesAtATime > 1
			? client.with({
					signal: either(over.signal, client.options.signal),
					slowedDown: () => ahead.slowDown(),
				})
			: client;
	const get = async (query: Query) => {
		const answer = await sender.send({ ...request, query: { ...request.query, ...query } });
		return inspect ? inspect(answer) : answer;
	};
	const { page = wish.paging.pageIfCut ?? '' } = wish.paging;
	let first: Query | undefined;
	const ahead = new PagesAhead(
		async (number) => await get({ ...first, [page]: number }),
		pagesAtATime,
	);
	try {
		yield* walkPages({
			...wish,
			limit,
			warn,
			first: service.firstPage?.(credential) ?? 1,
			get: async (query) => {
				const number = query[page];
				// How the list is cut shows in the first answer, so that goes alone.
				if (first && typeof number === 'number') return await ahead.page(number);
				first = query;
				return await get(query);
			},
		});
	} finally {
		// What was asked for ahead is not wanted any more.
		if (pagesAtATime > 1) over.abort();
	}
}

/** Reads a list of the service, up to a limit. */
export async function readRecords(
	client: Client,
	request: Request,
	wish: ListWish,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	for await (const page of readPages(client, request, wish)) records.push(...page);
	return records;
}

const either = (own: AbortSignal, given?: AbortSignal) =>
	given ? AbortSignal.any([own, given]) : own;

/** The names that services give the number of all records. */
const TOTAL = /^total[_-]?(count|records|items|results)?$/i;

/** How many records an answer speaks of, at its top or one level below; 0 where it names no number. */
function countIn(body: unknown): number {
	if (!isRecord(body)) return 0;
	const levels = [body, ...Object.values(body).filter(isRecord)];
	const counts = levels.flatMap((level) =>
		Object.entries(level)
			.filter(([key, value]) => TOTAL.test(key) && /^\d+$/.test(`${value}`))
			.map(([, value]) => Number(value)),
	);
	return Math.max(0, ...counts);
}

const contradiction = (count: number) =>
	`The service reports ${inFigures(count)} ${count === 1 ? 'record' : 'records'}, but returned none: the list may be incomplete. Check the filters, and what the credential is allowed to read.`;

const NARROW = 'Narrow it down with a filter.';
const inFigures = (number: number) => number.toLocaleString('en-US');

function isNew(record: IDataObject, seen: Set<unknown>, paging: Paging): boolean {
	const id = idOf(record, paging);
	if (id === undefined) return true;
	if (seen.has(id)) return false;
	seen.add(id);
	return true;
}

function samePage(before: IDataObject[], now: IDataObject[], paging: Paging): boolean {
	const sameRecord = (a: IDataObject, b: IDataObject) => {
		const id = idOf(a, paging);
		return id === undefined ? JSON.stringify(a) === JSON.stringify(b) : id === idOf(b, paging);
	};
	return (
		before.length === now.length && before.every((record, index) => sameRecord(record, now[index]!))
	);
}

/** Whether most of a page was sent before; of records without IDs, whether they differ from the page before in times alone. */
function isStale(
	now: IDataObject[],
	fresh: IDataObject[],
	before: IDataObject[],
	paging: Paging,
): boolean {
	const alike = now.filter(
		(record, index) =>
			idOf(record, paging) === undefined &&
			before[index] !== undefined &&
			withoutTimes(record) === withoutTimes(before[index]),
	);
	return 2 * (now.length - fresh.length + alike.length) > now.length;
}

const MOMENT = /^\d{4}-\d\d-\d\d/;
const withoutTimes = (record: IDataObject) =>
	JSON.stringify(record, (_, value: unknown) =>
		typeof value === 'string' && MOMENT.test(value) ? '' : value,
	);
