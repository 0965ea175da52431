import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../../../engine/errors';
import { reportedTotal } from '../../../engine/http/furtherPages';
import { readPages } from '../../../engine/http/pages';
import { strictReading } from '../../../engine/http/strictReading';
import type { Request, ServiceResponse } from '../../../engine/http/types';
import { sha256 } from '../../../engine/values/sha256';
import { lists } from '../../lists';
import { isSameVersion, readListVersion } from '../listVersion';
import type { ListVersion } from '../listVersion';
import { fieldReader, toListedContact } from './list';
import type { SyncedList } from './list';
import type { ListedContact, SyncScope } from './types';

const MAX_ATTEMPTS = 3;

/** The service's time before the first contact was read, the number of contacts, and the version of the list afterwards. */
export interface ListReading {
	readAtMs: number;
	size: number;
	/** Whether `readAtMs` is the service's time. It is n8n's time if the service gives none. */
	isServiceTime: boolean;
	version: ListVersion;
}

/**
 * Reads all contacts of a list, or throws: a contact that was missed would be added twice, or taken for missing. A deletion
 * between two pages shifts the later contacts. A reading therefore counts only if the list has not changed meanwhile, and
 * has as many contacts as the service reports. If the service reports no number or a smaller one, two equal readings in a
 * row count. `keepPart` returns the part of a contact that is kept until all contacts are read.
 */
export async function readWholeList(
	list: SyncedList,
	scope: SyncScope,
	keepPart: (contact: ListedContact) => ListedContact,
): Promise<{ contacts: ListedContact[]; reading: ListReading }> {
	let before = await readListVersion(list.call, list);
	const readAtMs = before.serviceTime ?? Date.now();
	const isServiceTime = before.serviceTime !== undefined;
	let previousDigest: string | undefined;
	for (let attempt = 1; ; attempt++) {
		const { contacts, total } = await readContacts(list, scope, keepPart);
		const after = await readListVersion(list.call, list);
		const reportedCount = Math.max(total, after.count ?? 0);
		const hasAll = reportedCount <= contacts.length;
		const { length: size } = contacts;
		const result = { contacts, reading: { readAtMs, size, isServiceTime, version: after } };
		if (hasAll && isSameVersion(before, after) && after.count === size) return result;
		const digest = contactsDigest(contacts);
		if (hasAll && digest === previousDigest) return result;
		if (attempt === MAX_ATTEMPTS) {
			throw hasAll
				? changingList()
				: fewerThanReportedFailure(list, reportedCount, contacts.length);
		}
		[before, previousDigest] = [after, digest];
	}
}

/** Returns a digest that is equal for readings with the same contacts in the same versions. */
function contactsDigest(contacts: readonly ListedContact[]): string {
	const lines = contacts.map(({ id, updatedAt }) => `${id} ${updatedAt}`).sort();
	return sha256(lines.join('\n'));
}

/** Returns the contacts on all pages, and their total according to the last page; 0 if that page gives no total. */
async function readContacts(
	list: SyncedList,
	scope: SyncScope,
	keepPart: (contact: ListedContact) => ListedContact,
): Promise<{ contacts: ListedContact[]; total: number }> {
	const contacts: ListedContact[] = [];
	let hasKeyField = false;
	let total = 0;
	const pages = readContactPages(list, {
		consequence: 'nothing was written',
		inspect: (response) => {
			total = reportedTotal(response.body);
			return response;
		},
	});
	for await (const page of pages) {
		for (const record of page) {
			hasKeyField ||= fieldReader(record)(scope.matchBy) !== undefined;
			contacts.push(keepPart(toListedContact(record, scope)));
		}
	}
	if (contacts.length > 0 && !hasKeyField) throw missingKeyField(contacts.length, scope);
	return { contacts, total };
}

interface PageOptions {
	query?: Request['query'];
	/** The consequence that the error states if a page is not a list or pages may be missing. */
	consequence: string;
	inspect?: (response: ServiceResponse) => ServiceResponse;
}

/** Yields the records on all pages. Throws if some may be missing. */
export function readContactPages(
	list: SyncedList,
	{ query, consequence, inspect }: PageOptions,
): AsyncGenerator<IDataObject[]> {
	const { call, params } = list;
	const incomplete = (reason = "Its answer isn't a list of contacts") =>
		new ServiceFailure(
			`The ${call.service.name} did not return the whole contact list, so ${consequence}`,
			{
				advice: `${reason}. Try again later; if this keeps happening, try Get Many with this list.`,
			},
		);
	const { path, paging } = lists.contacts;
	const request = { method: 'GET', path, params, query, idempotent: true } as const;
	const options = { paging, inspect, incomplete, ignoresTotal: true };
	return readPages(call.client, ...strictReading(request, options));
}

const fewerThanReportedFailure = (
	{ call: { service } }: SyncedList,
	reported: number,
	read: number,
) =>
	new ServiceFailure(
		`The ${service.name} reports ${reported} contacts, but returned ${read}, so nothing was written`,
		{ advice: 'Try again later; if this keeps happening, try Get Many with this list.' },
	);

const changingList = () =>
	new ServiceFailure('The contact list kept changing while it was read, so nothing was written', {
		advice: `It was read ${MAX_ATTEMPTS} times. Try again when fewer contacts are added.`,
	});

const missingKeyField = (count: number, { matchBy }: SyncScope) =>
	new ServiceFailure(
		`None of the ${count} contacts in the list has the field '${matchBy}', so nothing was written`,
		{ advice: "Choose another field in 'Match By': every row would be added as a new contact." },
	);
