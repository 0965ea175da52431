import { toPathSegment } from '../../engine/http/path';
import type { Call } from '../../engine/operation';
import { processLock } from '../../engine/run/keyedLock';
import { listLockKey } from '../upsert';

export const CONTACTS_PATH = '/api/v1/contactlists/{contactListId}/contacts';

const keyOfList = (call: Call, listId: string) =>
	listLockKey(call.client, CONTACTS_PATH, {
		contactListId: toPathSegment('Contact List', listId),
	});

/** Reads or writes single contacts of a list. Waits while a Sync in this process writes to the list. */
export const besideOtherWrites = async <T>(
	call: Call,
	listId: string,
	run: () => Promise<T>,
): Promise<T> =>
	await processLock.runShared(
		keyOfList(call, listId),
		run,
		call.context.getExecutionCancelSignal(),
	);

/** Writes to a list alone: other writes of this process wait, or come first. Other workers of n8n (queue mode) do not. */
export const withoutOtherWrites = async <T>(
	call: Call,
	listId: string,
	run: () => Promise<T>,
): Promise<T> =>
	await processLock.runExclusive(
		keyOfList(call, listId),
		run,
		call.context.getExecutionCancelSignal(),
	);
