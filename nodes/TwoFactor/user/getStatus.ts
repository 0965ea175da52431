import { operation } from '../../engine/operation';
import { unwrapped, userId } from '../answers';
import { twofactorId } from '../fields';

/** Reads what the service knows of a user. */
export const getStatus = operation({
	name: 'Get Status',
	action: 'Get the status of a user',
	description:
		'Look up whether a user has ever confirmed a code and has the app, and on which devices',
	request: 'GET /protected/json/users/{twofactor_id}/status',
	fields: { twofactorId },
	repeatable: true,
	output: ({ body }, { twofactorId: asked }) => {
		const status = unwrapped(body, 'status');
		return { ...status, twofactor_id: userId(status) ?? asked };
	},
	yields: {
		twofactor_id: 'integer',
		confirmed: 'boolean',
		registered: 'boolean',
		country_code: 'integer',
		phone_number: 'string',
		devices: 'array',
	},
});
