import { toFailure } from '../../engine/http/failures';
import type { ServiceResponse } from '../../engine/http/types';
import { operation } from '../../engine/operation';
import { normalizeId } from '../../engine/values/convert';
import { twofactorId, userIp } from '../fields';
import { errorCode, succeeded } from '../responses';

/** Another path of the same operation: some services have only this one. */
const FALLBACK_PATH = '/protected/json/users/{twofactor_id}/remove';

/** Whether the service does not know the path, as opposed to the user. The service has then carried out nothing. */
const isUnknownPath = (response: ServiceResponse) =>
	(response.status === 404 || response.status === 405) && errorCode(response) !== '60026';

/**
 * Whether the service does not support the fallback path: it does not know the path, or rejects the request without one of its
 * own error codes. The service has then carried out nothing.
 */
const isFallbackUnsupported = (response: ServiceResponse) =>
	isUnknownPath(response) || ([400, 401, 403].includes(response.status) && !errorCode(response));

export const remove = operation({
	name: 'Delete',
	action: 'Delete a user',
	description: 'Delete a user. Takes effect after about a day.',
	request: 'POST /protected/json/users/{twofactor_id}/delete',
	fields: { twofactorId },
	options: { userIp: userIp('body') },
	effect: 'the user was deleted',
	run: async ({ twofactorId: id }, call) => {
		const request = await call.buildRequest();
		const first = await call.send({ ...request, accept: isUnknownPath });
		const response = succeeded(first)
			? first
			: await call.send({ ...request, path: FALLBACK_PATH, accept: isFallbackUnsupported });
		// Reports the first response, because the second may come from a path that does not exist.
		if (!succeeded(response)) throw toFailure(first, call.service);
		return { deleted: true, twofactor_id: normalizeId(id) };
	},
	outputSchema: { deleted: 'boolean', twofactor_id: 'integer' },
});
