import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../values/isRecord';
import type { Client } from './client';
import { PagePrefetcher } from './pagePrefetcher';
import { idOf, listUnderUnknownName, pluralIn, recordsOf } from './records';
import type { RecordKind } from './records';
import type { ServiceResponse, FirstPage, Request } from './types';

/** How a service paginates a list of one kind of record. */
export interface Paging extends RecordKind {
	/** Query parameter for the page number. Without one, the service returns the whole list at once. */
	pageParameter?: string;
	/** Query parameter to try if `pageParameter` is missing and the service reports more records than it returned. */
	fallbackPageParameter?: string;
	/** Query parameter for the number of records per page, and its maximum. */
	size?: { name: string; max: number };
	/** Returns the total number of records, if the response contains it. */
	total?: (body: unknown) => number | undefined;
}

/** Default for the maximum number of records to read. */
export const DEFAULT_MAX_RECORDS = 1_000_000;

/** Highest concurrency limit for the pages of one list. */
export const MAX_PAGE_CONCURRENCY = 10;

/** About the longest string in JavaScript: n8n could not save more. */
const MAX_LIST_BYTES = 500_000_000;

/** Number of consecutive pages of mostly known records after which reading stops, because the service repeats itself. */
const MAX_STALE_PAGES = 10;

type Query = Record<string, unknown>;

/** A list to walk through page by page. */
export interface PageWalk {
	paging: Paging;
	firstPage: FirstPage;
	/** Most records that the caller wants. */
	limit: number;
	/** Limits that end the walk with a warning even if the caller wants more. */
	max?: { records?: number; bytes?: number };
	/** Requests one page. The query contains only the parameters of the pagination. */
	get: (query: Query) => Promise<Pick<ServiceResponse, 'body' | 'bytes'>>;
	/** Reports that the list may be incomplete. `message` is for the user; `reason` is the part that states the cause. */
	warn: (message: string, reason: string) => void;
	/** Reports that the records were found in a place that the contract does not name. */
	note?: (message: string) => void;
}

/**
 * Yields the records of a list page by page, each record once, up to the limit or the end. Keeps two pages and the IDs of
 * all records in memory. If the number of the first page is unknown, the first request has no page number and the second
 * requests page 1, which may contain the same records. Stops reading a list that never ends, with a warning.
 */
