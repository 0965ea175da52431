import { toPathSegment } from '../../engine/http/path';
import type { ItemCall } from '../../engine/operation';
import { processLock } from '../../engine/run/keyedLock';
import { lists } from '../lists';
import { listLockKey } from '../write/upsert';

const keyOfList = (call: ItemCall, listId: string) =>
	listLockKey(call.client, lists.contacts.path, {
		contactListId: toPathSegment('Contact List', listId),
	});

/**
 * Runs a function that reads a list or writes single contacts in it. Waits while a Sync in this process writes to the list.
 */
export const withSharedListLock = async <T>(
	call: ItemCall,
	listId: string,
	run: () => Promise<T>,
): Promise<T> =>
	await processLock.runShared(
		keyOfList(call, listId),
		run,
		call.context.getExecutionCancelSignal(),
	);

/**
 * Runs a function that rewrites a list. Other writes of this process to the list wait or finish first. Writes of other
 * workers (queue mode) do not wait.
 */
export const withExclusiveListLock = async <T>(
	call: ItemCall,
	listId: string,
	run: () => Promise<T>,
): Promise<T> =>
	await processLock.runExclusive(
		keyOfList(call, listId),
		run,
		call.context.getExecutionCancelSignal(),
	);
