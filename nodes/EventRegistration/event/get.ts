import { operation } from '../../engine/operation';
import { eventId } from '../fields';

/** Reads one event. */
export const get = operation({
	name: 'Get',
	action: 'Get an event',
	description: 'Look up one event: its dates, and how many are registered',
	request: 'GET /api/v1/events/{eventId}',
	fields: { eventId },
	repeatable: true,
});
