import { operation } from '../../engine/operation';
import { userIp } from '../fields';
import { unwrapObject } from '../responses';

/** Returns the application that the API key belongs to. */
export const getDetails = operation({
	name: 'Get Details',
	action: 'Get application details',
	description: 'Get the application of the API key, and what it may do',
	request: 'GET /protected/json/app/details',
	fields: {},
	options: { userIp: userIp('query') },
	idempotent: true,
	output: ({ body }) => unwrapObject(body, 'app'),
	outputSchema: {
		app_id: 'integer',
		name: 'string',
		plan: 'string',
		sms_enabled: 'boolean',
		phone_calls_enabled: 'boolean',
		onetouch_enabled: 'boolean',
	},
});
