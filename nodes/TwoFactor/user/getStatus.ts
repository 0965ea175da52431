import { ServiceFailure } from '../../engine/errors';
import { isSameRecordId } from '../../engine/http/records';
import { operation } from '../../engine/operation';
import { fieldsFirst } from '../../engine/run/output';
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
		const twofactor_id = findUserId(status);
		if (twofactor_id !== undefined && isSameRecordId(twofactor_id, userId))
			return { ...status, twofactor_id };
		const actual = twofactor_id === undefined ? 'a status without a user' : 'another user';
		throw new ServiceFailure(
			`The two-factor service answered with ${actual}, not with the user that was requested`,
			{ advice: "Check 'User ID'. If it is right, check 'Base URL' in the credential." },
		);
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
