import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { toNodeError } from '../errors';
import { Client, connect } from '../http/client';
import { readRecords } from '../http/pages';
import type { Paging } from '../http/pages';
import { idOf } from '../http/records';
import type { Request, SendOptions, Service } from '../http/types';
import { firstText } from '../values/convert';
import { normalizeForSearch } from '../values/normalize';

/** Number of rows that the editor loads at a time. SEARCH_LIMIT is the number of records that a search or a sort reads. */
const PAGE_SIZE = 200;
const SEARCH_LIMIT = 5000;

/** Few retries and short delays: the user waits for the panel. */
const PANEL_SEND_OPTIONS: SendOptions = {
	maxAttempts: 2,
	maxRetryDelayMs: 5000,
	timeoutMs: 20_000,
};

/** The request for the records of a list. */
export interface ListSource {
	path: string;
	/** Path values; they may depend on other fields of the node, and on requests of their own. */
	params?: (context: ILoadOptionsFunctions, client: Client) => Promise<Request['params']>;
	query?: (context: ILoadOptionsFunctions) => Record<string, unknown>;
	/** The body. If present, the list is requested by POST. */
	json?: (context: ILoadOptionsFunctions, client: Client) => Promise<unknown>;
	/** Also says how a record is identified. The record's ID is the value of its row. */
	paging: Paging;
}

/** Returns a record of one of the `related` lists by its ID. */
export type FindRelated = (list: string, id: unknown) => IDataObject | undefined;

/** A list to pick a record from: its source, and how rows are displayed. */
export interface PickList extends ListSource {
	/** The display name of a record. If blank, the ID is displayed. */
	name: (record: IDataObject, find: FindRelated) => string;
	description?: (record: IDataObject) => string | undefined;
	/** Lists of the records that this list's records refer to. `name` reads their names. */
	related?: Record<string, ListSource>;
	/** Sorts the records so that those that users need most come first. */
	sort?: (records: IDataObject[]) => IDataObject[];
}

/**
 * Creates n8n's `listSearch` method of a resource locator: it returns more rows as the user scrolls, or those that match a
 * search.
 */
export const searchList = (service: Service, list: PickList) =>
	async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const from = Number(paginationToken ?? 0);
		const query = normalizeForSearch(filter ?? '').trim();
		return await withPanelClient(this, service, async (client) => {
			const pageEnd = from + PAGE_SIZE;
			const limit = query ? SEARCH_LIMIT : list.sort ? Math.max(SEARCH_LIMIT, pageEnd) : pageEnd;
			const records = sortFound(await readList(this, client, list, limit), list);
			const page = query ? records : records.slice(from, pageEnd);
			const find = page.length > 0 ? await readRelated(this, client, list) : () => undefined;
			const results = page.flatMap((record) => rowOf(record, list, find));
			if (query) {
				return {
					results: results.filter((row) =>
						normalizeForSearch(`${row.name} ${row.value}`).includes(query),
					),
				};
			}
			const hasMore = records.length > pageEnd || records.length === limit;
			return { results, paginationToken: hasMore ? `${pageEnd}` : undefined };
		});
	};

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Adds a first row that clears the field to a `listSearch` method. A search omits this row unless the row matches. */
export const withNoneRow = (none: string, search: ListSearch): ListSearch =>
	async function (filter, paginationToken) {
		const page = await search.call(this, filter, paginationToken);
		const matches = normalizeForSearch(none).includes(normalizeForSearch(filter ?? '').trim());
		const isFirst = paginationToken === undefined && matches;
		return isFirst ? { ...page, results: [{ name: none, value: '' }, ...page.results] } : page;
	};

/** Sorts the first SEARCH_LIMIT records. Any further ones follow in the service's order. */
const sortFound = (records: IDataObject[], { sort }: PickList): IDataObject[] =>
	sort ? [...sort(records.slice(0, SEARCH_LIMIT)), ...records.slice(SEARCH_LIMIT)] : records;

/** Returns the row of a record. A record without an ID has no row, since no operation could use it. */
function rowOf(record: IDataObject, { paging, name, description }: PickList, find: FindRelated) {
	const id = idOf(record, paging);
	if (id === undefined) return [];
	const value = `${id}`;
	return [{ name: name(record, find).trim() || value, value, description: description?.(record) }];
}

/** Reads the related lists. If one fails, its names are missing and rows show IDs instead. */
async function readRelated(
	context: ILoadOptionsFunctions,
	client: Client,
	{ related = {} }: PickList,
): Promise<FindRelated> {
	const lists = await Promise.all(
		Object.entries(related).map(async ([name, source]) => {
			const records = await readList(context, client, source, SEARCH_LIMIT).catch(() => []);
			const byId = records.map((record) => [`${idOf(record, source.paging)}`, record] as const);
			return [name, new Map(byId)] as const;
		}),
	);
	const namesByList = new Map(lists);
	return (list, id) => namesByList.get(list)?.get(`${id}`);
}

/** Joins the values of the named fields with spaces; skips values that are neither text nor number. */
export const textIn = (record: IDataObject, ...names: string[]): string =>
	names
		.map((name) => firstText(record, [name]) ?? '')
		.join(' ')
		.trim();

/** Appends a detail in parentheses that distinguishes records of the same name. */
export const withDetail = (name: string, detail: string): string =>
	name && detail ? `${name} (${detail})` : name || detail;

/** Runs requests for the panel with the node's credential. Converts failures to n8n errors without the credential's secrets. */
export async function withPanelClient<T>(
	context: ILoadOptionsFunctions,
	service: Service,
	ask: (client: Client) => Promise<T>,
): Promise<T> {
	let secrets: Iterable<string> = [];
	try {
		const connection = await connect(context, service);
		secrets = connection.secrets;
		return await ask(new Client(connection, PANEL_SEND_OPTIONS));
	} catch (error) {
		throw toNodeError(context.getNode(), error, undefined, secrets);
	}
}

async function readList(
	context: ILoadOptionsFunctions,
	client: Client,
	list: ListSource,
	limit: number,
): Promise<IDataObject[]> {
	const request: Request = {
		method: list.json ? 'POST' : 'GET',
		path: list.path,
		params: await list.params?.(context, client),
		query: list.query?.(context),
		json: await list.json?.(context, client),
		idempotent: true,
	};
	return await readRecords(client, request, { paging: list.paging, limit });
}
