import { readPages } from '../../engine/http/pages';
import { recordsOf, strictRecords } from '../../engine/http/records';
import type { Request } from '../../engine/http/types';
import type { ItemCall } from '../../engine/operation';
import { textOf } from '../form/readForm';
import { pagingByRecordId } from '../paging';
import { normalizeEmail } from '../write/findByEmail';
import type { ContactToAdd } from './contactToAdd';

/** The number of contacts in a list, and when the list last changed by the service's clock, if the service returns them. */
export interface ListState {
	count?: number;
	updatedAt?: number;
}

export async function readListState(call: ItemCall, { params }: Request): Promise<ListState> {
	const path = '/api/v1/contactlists/{contactListId}';
	const { body } = await call.send({ method: 'GET', path, params, idempotent: true });
	return listStateOf(body) ?? {};
}

/** Reads the number of contacts from a response about a list; undefined if the response has no number of contacts. */
export function listStateOf(body: unknown): ListState | undefined {
	const { ContactCount, LastUpdated } = recordsOf(body, pagingByRecordId('ContactListId'))[0] ?? {};
	const count = ContactCount === undefined || ContactCount === null ? NaN : Number(ContactCount);
	if (!Number.isFinite(count)) return undefined;
	const updatedAt = Date.parse(textOf(LastUpdated));
	return { count, ...(!Number.isNaN(updatedAt) && { updatedAt }) };
}

interface PartitionedContacts {
	/** Added, although the service rejected their batch. */
	added: ContactToAdd[];
	/** Proven not to be in the list, so they may be sent again. */
	notAdded: ContactToAdd[];
	uncertain: ContactToAdd[];
}

const TIME_TOLERANCE_MS = 1000;

const emailOf = ({ contact }: ContactToAdd) => normalizeEmail(contact.Email);

/**
 * Sorts the contacts of a rejected batch, because the service may have added the valid ones.
 * - If the list has the same size and has not changed, none was added. A list that has changed without growing may have
 *   lost other contacts at the same time. Without a time of change, an equal size counts as unchanged.
 * - Otherwise a contact was added if the list has a new contact with the same email. A contact whose email is missing or
 *   occurs twice in `allToAdd` stays uncertain, unless the other contacts account for all of the growth.
 * - If the growth or the new contacts are unknown, or if the list grew by less than the new contacts that were found,
 *   all stay uncertain.
 */
export async function partitionByAdded(
	batch: ContactToAdd[],
	allToAdd: ContactToAdd[],
	listBefore: ListState | undefined,
	listNow: ListState,
	{ call, request }: Pick<ContactToAdd, 'call' | 'request'>,
): Promise<PartitionedContacts> {
	if (listBefore?.count === undefined || listNow.count === undefined) return allUncertain(batch);
	const growth = listNow.count - listBefore.count;
	if (growth === 0 && !hasChanged(listBefore, listNow))
		return { added: [], notAdded: batch, uncertain: [] };
	if (listBefore.updatedAt === undefined) return allUncertain(batch);
	const newEmails = await readEmailsAddedSince(
		listBefore.updatedAt - TIME_TOLERANCE_MS,
		call,
		request,
	);
	if (!newEmails) return allUncertain(batch);
	const emailCounts = new Map<string, number>();
	for (const entry of allToAdd)
		emailCounts.set(emailOf(entry), (emailCounts.get(emailOf(entry)) ?? 0) + 1);
	const hasUniqueEmail = (entry: ContactToAdd) =>
		emailOf(entry) !== '' && emailCounts.get(emailOf(entry)) === 1;
	const added = batch.filter((entry) => hasUniqueEmail(entry) && newEmails.has(emailOf(entry)));
	if (growth > 0 && added.length > growth) return allUncertain(batch);
	const rest = batch.filter((entry) => !added.includes(entry));
	// The contacts found account for all of the growth, so no other was added.
	if (growth > 0 && added.length === growth) return { added, notAdded: rest, uncertain: [] };
	return {
		added,
		notAdded: rest.filter(hasUniqueEmail),
		uncertain: rest.filter((entry) => !hasUniqueEmail(entry)),
	};
}

const hasChanged = (listBefore: ListState, listNow: ListState) =>
	listBefore.updatedAt !== undefined &&
	listNow.updatedAt !== undefined &&
	listBefore.updatedAt !== listNow.updatedAt;

const allUncertain = (batch: ContactToAdd[]): PartitionedContacts => ({
	added: [],
	notAdded: [],
	uncertain: batch,
});

/** Reads the email addresses of contacts added since a time; undefined if the result may be incomplete. */
async function readEmailsAddedSince(
	sinceMs: number,
	call: ItemCall,
	request: Request,
): Promise<Set<string> | undefined> {
	const { path, params } = request;
	const updatedAfter = new Date(sinceMs).toISOString();
	const paging = pagingByRecordId('ContactId');
	const result = { isComplete: true };
	const search: Request = {
		method: 'GET',
		path,
		params,
		query: { updatedAfter },
		idempotent: true,
	};
	const pages = readPages(call.client, search, {
		paging,
		inspect: (response) => {
			result.isComplete &&=
				response.status === 204 || strictRecords(response.body, paging)?.isList === true;
			return response;
		},
		warn: () => {
			result.isComplete = false;
		},
	});
	const emails = new Set<string>();
	for await (const page of pages) {
		for (const { Email, DateAdded, LastUpdated } of page) {
			const addedAt = Date.parse(textOf(DateAdded ?? LastUpdated));
			if (!(addedAt < sinceMs)) emails.add(normalizeEmail(Email));
		}
	}
	return result.isComplete ? emails : undefined;
}
