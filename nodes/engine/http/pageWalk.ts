import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../errors';
import { isRecord } from '../values/isRecord';
import { furtherPages } from './furtherPages';
import type { FurtherPages } from './furtherPages';
import { listUnderUnknownName, recordsOf } from './records';
import type { RecordKind } from './records';
import { addIfNew, isSamePage, isStale } from './repeatedPages';
import { isNotFound } from './statuses';
import type { FirstPage, ServiceResponse } from './types';

/** How a service paginates a list of one kind of record. */
export interface Paging extends RecordKind {
	/** Query parameter for the page number. Without one, the service returns the whole list at once. */
	pageParameter?: string;
	/** Query parameter to try if `pageParameter` is missing and the service has more records than it returned. */
	fallbackPageParameter?: string;
	/** Query parameter for the number of records per page, and its maximum. */
	size?: { name: string; max: number };
	/** Returns the total number of records, if the response contains it. */
	total?: (body: unknown) => number | undefined;
}

/** Default for the maximum number of records to read. */
export const DEFAULT_MAX_RECORDS = 1_000_000;

/** About the longest string in JavaScript: n8n could not save more. */
const MAX_LIST_BYTES = 500_000_000;

/** Number of consecutive pages of mostly known records after which reading stops, because the service repeats itself. */
const MAX_STALE_PAGES = 10;

/** Number of records of a page that looks like the whole list, from which it may be the first of several shorter pages. */
const MIN_RECORDS_TO_PROBE = 10;

type Query = Record<string, unknown>;

/** Which page to request, besides the query. */
interface PageChoice {
	/** Address of the page, as a link of the previous page gives it. Replaces path and query. */
	link?: string;
	/** Whether the page may be beyond the end of the list. */
	isProbe?: boolean;
}

type PageResponse = Pick<ServiceResponse, 'body' | 'bytes'> &
	Partial<Pick<ServiceResponse, 'headers'>>;

/** A list to walk through page by page. */
export interface PageWalk {
	paging: Paging;
	firstPage: FirstPage;
	/** Whether `firstPage` is an assumption, so that the service may count from another number. */
	isFirstPageAssumed?: boolean;
	/** Most records that the caller wants. */
	limit: number;
	/** Limits that end the walk with a warning even if the caller wants more. */
	max?: { records?: number; bytes?: number };
	/** Whether an empty list is complete although its response reports a total, which may count more than was requested. */
	ignoresTotal?: boolean;
	/** Whether a page that looks like the whole list is taken for it, without a request that proves it. */
	trustsShortPages?: boolean;
	/** Requests one page. The query contains only the parameters of the pagination. */
	get: (query: Query, choice: PageChoice) => Promise<PageResponse>;
	/** Returns a link as `PageChoice.link`; undefined if it must not be followed. */
	resolveLink?: (link: string) => string | undefined;
	/** Reports that the list may be incomplete. `message` is for the user; `reason` is the part that states the cause. */
	warn: (message: string, reason: string) => void;
	/** Reports that the records were found in a place that the contract does not name. */
	note?: (message: string) => void;
}

/** A request for a page: by number, cursor or link. The first one may have none of them. */
interface PageRequest {
	link?: string;
	number?: number;
	cursor?: Record<string, string>;
	/** Whether the walk ends with this page, which is read to be sure that no record was missed. */
	isLast?: boolean;
}

/** Response beyond the last page. */
const END_OF_LIST: PageResponse = { body: [] };

/**
 * Yields the records of a list page by page, each record once, up to the limit or the end. Keeps two pages and the IDs of
 * all records in memory. If the number of the first page is unknown, the first request has no page number and the second
 * requests page 1, which may contain the same records. Stops reading a list that never ends, with a warning.
 *
 * A page states by a link, a cursor, a flag or a total whether others follow. If it does not, a full page is followed by
 * another request, and so is a short first page of some length: a service may send fewer records than requested. An empty
 * page, known records, 400 or 404 then end the list.
 */
