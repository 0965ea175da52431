import type { Operation } from '../../engine/operation';
import { eventId } from '../fields';

/** Reads one event. */
export const get: Operation = {
	name: 'Get',
	action: 'Get an event',
	description: 'Look up one event',
	request: { method: 'GET', path: '/events/{eventId}' },
	fields: [eventId],
	repeatable: true,
};
