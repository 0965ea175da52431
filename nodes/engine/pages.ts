import type { IDataObject } from 'n8n-workflow';

import type { Field } from './operation';
import { idOf, recordsOf } from './records';
import type { Kind } from './records';
import type { Answer } from './request';

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

/** Return All and Limit, as every list offers them. */
export const limitFields: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/** The number of the first page: known, or to be found out. */
export type FirstPage = 'detect' | 0 | 1;

/** What walking through pages needs. */
export interface Walk {
	paging: Paging;
	first: FirstPage;
	/** How many records are wanted at most. */
	limit: number;
	/** Gets one page; the query holds only what paging adds. */
	get: (query: Record<string, unknown>) => Promise<Answer>;
	/** Says that the list may be incomplete, and why. */
	warn: (message: string) => void;
}

/**
 * Gives the records of a list page by page, each record once, until the limit or the end. Holds one page at a time. Where
 * counting starts is found out if need be: the first request names no page, and the second asks for page 1.
 */
export async function* walkPages({
	paging,
	first,
	limit,
	get,
	warn,
}: Walk): AsyncGenerator<IDataObject[]> {
	const size = paging.size && Math.min(paging.size.most, limit);
	const sized = paging.size ? { [paging.size.name]: size } : {};
	const seen = new Set<unknown>();
	let given = 0;
	let before: IDataObject[] = [];
	let name = paging.page;
	let detecting = first === 'detect' && name !== undefined;

	for (let page: number | undefined = first === 'detect' ? undefined : first; ;) {
		const numbered = name && page !== undefined ? { [name]: page } : {};
		const { body } = await get({ ...sized, ...numbered });
		const records = recordsOf(body, paging);
		const fresh = records.filter((record) => isNew(record, seen, paging));
		const repeated =
			before.length > 0 &&
			records.length > 0 &&
			(fresh.length === 0 || samePage(before, records, paging));
		if (repeated && !detecting) {
			warn(
				'The service sent records again that it had sent before, so it seems to ignore the page number: the list may be incomplete. Narrow it down with a filter.',
			);
			return;
		}
		if (!repeated) {
			const wanted = fresh.slice(0, limit - given);
			given += wanted.length;
			if (wanted.length > 0) yield wanted;
		}
		const short = records.length === 0 || (size !== undefined && records.length < size);
		const total = paging.total?.(body);
		if (given >= limit || (total !== undefined && given >= total)) return;
		if (total !== undefined) name ??= paging.pageIfCut;
		if (total !== undefined && (records.length === 0 || name === undefined)) {
			warn(
				`The service says that there are ${total} records, and gave ${given} of them: the list may be incomplete. Narrow it down with a filter.`,
			);
		}
		if (name === undefined || short) return;
		if (page !== undefined) detecting = false;
		before = records;
		page = page === undefined ? 1 : page + 1;
	}
}

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
