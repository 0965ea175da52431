import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { manner } from '../run/call';
import { toNodeError } from '../errors';
import type { Service } from '../operation';
import { walkPages } from '../http/pages';
import type { Paging } from '../http/pages';
import { idOf } from '../http/records';
import { connect } from '../http/client';
import type { Connection } from '../http/client';
import { firstText } from '../values/convert';

/** The rows that a list shows at a time, and how far a search looks. */
const SHOWN = 200;
const SEARCHED = 5000;

/** A list that users pick from: where it comes from, and what to show of each record. */
export interface PickList {
	path: string;
	/** Values of the path's braces, which may depend on other fields of the node. */
	params?: (context: ILoadOptionsFunctions) => Record<string, unknown>;
	labels?: Record<string, string>;
	query?: (context: ILoadOptionsFunctions) => Record<string, unknown>;
	/** Also tells the ID, which is what the user picks. */
	paging: Paging;
	/** What people call it; blank where the service does not say, and then it is shown by its ID. */
	name: (record: IDataObject) => string;
	description?: (record: IDataObject) => string | undefined;
}

/** Makes the function that n8n calls to fill a resource locator: more rows as the user scrolls, or those that match a search. */
export const searchList = (service: Service, list: PickList) =>
	async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const from = Number(paginationToken ?? 0);
		const wanted = filter?.trim().toLowerCase();
		return await connected(this, service, async (connection) => {
			const limit = wanted ? SEARCHED : from + SHOWN;
			const records = await firstRecords(this, service, connection, list, limit);
			const results = records.slice(wanted ? 0 : from).flatMap((record) => rowOf(record, list));
			if (wanted) {
				return {
					results: results.filter((row) =>
						`${row.name} ${row.value}`.toLowerCase().includes(wanted),
					),
				};
			}
			const more = records.length === from + SHOWN;
			return { results, paginationToken: more ? `${from + SHOWN}` : undefined };
		});
	};

/** One row; none for what has no ID, since nobody could work with it. */
function rowOf(record: IDataObject, { paging, name, description }: PickList) {
	const id = idOf(record, paging);
	if (id === undefined) return [];
	const value = `${id}`;
	return [{ name: name(record).trim() || value, value, description: description?.(record) }];
}

/** What a record says under these names, in one line; what is no text is passed over. */
export const textIn = (record: IDataObject, ...names: string[]): string =>
	names
		.map((name) => firstText(record, [name]) ?? '')
		.join(' ')
		.trim();

/** A name, and in parentheses what tells it from its like. */
export const apart = (name: string, more: string): string =>
	name && more ? `${name} (${more})` : name || more;

/** Asks a service something for the panel, and makes one clear error of what fails, without the credential's secrets. */
export async function connected<T>(
	context: ILoadOptionsFunctions,
	service: Service,
	ask: (connection: Connection) => Promise<T>,
): Promise<T> {
	let secrets: Iterable<string> = [];
	try {
		const connection = await connect(context, service);
		secrets = connection.secrets;
		return await ask(connection);
	} catch (error) {
		throw toNodeError(context.getNode(), error, undefined, secrets);
	}
}

async function firstRecords(
	context: ILoadOptionsFunctions,
	service: Service,
	connection: Connection,
	list: PickList,
	limit: number,
): Promise<IDataObject[]> {
	const request = {
		method: 'GET' as const,
		path: list.path,
		params: list.params?.(context),
		labels: list.labels,
		repeatable: true,
	};
	const query = list.query?.(context);
	const records: IDataObject[] = [];
	const pages = walkPages({
		paging: list.paging,
		first: service.firstPage?.(connection.credential) ?? 1,
		limit,
		get: async (paged) =>
			await connection.send(
				{ ...request, query: { ...query, ...paged } },
				manner({ tries: 2, longestWait: 5, timeLimit: 20 }),
			),
		warn: () => undefined,
	});
	for await (const page of pages) records.push(...page);
	return records;
}