export async function* walkPages({
	paging,
	firstPage,
	limit,
	max: { records: maxRecords = DEFAULT_MAX_RECORDS, bytes: maxBytes = MAX_LIST_BYTES } = {},
	get,
	warn,
	note = () => undefined,
}: PageWalk): AsyncGenerator<IDataObject[]> {
	const maxCount = Math.min(limit, maxRecords);
	const pageSize = paging.size && Math.min(paging.size.max, maxCount);
	const sizeQuery = paging.size ? { [paging.size.name]: pageSize } : {};
	const seenIds = new Set<unknown>();
	let returnedCount = 0;
	let totalBytes = 0;
	let stalePageCount = 0;
	let previousRecords: IDataObject[] = [];
	let pageParameter = paging.pageParameter;
	let isDetecting = firstPage === 'detect' && pageParameter !== undefined;
	const warnIncomplete = (reason: string, advice = NARROW) =>
		warn(`${reason}: the list may be incomplete. ${advice}`, reason);

	for (let page: number | undefined = firstPage === 'detect' ? undefined : firstPage; ;) {
		const pageQuery = pageParameter && page !== undefined ? { [pageParameter]: page } : {};
		const { body, bytes: pageBytes = 0 } = await get({ ...sizeQuery, ...pageQuery });
		totalBytes += pageBytes;
		const unnamed = listUnderUnknownName(body, paging);
		if (unnamed) note(unnamedListHint(unnamed.name));
		const records = unnamed?.records ?? recordsOf(body, paging);
		const newRecords = records.filter((record) => addIfNew(record, seenIds, paging));
		const isShort = records.length === 0 || (pageSize !== undefined && records.length < pageSize);
		const isRepeated =
			previousRecords.length > 0 &&
			!isShort &&
			(newRecords.length === 0 || isSamePage(previousRecords, records, paging));
		if (isRepeated && !isDetecting) {
			return warnIncomplete(
				'The service sent the same records again, so it seems to ignore the page number',
			);
		}
		const acceptedRecords = isRepeated ? [] : newRecords.slice(0, maxCount - returnedCount);
		returnedCount += acceptedRecords.length;
		if (acceptedRecords.length > 0) yield acceptedRecords;
		if (returnedCount >= limit) return;
		const total = paging.total?.(body);
		const isComplete =
			total === undefined ? isShort || pageParameter === undefined : returnedCount >= total;
		if (
			returnedCount >= maxRecords &&
			(newRecords.length > acceptedRecords.length || !isComplete)
		) {
			return warnIncomplete(
				`The node stopped after ${formatNumber(returnedCount)} records`,
				`${NARROW} Or raise 'Max Records' in the options.`,
			);
		}
		if (isComplete) {
			const count = returnedCount === 0 ? reportedTotal(body) : 0;
			if (count > 0) warnIncomplete(...contradiction(count));
			return;
		}
		if (total !== undefined) pageParameter ??= paging.fallbackPageParameter;
		const isShortOfTotal = isShort && total !== undefined;
		if (pageParameter === undefined || records.length === 0 || isShortOfTotal) {
			return warnIncomplete(
				`The service reports ${total} records, but returned ${returnedCount} of them`,
			);
		}
		if (totalBytes >= maxBytes) {
			return warnIncomplete(
				`The node stopped after ${formatNumber(Math.floor(totalBytes / 1_000_000))} MB`,
			);
		}
		stalePageCount =
			isStale(records, newRecords, previousRecords, paging) && !isRepeated ? stalePageCount + 1 : 0;
		if (stalePageCount === MAX_STALE_PAGES) {
			return warnIncomplete('The service kept sending mostly records that it had sent before');
		}
		if (page !== undefined) isDetecting = false;
		previousRecords = records;
		page = page === undefined ? 1 : page + 1;
	}
}

/** Options for reading a list. */
export interface ListReadOptions extends Pick<PageWalk, 'paging' | 'max' | 'note'> {
	/** Most records to read; all by default. */
	limit?: number;
	/** Concurrency limit for pages. Above 1, a record can be missed if the list changes meanwhile. */
	pageConcurrency?: number;
	/** Checks a response before its records are read, and may replace its body. */
	inspect?: (response: ServiceResponse) => ServiceResponse;
	warn?: PageWalk['warn'];
}

/** Yields the records of a service's list page by page; prefetches pages if the concurrency limit allows. */
export async function* readPages(
	client: Client,
	request: Request,
	{
		limit = Infinity,
		pageConcurrency = 1,
		inspect,
		warn = () => undefined,
		...options
	}: ListReadOptions,
): AsyncGenerator<IDataObject[]> {
	const { service, credential } = client.connection;
	const paging = { plural: pluralIn(request.path), ...options.paging };
	const requiredContent = inspect ? 'inspected' : 'list';
	const list: Request = { ...request, requiredContent, identify: paging.identify };
	const finished = new AbortController();
	const sender =
		pageConcurrency > 1
			? client.with({
					signal: anySignal(finished.signal, client.options.signal),
					onRateLimited: () => prefetcher.stopPrefetching(),
				})
			: client;
	const get = async (query: Query) => {
		const response = await sender.send({ ...list, query: { ...list.query, ...query } });
		return inspect ? inspect(response) : response;
	};
	const { pageParameter = options.paging.fallbackPageParameter ?? '' } = options.paging;
	let firstQuery: Query | undefined;
	const prefetcher = new PagePrefetcher(
		async (number) => await get({ ...firstQuery, [pageParameter]: number }),
		pageConcurrency,
	);
	try {
		yield* walkPages({
			...options,
			paging,
			limit,
			warn,
			firstPage: service.firstPage?.(credential) ?? 1,
			get: async (query) => {
				const number = query[pageParameter];
				// Only the first response shows how the list is paginated, so no page is prefetched along with the first
				// request.
				if (firstQuery && typeof number === 'number') return await prefetcher.page(number);
				firstQuery = query;
				return await get(query);
			},
		});
	} finally {
		// Aborts the prefetches that are still in flight.
		if (pageConcurrency > 1) finished.abort();
	}
}

