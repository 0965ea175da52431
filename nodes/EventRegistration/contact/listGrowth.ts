import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../engine/errors';
import { readRecords } from '../../engine/http/pages';
import { strictReading } from '../../engine/http/strictReading';
import type { Request } from '../../engine/http/types';
import type { ItemCall } from '../../engine/operation';
import { groupBy } from '../../engine/values/groupBy';
import { customFields, textOf } from '../form/readForm';
import { lists } from '../lists';
import { normalizeEmail } from '../write/findByEmail';
import type { ContactToAdd } from './contactToAdd';
import { isSameVersion } from './listVersion';
import type { ListVersion } from './listVersion';

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
 * - If the list has the same version, none was added. A list that has changed without growing may have lost other contacts
 *   at the same time.
 * - Otherwise a contact was added if the list has a new contact with the same email and the sent values. If it has one with
 *   the email and other values, another execution or person may have added that one, and the contact stays uncertain. So does
 *   a contact whose email is missing or occurs twice in `allToAdd`, unless the other contacts account for all of the growth.
 * - If the growth or the new contacts are unknown, or if the list grew by less than the new contacts that were found,
 *   all stay uncertain.
 */
export async function partitionByAdded(
	batch: ContactToAdd[],
	allToAdd: ContactToAdd[],
	listBefore: ListVersion | undefined,
	listNow: ListVersion,
	{ call, request }: Pick<ContactToAdd, 'call' | 'request'>,
): Promise<PartitionedContacts> {
	if (listBefore?.count === undefined || listNow.count === undefined) return allUncertain(batch);
	if (isSameVersion(listBefore, listNow)) return { added: [], notAdded: batch, uncertain: [] };
	const growth = listNow.count - listBefore.count;
	const updatedAt = Date.parse(listBefore.updated);
	if (Number.isNaN(updatedAt)) return allUncertain(batch);
	const newContacts = await readContactsAddedSince(updatedAt - TIME_TOLERANCE_MS, call, request);
	if (!newContacts) return allUncertain(batch);
	const emailCounts = new Map<string, number>();
	for (const entry of allToAdd)
		emailCounts.set(emailOf(entry), (emailCounts.get(emailOf(entry)) ?? 0) + 1);
	const hasUniqueEmail = (entry: ContactToAdd) =>
		emailOf(entry) !== '' && emailCounts.get(emailOf(entry)) === 1;
	const added = batch.filter(
		(entry) =>
			hasUniqueEmail(entry) &&
			newContacts.get(emailOf(entry))?.some((record) => hasSentValues(record, entry)),
	);
	if (growth > 0 && added.length > growth) return allUncertain(batch);
	const rest = batch.filter((entry) => !added.includes(entry));
	// The contacts found account for all of the growth, so no other was added.
	if (growth > 0 && added.length === growth) return { added, notAdded: rest, uncertain: [] };
	const isAbsent = (entry: ContactToAdd) =>
		hasUniqueEmail(entry) && !newContacts.has(emailOf(entry));
	return {
		added,
		notAdded: rest.filter(isAbsent),
		uncertain: rest.filter((entry) => !isAbsent(entry)),
	};
}

/** Whether a record of the service has all values of a contact that was sent. */
function hasSentValues(record: IDataObject, { contact }: ContactToAdd): boolean {
	const { CustomFields, ...properties } = contact;
	const stored = customFields(record.CustomFields);
	return (
		Object.entries(properties).every(
			([name, value]) => name === 'Email' || isSameText(record[name], value),
		) &&
		[...(customFields(CustomFields) ?? [])].every(([name, value]) =>
			isSameText(stored?.get(name), value),
		)
	);
}

const isSameText = (stored: unknown, sent: unknown) =>
	textOf(stored).trim() === textOf(sent).trim();

const allUncertain = (batch: ContactToAdd[]): PartitionedContacts => ({
	added: [],
	notAdded: [],
	uncertain: batch,
});

/** Reads the contacts added since a time, by email address; undefined if the result may be incomplete. */
async function readContactsAddedSince(
	sinceMs: number,
	call: ItemCall,
	request: Request,
): Promise<Map<string, IDataObject[]> | undefined> {
	const { path, params } = request;
	const updatedAfter = new Date(sinceMs).toISOString();
	const search: Request = {
		method: 'GET',
		path,
		params,
		query: { updatedAfter },
		idempotent: true,
	};
	const incomplete = new ServiceFailure('The new contacts were not read completely');
	const options = { paging: lists.contacts.paging, incomplete: () => incomplete };
	const reading = strictReading(search, options);
	const records = await readRecords(call.client, ...reading).catch((error: unknown) => {
		if (error === incomplete) return undefined;
		throw error;
	});
	if (!records) return undefined;
	const added = records.filter(({ DateAdded, LastUpdated }) => {
		return !(Date.parse(textOf(DateAdded ?? LastUpdated)) < sinceMs);
	});
	return groupBy(added, ({ Email }) => normalizeEmail(Email));
}
