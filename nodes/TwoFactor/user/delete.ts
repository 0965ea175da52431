import { failureOf } from '../../engine/http/failures';
import type { Answer } from '../../engine/http/types';
import { operation } from '../../engine/operation';
import { asId } from '../../engine/values/convert';
import { errorCode, succeeded } from '../answers';
import { twofactorId, userIp } from '../fields';

/** The same under another name: some services know only this one. */
const OTHER_PATH = '/protected/json/users/{twofactor_id}/remove';

/** Whether the service does not know the path, as opposed to the user. Then nothing was done. */
const isUnknownPath = (answer: Answer) =>
	(answer.status === 404 || answer.status === 405) && errorCode(answer) !== '60026';

/** Whether the other path has nothing to say about the user either: no code of the service, and nothing was done. */
const isUnrelatedToUser = (answer: Answer) =>
	isUnknownPath(answer) || ([400, 401, 403].includes(answer.status) && !errorCode(answer));

/** Removes a user from the application. */
export const remove = operation({
	name: 'Delete',
	action: 'Delete a user',
	description: 'Delete a user. Takes effect after about a day.',
	request: 'POST /protected/json/users/{twofactor_id}/delete',
	fields: { twofactorId },
	options: { userIp: userIp('body') },
	once: 'the user was deleted',
	run: async ({ twofactorId: id }, call) => {
		const request = await call.request();
		const first = await call.send({ ...request, accept: isUnknownPath });
		const answer = succeeded(first)
			? first
			: await call.send({ ...request, path: OTHER_PATH, accept: isUnrelatedToUser });
		// What the first path said is about the user; what a path says that does not exist is not.
		if (!succeeded(answer)) throw failureOf(first, call.service);
		return { deleted: true, twofactor_id: asId(id) };
	},
	yields: { deleted: 'boolean', twofactor_id: 'integer' },
});