export async function* walkPages(walk: PageWalk): AsyncGenerator<IDataObject[]> {
	const { paging, limit, warn, note = () => undefined, max = {} } = walk;
	const { records: maxRecords = DEFAULT_MAX_RECORDS, bytes: maxBytes = MAX_LIST_BYTES } = max;
	const maxCount = Math.min(limit, maxRecords);
	let pageSize = paging.size && Math.min(paging.size.max, maxCount);
	const sizeQuery = paging.size ? { [paging.size.name]: pageSize } : {};
	const seenIds = new Set<unknown>();
	let returnedCount = 0;
	let totalBytes = 0;
	let total: number | undefined;
	let stalePageCount = 0;
	let previousRecords: IDataObject[] = [];
	let pageParameter = paging.pageParameter;
	let isDetecting = walk.firstPage === 'detect' && pageParameter !== undefined;
	/** Whether the first page looked like the whole list, and no other record was found since. */
	let isProbing = false;
	/** Number of the page that was skipped if the service counts from another number than assumed. */
	let skippedNumber = walk.isFirstPageAssumed ? Number(pageParameter === undefined) : undefined;
	let request: PageRequest = { number: walk.firstPage === 'detect' ? undefined : walk.firstPage };
	const warnIncomplete = (reason: string, advice = NARROW) =>
		warn(`${reason}: the list may be incomplete. ${advice}`, reason);

	for (let requestCount = 1; ; requestCount++) {
		const { number, cursor, link, isLast = false } = request;
		const isProbe: boolean = isProbing || isLast;
		const numberQuery = pageParameter && number !== undefined ? { [pageParameter]: number } : {};
		const page: PageChoice = { link, isProbe };
		const response: PageResponse | ServiceFailure = await walk
			.get({ ...sizeQuery, ...numberQuery, ...cursor }, page)
			.catch(
				rejectUnlessBeyondEnd(requestCount > 1 && !link && !cursor, request.isLast, isProbing),
			);
		if (response instanceof ServiceFailure) return warnIncomplete(response.message);
		const { body, bytes: pageBytes = 0 }: PageResponse = response;
		totalBytes += pageBytes;
		const unnamed = listUnderUnknownName(body, paging);
		if (unnamed) note(unnamedListHint(unnamed.name));
		const records: IDataObject[] = unnamed?.records ?? recordsOf(body, paging);
		const newRecords = records.filter((record) => addIfNew(record, seenIds, paging));
		const isShort: boolean =
			records.length === 0 || (pageSize !== undefined && records.length < pageSize);
		const isRepeated =
			previousRecords.length > 0 &&
			!isShort &&
			(newRecords.length === 0 || isSamePage(previousRecords, records, paging));
		if (isRepeated && !isDetecting && !isProbe) {
			return warnIncomplete(
				'The service sent the same records again, so it seems to ignore the page number',
			);
		}
		const acceptedRecords = isRepeated ? [] : newRecords.slice(0, maxCount - returnedCount);
		returnedCount += acceptedRecords.length;
		if (acceptedRecords.length > 0) yield acceptedRecords;
		if (returnedCount >= limit) return;

		const says: FurtherPages =
			records.length === 1 && isOneRecord(body, records) ? {} : furtherPages(response);
		if (!walk.ignoresTotal) total = paging.total?.(body) ?? says.total ?? total;
		const isMissing = total !== undefined && returnedCount < total;
		const hasMore: boolean | undefined =
			says.link || says.cursor
				? true
				: (says.hasMore ?? (total === undefined ? undefined : isMissing));
		const looksWhole: boolean = isShort || pageParameter === undefined;
		if (requestCount === 1)
			isProbing =
				looksWhole &&
				hasMore === undefined &&
				records.length >= MIN_RECORDS_TO_PROBE &&
				!walk.trustsShortPages &&
				(pageParameter ?? paging.fallbackPageParameter) !== undefined;
		else isProbing &&= newRecords.length === 0 || isRepeated;
		const isFirstAgain = isRepeated && isDetecting;
		const continues =
			!isLast && (hasMore ?? (isProbing ? requestCount === 1 || isFirstAgain : !looksWhole));
		if (returnedCount >= maxRecords && (newRecords.length > acceptedRecords.length || continues)) {
			return warnIncomplete(
				`The node stopped after ${formatNumber(returnedCount)} records`,
				`${NARROW} Or raise 'Max Records' in the options.`,
			);
		}
		const nextLink = says.link && walk.resolveLink?.(says.link);
		const hasAddress = nextLink !== undefined || says.cursor !== undefined;
		pageParameter ??= continues ? paging.fallbackPageParameter : undefined;
		const isStuck =
			!hasAddress && (pageParameter === undefined || (hasMore && records.length === 0));
		if (!continues || isStuck) {
			const isUnproven = hasMore === undefined && !walk.trustsShortPages;
			const mayHaveSkipped = requestCount > 1 || (returnedCount === 0 && skippedNumber === 0);
			if (skippedNumber !== undefined && (isMissing || (isUnproven && mayHaveSkipped))) {
				request = { number: skippedNumber, isLast: true };
				skippedNumber = undefined;
				pageParameter ??= paging.fallbackPageParameter;
				continue;
			}
			if (total !== undefined && isMissing) warnIncomplete(...shortage(total, returnedCount));
			else if (continues) warnIncomplete('The service says that there are more records');
			return;
		}
		if (totalBytes >= maxBytes) {
			return warnIncomplete(
				`The node stopped after ${formatNumber(Math.floor(totalBytes / 1_000_000))} MB`,
			);
		}
		const isStalePage =
			records.length === 0 || isStale(records, newRecords, previousRecords, paging);
		stalePageCount = isStalePage && !isFirstAgain ? stalePageCount + 1 : 0;
		if (stalePageCount === MAX_STALE_PAGES) {
			return warnIncomplete('The service kept sending mostly records that it had sent before');
		}
		if (hasAddress) {
			request = { link: nextLink, cursor: says.cursor };
			skippedNumber = undefined;
		} else {
			if (number !== undefined) isDetecting = false;
			// The service may send fewer records per page than requested.
			if (requestCount === 1 && looksWhole) pageSize = records.length;
			request = { number: number === undefined ? 1 : number + 1 };
		}
		previousRecords = records;
	}
}

