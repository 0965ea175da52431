import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { toPathSegment } from '../../engine/http/path';
import type { ItemCall } from '../../engine/operation';
import { isOn } from '../../engine/values/convert';
import { isFalse, isTrue, unwrapObject } from '../responses';

/** Option: whether to check that the user has the app before the request is sent. */
export const failWithoutApp = field({
	displayName: 'Fail If the User Has No App',
	name: 'failWithoutApp',
	type: 'boolean',
	default: false,
	description:
		'Whether to check first if the user has the app, as User: Get Status does, and to fail if not. If off, a request to a user without the app stays pending, without a message, until it expires.',
	read: isOn,
});

/** Throws if the option is on and the service says that the user has no app, before the only request of an item is sent. */
export async function requireAppBeforeFirstSend(
	{ failWithoutApp: isWanted, twofactorId }: { failWithoutApp?: boolean; twofactorId: string },
	call: ItemCall,
): Promise<void> {
	// A retry must not claim that nothing was sent if the first try has sent the request.
	if (isWanted && !call.journal.hasSent) await requireApp(twofactorId, call);
}

/** Throws if the service says that a user has no app. Passes if the response does not say. */
export async function requireApp(user: string, call: ItemCall): Promise<void> {
	const { body } = await call.send({
		method: 'GET',
		path: '/protected/json/users/{twofactor_id}/status',
		params: { twofactor_id: toPathSegment('User ID', user) },
		idempotent: true,
	});
	const { registered, devices } = unwrapObject(body, 'status');
	const hasNoDevice = Array.isArray(devices) && devices.length === 0 && !isTrue(registered);
	if (!isFalse(registered) && !hasNoDevice) return;
	throw new BadInput(
		`User ${user} doesn't have the app, so no approval request was sent`,
		"Ask the user to install the app, or send a one-time code instead. The item fails because 'Fail If the User Has No App' is on.",
	);
}
