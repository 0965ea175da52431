import { operation } from '../../engine/operation';
import { registrationId } from '../fields';
import { recordWithId } from '../paging';

export const get = operation({
	name: 'Get',
	action: 'Get a registration',
	description: 'Get a registration by ID',
	request: 'GET /registrations/{registrationId}',
	fields: { registrationId },
	idempotent: true,
	...recordWithId,
});
