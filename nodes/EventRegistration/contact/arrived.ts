import { readPages } from '../../engine/http/pages';
import { recordsOf, surelyRecords } from '../../engine/http/records';
import type { Request } from '../../engine/http/types';
import type { Call } from '../../engine/operation';
import { normalizeEmail } from '../findByEmail';
import { textOf } from '../form/form';
import { pagesBy } from '../paging';
import type { Entry } from './entry';

/** How full a list is, and when it was last changed by the service's own clock; as far as the service says. */
export interface ListState {
	count?: number;
	updatedMs?: number;
}

/** Reads how full the list is. */
export async function readListState(call: Call, { params, labels }: Request): Promise<ListState> {
	const path = '/api/v1/contactlists/{contactListId}';
	const { body } = await call.send({ method: 'GET', path, params, labels, repeatable: true });
	return listStateOf(body) ?? {};
}

/** How full the list is, from an answer about it; nothing if the answer does not say. */
export function listStateOf(body: unknown): ListState | undefined {
	const { ContactCount, LastUpdated } = recordsOf(body, pagesBy('ContactListId'))[0] ?? {};
	const count = ContactCount === undefined || ContactCount === null ? NaN : Number(ContactCount);
	if (!Number.isFinite(count)) return undefined;
	const updatedMs = Date.parse(textOf(LastUpdated));
	return { count, ...(!Number.isNaN(updatedMs) && { updatedMs }) };
}

interface SortedByArrival {
	/** Added, although their array was refused. */
	added: Entry[];
	/** Surely not added. */
	notAdded: Entry[];
	uncertain: Entry[];
}

const TIME_TOLERANCE_MS = 1000;

const emailOf = ({ contact }: Entry) => normalizeEmail(contact.Email);

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
): Promise<SortedByArrival> {
	if (before?.count === undefined || now.count === undefined) return allUncertain(entries);
	const growth = now.count - before.count;
	if (growth <= 0) return { added: [], notAdded: entries, uncertain: [] };
	if (before.updatedMs === undefined) return allUncertain(entries);
	const newEmails = await readEmailsAddedSince(before.updatedMs - TIME_TOLERANCE_MS, call, request);
	if (!newEmails) return allUncertain(entries);
	const emailCounts = new Map<string, number>();
	for (const entry of all)
		emailCounts.set(emailOf(entry), (emailCounts.get(emailOf(entry)) ?? 0) + 1);
	const hasUniqueEmail = (entry: Entry) =>
		emailOf(entry) !== '' && emailCounts.get(emailOf(entry)) === 1;
	const added = entries.filter((entry) => hasUniqueEmail(entry) && newEmails.has(emailOf(entry)));
	if (added.length > growth) return allUncertain(entries);
	const rest = entries.filter((entry) => !added.includes(entry));
	// Where those found explain all of the growth, nobody else was added.
	if (added.length === growth) return { added, notAdded: rest, uncertain: [] };
	return {
		added,
		notAdded: rest.filter(hasUniqueEmail),
		uncertain: rest.filter((entry) => !hasUniqueEmail(entry)),
	};
}

const allUncertain = (entries: Entry[]): SortedByArrival => ({
	added: [],
	notAdded: [],
	uncertain: entries,
});

/** The email addresses of the contacts that were added since then; nothing if the service does not surely show them all. */
async function readEmailsAddedSince(
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
	const emails = new Set<string>();
	for await (const page of pages) {
		for (const { Email, DateAdded, LastUpdated } of page) {
			const addedMs = Date.parse(textOf(DateAdded ?? LastUpdated));
			if (!(addedMs < sinceMs)) emails.add(normalizeEmail(Email));
		}
	}
	return list.isWhole ? emails : undefined;
}
