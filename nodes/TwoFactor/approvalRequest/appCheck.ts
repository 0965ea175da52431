import { BadInput, ServiceFailure } from '../../engine/errors';
import { field } from '../../engine/field';
import type { Client } from '../../engine/http/client';
import { toPathSegment } from '../../engine/http/path';
import { isSameRecordId } from '../../engine/http/records';
import type { ItemCall } from '../../engine/operation';
import { SharedReads } from '../../engine/sharedReads';
import { isOn } from '../../engine/values/convert';
import { describeUser } from '../people';
import { findUserId, isFalse, isTrue, unwrapObject } from '../responses';

/** Option: whether to check that the user has the app before the request is sent. On if it is not added. */
export const failWithoutApp = field({
	displayName: 'Fail If the User Has No App',
	name: 'failWithoutApp',
	type: 'boolean',
	default: true,
	description:
		'Whether to check first if the user has the app, as User: Get Status does, and to fail if not. If the service does not say, the user is asked. If off, a request to a user without the app stays pending, without a message, until it expires.',
	read: isOn,
});

/** Throws if the service says that the user has no app, before the only request of an item is sent. */
export async function requireAppBeforeFirstSend(
	{
		failWithoutApp: isWanted = true,
		twofactorId,
	}: { failWithoutApp?: boolean; twofactorId: string },
	call: ItemCall,
): Promise<void> {
	// A retry must not claim that nothing was sent if the first try has sent the request.
	if (isWanted && !call.journal.hasSent) await requireApp(twofactorId, call);
}

/** Which users have no app, as each execution has read it. */
const usersWithoutApp = new SharedReads<boolean>();

/** Throws if the service says that a user has no app. Passes if the service does not say, or does not respond. */
export async function requireApp(user: string, { client }: ItemCall): Promise<void> {
	const read = async () => await isWithoutApp(user, client.withShortLimits());
	if (!(await usersWithoutApp.get(client.connection, user, read))) return;
	throw new BadInput(
		`${describeUser(client.connection, user)} doesn't have the app, so no approval request was sent`,
		"Ask the user to install the app, or send a one-time code instead. To ask anyway, add the option 'Fail If the User Has No App' and turn it off.",
	);
}

async function isWithoutApp(user: string, client: Client): Promise<boolean> {
	const request = {
		method: 'GET' as const,
		path: '/protected/json/users/{twofactor_id}/status',
		params: { twofactor_id: toPathSegment('User ID', user) },
		idempotent: true,
	};
	const read = async () => saysNoApp((await client.send(request)).body, user);
	return await read().catch((error: unknown) => {
		// A service without this operation, or a key without the right to it, must not prevent approvals.
		if (error instanceof ServiceFailure && error.status !== 401) return false;
		throw error;
	});
}

/** Whether the status of this user clearly says that there is no app. */
function saysNoApp(body: unknown, user: string): boolean {
	const status = unwrapObject(body, 'status');
	const statusUser = findUserId(status);
	if (statusUser !== undefined && !isSameRecordId(statusUser, user)) return false;
	const { registered, devices } = status;
	const hasNoDevice = Array.isArray(devices) && devices.length === 0 && !isTrue(registered);
	return isFalse(registered) || hasNoDevice;
}
