import type { IDataObject } from 'n8n-workflow';

import { queryString } from './address';
import type { Client } from './client';
import { linkBelow } from './furtherPages';
import { PagePrefetcher } from './pagePrefetcher';
import { walkPages } from './pageWalk';
import type { PageWalk } from './pageWalk';
import { fillPath } from './path';
import { pluralIn } from './records';
import type { Request, ServiceResponse } from './types';

export { DEFAULT_MAX_RECORDS } from './pageWalk';
export type { Paging } from './pageWalk';

/** Highest concurrency limit for the pages of one list. */
export const MAX_PAGE_CONCURRENCY = 10;

type Query = Record<string, unknown>;

/** Options for reading a list. */
export interface ListReadOptions extends Pick<
	PageWalk,
	'paging' | 'max' | 'ignoresTotal' | 'trustsShortPages' | 'note'
> {
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
	const { service, credential, baseUrl } = client.connection;
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
	let pageUrl = baseUrl;
	const get = async (query: Query, link?: string) => {
		const fullQuery = { ...list.query, ...query };
		pageUrl = baseUrl + (link ?? fillPath(list.path, list.params ?? {}) + queryString(fullQuery));
		const response = await sender.send({ ...list, query: fullQuery, link });
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
			isFirstPageAssumed: service.firstPage === undefined,
			get: async (query, { link, isProbe }) => {
				const number = query[pageParameter];
				// Only the first response shows how the list is paginated, so no page is prefetched along with the first
				// request.
				const mayPrefetch = firstQuery !== undefined && link === undefined && !isProbe;
				if (mayPrefetch && typeof number === 'number') return await prefetcher.page(number);
				firstQuery ??= query;
				return await get(query, link);
			},
			resolveLink: (link) => linkBelow(link, pageUrl, baseUrl),
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
