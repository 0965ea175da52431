import { operation } from '../../engine/operation';
import { eventId, registrationId } from '../fields';
import { registrationShape } from '../records';

export const get = operation({
	name: 'Get',
	action: 'Get a registration',
	description: 'Get a registration of an event',
	request: 'GET /api/v1/events/{eventId}/registrations/{registrationId}',
	fields: { eventId, registrationId },
	idempotent: true,
	...registrationShape,
});
