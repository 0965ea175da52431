import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { toNodeError } from '../errors';
import { Client, connect } from '../http/client';
import { readRecords } from '../http/pages';
import type { Paging } from '../http/pages';
import { idOf } from '../http/records';
import type { Request, SendOptions, Service } from '../http/types';
import { firstText } from '../values/convert';

/** The rows that a list shows at a time, and how far a search looks. */
const SHOWN = 200;
const SEARCHED = 5000;

/** A person is waiting in front of the panel. */
const IMPATIENT: SendOptions = { tries: 2, longestWaitMs: 5000, timeLimitMs: 20_000 };

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
		return await connected(this, service, async (client) => {
			const limit = wanted ? SEARCHED : from + SHOWN;
			const records = await firstRecords(this, client, list, limit);
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
	ask: (client: Client) => Promise<T>,
): Promise<T> {
	let secrets: Iterable<string> = [];
	try {
		const connection = await connect(context, service);
		secrets = connection.secrets;
		return await ask(new Client(connection, IMPATIENT));
	} catch (error) {
		throw toNodeError(context.getNode(), error, undefined, secrets);
	}
}

/** The records that a list shows, or that a search looks through. */
async function firstRecords(
	context: ILoadOptionsFunctions,
	client: Client,
	list: PickList,
	limit: number,
): Promise<IDataObject[]> {
	const request: Request = {
		method: 'GET',
		path: list.path,
		params: list.params?.(context),
		labels: list.labels,
		query: list.query?.(context),
		repeatable: true,
	};
	return await readRecords(client, request, { paging: list.paging, limit });
}
