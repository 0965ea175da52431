import { operation } from '../../engine/operation';
import { eventId, registrationTypeId } from '../fields';
import { registrationTypeShape } from '../records';

export const get = operation({
	name: 'Get',
	action: 'Get a registration type',
	description: 'Get a registration type of an event',
	request: 'GET /api/v1/events/{eventId}/registrationtypes/{registrationTypeId}',
	fields: { eventId, registrationTypeId },
	idempotent: true,
	...registrationTypeShape,
});
