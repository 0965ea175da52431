import { operation } from '../../engine/operation';
import { eventId, registrationTypeId } from '../fields';

/** Reads one registration type. */
export const get = operation({
	name: 'Get',
	action: 'Get a registration type',
	description: 'Look up one kind of registration of an event',
	request: 'GET /api/v1/events/{eventId}/registrationtypes/{registrationTypeId}',
	fields: { eventId, registrationTypeId },
	repeatable: true,
});