/** Returns the records of a service's list, up to a limit. */
export async function readRecords(
	client: Client,
	request: Request,
	options: ListReadOptions,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	for await (const page of readPages(client, request, options)) {
		// The records are not spread into `push`: a page of a service without paging can have more records than a call may
		// have arguments.
		for (const record of page) records.push(record);
	}
	return records;
}

const anySignal = (first: AbortSignal, second?: AbortSignal) =>
	second ? AbortSignal.any([first, second]) : first;

/** Names of the member with the total number of records. */
const TOTAL_NAME = /^total[_-]?(count|records|items|results)?$/i;

/** Returns the total that a body reports, at its top or one level below; 0 if it reports none. */
export function reportedTotal(body: unknown): number {
	if (!isRecord(body)) return 0;
	const levels = [body, ...Object.values(body).filter(isRecord)];
	const counts = levels.flatMap((level) =>
		Object.entries(level)
			.filter(([key, value]) => TOTAL_NAME.test(key) && /^\d+$/.test(`${value}`))
			.map(([, value]) => Number(value)),
	);
	return Math.max(0, ...counts);
}

/** Returns reason and advice for an empty list although the service reports records. */
const contradiction = (count: number): [reason: string, advice: string] => [
	`The service reports ${formatNumber(count)} ${count === 1 ? 'record' : 'records'}, but returned none`,
	'Check the filters, and what the credential is allowed to read.',
];

const unnamedListHint = (name: string) =>
	`The service returned the list under the unknown name "${name}". Check that its records are those that you requested.`;

const NARROW = 'Narrow it down with a filter.';
const formatNumber = (number: number) => number.toLocaleString('en-US');

function addIfNew(record: IDataObject, seenIds: Set<unknown>, paging: Paging): boolean {
	const id = idOf(record, paging);
	if (id === undefined) return true;
	if (seenIds.has(id)) return false;
	seenIds.add(id);
	return true;
}

function isSamePage(previous: IDataObject[], current: IDataObject[], paging: Paging): boolean {
	const sameRecord = (a: IDataObject, b: IDataObject) => {
		const id = idOf(a, paging);
		return id === undefined ? JSON.stringify(a) === JSON.stringify(b) : id === idOf(b, paging);
	};
	return (
		previous.length === current.length &&
		previous.every((record, index) => sameRecord(record, current[index]!))
	);
}

/**
 * Whether most records of a page are known. A record without an ID counts as known if it differs only in timestamps from the
 * record at the same position of the previous page.
 */
function isStale(
	current: IDataObject[],
	fresh: IDataObject[],
	previous: IDataObject[],
	paging: Paging,
): boolean {
	const repeatedRecords = current.filter(
		(record, index) =>
			idOf(record, paging) === undefined &&
			previous[index] !== undefined &&
			withoutTimes(record) === withoutTimes(previous[index]),
	);
	return 2 * (current.length - fresh.length + repeatedRecords.length) > current.length;
}

const ISO_DATE = /^\d{4}-\d\d-\d\d/;
const withoutTimes = (record: IDataObject) =>
	JSON.stringify(record, (_, value: unknown) =>
		typeof value === 'string' && ISO_DATE.test(value) ? '' : value,
	);
