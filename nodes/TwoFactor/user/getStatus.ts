import { operation } from '../../engine/operation';
import { fieldsFirst } from '../../engine/run/output';
import { normalizeId } from '../../engine/values/convert';
import { twofactorId } from '../fields';
import { findUserId, unwrapObject } from '../responses';

export const getStatus = operation({
	name: 'Get Status',
	action: 'Get the status of a user',
	description: 'Check whether a user confirmed a code and which devices have the app',
	request: 'GET /protected/json/users/{twofactor_id}/status',
	fields: { twofactorId },
	idempotent: true,
	output: ({ body }, { twofactorId: userId }) => {
		const status = unwrapObject(body, 'status');
		return { ...status, twofactor_id: findUserId(status) ?? normalizeId(userId) };
	},
	transformRecord: fieldsFirst('twofactor_id'),
	outputSchema: {
		twofactor_id: 'integer',
		confirmed: 'boolean',
		registered: 'boolean',
		country_code: 'integer',
		phone_number: 'string',
		devices: 'array',
		has_hard_token: 'boolean',
		account_disabled: 'boolean',
	},
});
