import type { Operation } from '../../engine/operation';
import { eventId } from '../fields';

/** Reads one event. */
export const get: Operation = {
	name: 'Get',
	action: 'Get an event',
	description: 'Look up one event: its dates, and how many are registered',
	request: { method: 'GET', path: '/api/v1/events/{eventId}' },
	fields: [eventId],
	repeatable: true,
};
