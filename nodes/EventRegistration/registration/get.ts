import type { Operation } from '../../engine/operation';
import { eventId, registrationId } from '../fields';
import { registrationShape } from '../records';

/** Reads one registration. */
export const get: Operation = {
	name: 'Get',
	action: 'Get a registration',
	description: 'Look up one registration of an event',
	request: { method: 'GET', path: '/api/v1/events/{eventId}/registrations/{registrationId}' },
	fields: [eventId, registrationId],
	repeatable: true,
	...registrationShape,
};
