import { isGone } from '../../../engine/http/statuses';
import type { Request } from '../../../engine/http/types';
import { runEach } from '../../../engine/run/each';
import { lists } from '../../lists';
import { contactIn, contactParams, toListedContact } from './list';
import type { SyncedList } from './list';
import type { ListedContact, SyncScope, UnmatchedContact } from './types';
import type { WriteResults } from './writeResults';

export type PlannedRemoval = Extract<UnmatchedContact, { change: 'removed' }>;

type RemovalRequest = Omit<Request, 'method'>;

/**
 * Removes contacts. Reads each contact first: a contact stays if it has changed since the list was read, or since the
 * preview.
 */
export async function writeRemovals(
	list: SyncedList,
	scope: SyncScope,
	removals: readonly PlannedRemoval[],
	writeResults: WriteResults,
	{ concurrency, previewAsOf = Infinity }: { concurrency: number; previewAsOf?: number },
): Promise<void> {
	const { client } = list.call;
	/** Reads the contact again. Returns true if it may be removed; otherwise records the result. */
	const recheck = async (removal: PlannedRemoval, request: RemovalRequest) => {
		const response = await client.send({ ...request, method: 'GET' });
		if (isGone(response)) {
			writeResults.succeed(removal);
			return false;
		}
		const { contact } = removal;
		const current = toListedContact(contactIn(response.body, contact), scope);
		const reason = hasChanged(contact, current)
			? 'It has changed since the list was read'
			: (current.updatedAt ?? -Infinity) >= previewAsOf && 'It may have changed since the preview';
		if (reason) writeResults.skip(removal, reason);
		return !reason;
	};
	const remove = async (removal: PlannedRemoval) => {
		const request: RemovalRequest = {
			path: lists.contacts.recordPath,
			params: contactParams(list, removal.contact),
			idempotent: true,
			accept: isGone,
			identify: lists.contacts.paging.identify,
		};
		try {
			if (!(await recheck(removal, request))) return;
		} catch (error) {
			return writeResults.recordDefiniteFailure(removal, error);
		}
		try {
			await client.send({ ...request, method: 'DELETE' });
			writeResults.succeed(removal);
		} catch (error) {
			writeResults.recordFailureOfSentWrite(removal, error);
		}
	};
	await runEach(
		removals,
		async (removal) => {
			if (!writeResults.isStopped) await remove(removal);
			return [];
		},
		{ concurrency },
	);
}

const hasChanged = (before: ListedContact, current: ListedContact): boolean =>
	before.updatedAt !== current.updatedAt ||
	before.key !== current.key ||
	before.values.some((value, at) => value !== current.values[at]);
