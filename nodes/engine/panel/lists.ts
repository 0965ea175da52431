import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { toNodeError } from '../errors';
import { Client, connect } from '../http/client';
import { readRecords } from '../http/pages';
import type { Paging } from '../http/pages';
import { idOf } from '../http/records';
import type { Request, SendOptions, Service } from '../http/types';
import { firstText } from '../values/convert';

/** The rows that a list shows at a time, and how far a search looks. */
const PAGE_SIZE = 200;
const SEARCH_LIMIT = 5000;

/** A person is waiting in front of the panel. */
const PANEL_SEND_OPTIONS: SendOptions = { tries: 2, longestWaitMs: 5000, timeLimitMs: 20_000 };

/** Where the records of a list come from. */
export interface ListSource {
	path: string;
	/** Values of the path's braces, which may depend on other fields of the node. */
	params?: (context: ILoadOptionsFunctions) => Record<string, unknown>;
	labels?: Record<string, string>;
	query?: (context: ILoadOptionsFunctions) => Record<string, unknown>;
	/** The body, for a list that is asked for by POST. */
	json?: (context: ILoadOptionsFunctions) => unknown;
	/** Also tells the ID, which is what the user picks. */
	paging: Paging;
}

/** Finds a record of one of the other lists by its ID. */
export type FindRelated = (list: string, id: unknown) => IDataObject | undefined;

/** A list that users pick from: where it comes from, and what to show of each record. */
export interface PickList extends ListSource {
	/** What people call it; blank where the service does not say, and then it is shown by its ID. */
	name: (record: IDataObject, find: FindRelated) => string;
	description?: (record: IDataObject) => string | undefined;
	/** Lists that hold the names of what the records point to. */
	related?: Record<string, ListSource>;
	/** Puts the records into the order in which people look for them. */
	sort?: (records: IDataObject[]) => IDataObject[];
}

/** Makes the function that n8n calls to fill a resource locator: more rows as the user scrolls, or those that match a search. */
export const searchList = (service: Service, list: PickList) =>
	async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const from = Number(paginationToken ?? 0);
		const wanted = normalizeForSearch(filter ?? '').trim();
		return await withPanelClient(this, service, async (client) => {
			const shown = from + PAGE_SIZE;
			const limit = wanted ? SEARCH_LIMIT : list.sort ? Math.max(SEARCH_LIMIT, shown) : shown;
			const records = sortFound(await readList(this, client, list, limit), list);
			const page = wanted ? records : records.slice(from, shown);
			const find = page.length > 0 ? await readRelated(this, client, list) : () => undefined;
			const results = page.flatMap((record) => rowOf(record, list, find));
			if (wanted) {
				return {
					results: results.filter((row) =>
						normalizeForSearch(`${row.name} ${row.value}`).includes(wanted),
					),
				};
			}
			const more = records.length > shown || records.length === limit;
			return { results, paginationToken: more ? `${shown}` : undefined };
		});
	};

/** As many as are looked through in their order; a list that is longer goes on as it comes. */
const sortFound = (records: IDataObject[], { sort }: PickList): IDataObject[] =>
	sort ? [...sort(records.slice(0, SEARCH_LIMIT)), ...records.slice(SEARCH_LIMIT)] : records;

/** Letters that are no other letter with an accent, and how people without them on the keyboard write them. */
const LETTERS: Record<string, string> = {
	đ: 'd',
	ð: 'd',
	ħ: 'h',
	ı: 'i',
	ł: 'l',
	ø: 'o',
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	þ: 'th',
	'’': "'",
	'‘': "'",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
const ACCENTS = /[\u0300-\u036f]/g;

/** A text as searches compare it: small letters without accents. */
export const normalizeForSearch = (text: string): string =>
	text
		.toLowerCase()
		.normalize('NFD')
		.replace(ACCENTS, '')
		.normalize('NFC')
		.replace(LETTER, (letter) => LETTERS[letter]!);

/** One row; none for what has no ID, since no one could work with it. */
function rowOf(record: IDataObject, { paging, name, description }: PickList, find: FindRelated) {
	const id = idOf(record, paging);
	if (id === undefined) return [];
	const value = `${id}`;
	return [{ name: name(record, find).trim() || value, value, description: description?.(record) }];
}

/** The records that names are taken from. A list that cannot be read costs names only: things are still found by their IDs. */
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
	const known = new Map(lists);
	return (list, id) => known.get(list)?.get(`${id}`);
}

/** What a record says under these names, in one line; what is no text is passed over. */
export const textIn = (record: IDataObject, ...names: string[]): string =>
	names
		.map((name) => firstText(record, [name]) ?? '')
		.join(' ')
		.trim();

/** A name, and in parentheses what tells it from its like. */
export const withDetail = (name: string, more: string): string =>
	name && more ? `${name} (${more})` : name || more;

/** Asks a service something for the panel, and makes one clear error of what fails, without the credential's secrets. */
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

/** The records that a list shows, or that a search looks through. */
async function readList(
	context: ILoadOptionsFunctions,
	client: Client,
	list: ListSource,
	limit: number,
): Promise<IDataObject[]> {
	const request: Request = {
		method: list.json ? 'POST' : 'GET',
		path: list.path,
		params: list.params?.(context),
		labels: list.labels,
		query: list.query?.(context),
		json: list.json?.(context),
		repeatable: true,
	};
	return await readRecords(client, request, { paging: list.paging, limit });
}