/**
 * Returns a handler for the failure of a page. Services answer 400 or 404 to the number of a page beyond the last one, and
 * with any failure to a number before the first one. Another failure of a probe is returned: the records so far are right.
 */
const rejectUnlessBeyondEnd =
	(hasNumber: boolean, isLast = false, isProbing: boolean) =>
	(error: unknown): PageResponse | ServiceFailure => {
		if (hasNumber && error instanceof ServiceFailure) {
			if (isLast || error.status === 400 || isNotFound(error)) return END_OF_LIST;
			if (isProbing) return error;
		}
		throw error;
	};

/** Returns reason and advice for a list that is shorter than its total. */
const shortage = (total: number, count: number): [reason: string, advice?: string] =>
	count > 0
		? [
				`The service reports ${formatNumber(total)} records, but returned ${formatNumber(count)} of them`,
			]
		: [
				`The service reports ${formatNumber(total)} ${total === 1 ? 'record' : 'records'}, but returned none`,
				'Check the filters, and what the credential is allowed to read.',
			];

/** Whether a body is a single record in place of a list, so that its members say nothing about pages. */
const isOneRecord = (body: unknown, [record]: IDataObject[]): boolean =>
	isRecord(body) && (body === record || Object.values(body).includes(record));

const unnamedListHint = (name: string) =>
	`The service returned the list under the unknown name "${name}". Check that its records are those that you requested.`;

const NARROW = 'Narrow it down with a filter.';
const formatNumber = (number: number) => number.toLocaleString('en-US');
