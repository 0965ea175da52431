import { readPages } from '../../engine/http/pages';
import { recordsOf, surelyRecords } from '../../engine/http/records';
import type { Request } from '../../engine/http/types';
import type { Call } from '../../engine/operation';
import { folded } from '../findByEmail';
import { textOf } from '../form/form';
import { pagesBy } from '../paging';
import type { Entry } from './entry';

/** How full a list is, and when it was last changed by the service's own clock; as far as the service says. */
export interface ListState {
	count?: number;
	updatedMs?: number;
}

/** Reads how full the list is. */
export async function look(call: Call, { params, labels }: Request): Promise<ListState> {
	const path = '/api/v1/contactlists/{contactListId}';
	const { body } = await call.send({ method: 'GET', path, params, labels, repeatable: true });
	return stateOf(body) ?? {};
}

/** How full the list is, from an answer about it; nothing if the answer does not say. */
export function stateOf(body: unknown): ListState | undefined {
	const { ContactCount, LastUpdated } = recordsOf(body, pagesBy('ContactListId'))[0] ?? {};
	const count = ContactCount === undefined || ContactCount === null ? NaN : Number(ContactCount);
	if (!Number.isFinite(count)) return undefined;
	const updatedMs = Date.parse(textOf(LastUpdated));
	return { count, ...(!Number.isNaN(updatedMs) && { updatedMs }) };
}

interface Sorted {
	/** Added, although their array was refused. */
	arrived: Entry[];
	/** Surely not added. */
	absent: Entry[];
	doubtful: Entry[];
}

const SLACK_MS = 1000;

const addressOf = ({ contact }: Entry) => folded(contact.Email);

/**
 * Sorts the contacts of a refused array by what became of them: a service may have kept the good ones. If the list has not
 * grown, it kept none. If it has, its newcomers are compared by email; what cannot be told apart stays doubtful.
 */
export async function sortByArrival(
	entries: Entry[],
	all: Entry[],
	before: ListState | undefined,
	now: ListState,
	{ call, request }: Pick<Entry, 'call' | 'request'>,
): Promise<Sorted> {
	if (before?.count === undefined || now.count === undefined) return unknown(entries);
	const growth = now.count - before.count;
	if (growth <= 0) return { arrived: [], absent: entries, doubtful: [] };
	if (before.updatedMs === undefined) return unknown(entries);
	const newcomers = await addressesSince(before.updatedMs - SLACK_MS, call, request);
	if (!newcomers) return unknown(entries);
	const times = new Map<string, number>();
	for (const entry of all) times.set(addressOf(entry), (times.get(addressOf(entry)) ?? 0) + 1);
	const isTelling = (entry: Entry) => addressOf(entry) !== '' && times.get(addressOf(entry)) === 1;
	const arrived = entries.filter((entry) => isTelling(entry) && newcomers.has(addressOf(entry)));
	if (arrived.length > growth) return unknown(entries);
	const rest = entries.filter((entry) => !arrived.includes(entry));
	// Where those found explain all of the growth, nobody else was added.
	if (arrived.length === growth) return { arrived, absent: rest, doubtful: [] };
	return {
		arrived,
		absent: rest.filter(isTelling),
		doubtful: rest.filter((entry) => !isTelling(entry)),
	};
}

const unknown = (entries: Entry[]): Sorted => ({ arrived: [], absent: [], doubtful: entries });

/** The email addresses of the contacts that were added since then; nothing if the service does not surely show them all. */
async function addressesSince(
	sinceMs: number,
	call: Call,
	request: Request,
): Promise<Set<string> | undefined> {
	const { path, params, labels } = request;
	const updatedAfter = new Date(sinceMs).toISOString();
	const paging = pagesBy('ContactId');
	const list = { isWhole: true };
	const search: Request = {
		method: 'GET',
		path,
		params,
		labels,
		query: { updatedAfter },
		repeatable: true,
	};
	const pages = readPages(call.client, search, {
		paging,
		inspect: (answer) => {
			list.isWhole &&= answer.status === 204 || surelyRecords(answer.body, paging)?.isList === true;
			return answer;
		},
		warn: () => {
			list.isWhole = false;
		},
	});
	const addresses = new Set<string>();
	for await (const page of pages) {
		for (const { Email, DateAdded, LastUpdated } of page) {
			const addedMs = Date.parse(textOf(DateAdded ?? LastUpdated));
			if (!(addedMs < sinceMs)) addresses.add(folded(Email));
		}
	}
	return list.isWhole ? addresses : undefined;
}
