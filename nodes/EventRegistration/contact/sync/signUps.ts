import { normalizeEmail } from '../../write/findByEmail';
import { isSameVersion, readListVersion } from '../listVersion';
import { toListedContact } from './list';
import type { SyncedList } from './list';
import { EMAIL, joinForMessage } from './plan';
import { readContactPages } from './readList';
import type { ListReading } from './readList';
import type { ListedContact, PlannedRow, SyncScope } from './types';

export type PlannedCreation = Extract<PlannedRow, { change: 'created' }>;

/** The service's times may be whole seconds. */
const TIME_TOLERANCE_MS = 1000;

/**
 * Returns the contacts that must not be added, because another contact has their key or address by now, each with the
 * reason. The service would otherwise add people a second time who signed up after the list was read. Sends one request if
 * the list has not changed.
 */
export async function findSignedUp(
	list: SyncedList,
	scope: SyncScope,
	{ version, readAtMs, isServiceTime }: ListReading,
	creations: readonly PlannedCreation[],
): Promise<Map<PlannedCreation, string>> {
	const reasons = new Map<PlannedCreation, string>();
	if (isSameVersion(version, await readListVersion(list.call, list))) return reasons;
	const pages = readContactPages(list, {
		consequence: 'no contact was added',
		// The clocks of n8n and of the service may differ. If the service gives no time, all contacts are read.
		...(isServiceTime && {
			query: { updatedAfter: new Date(readAtMs - TIME_TOLERANCE_MS).toISOString() },
		}),
	});
	const keys = new Set(creations.map(({ row }) => row.key));
	const emails = new Set(creations.map(emailOf));
	emails.delete('');
	const candidates: ListedContact[] = [];
	for await (const page of pages) {
		for (const record of page) {
			const contact = toListedContact(record, scope);
			if (keys.has(contact.key) || emails.has(contact.email)) candidates.push(contact);
		}
	}
	if (candidates.length === 0) return reasons;
	for (const creation of creations) {
		const email = emailOf(creation);
		const ids = candidates
			.filter(
				(candidate) =>
					candidate.key === creation.row.key || (email !== '' && candidate.email === email),
			)
			.map(({ id }) => id);
		if (ids.length === 0) continue;
		reasons.set(
			creation,
			`A contact with this key or email address was added or changed after the list was read: ${joinForMessage(ids)}`,
		);
	}
	return reasons;
}

/** Returns the address of a new contact in the form in which it is compared; blank if no row maps Email. */
const emailOf = ({ changes }: PlannedCreation) =>
	normalizeEmail(changes.find(({ field }) => field === EMAIL)?.to);
