import type { Operation } from '../../engine/operation';
import { attendeeId } from '../fields';

/** Reads one attendee. */
export const get: Operation = {
	name: 'Get',
	action: 'Get an attendee',
	description: 'Look up one attendee',
	request: { method: 'GET', path: '/attendees/{attendeeId}' },
	fields: [attendeeId],
	repeatable: true,
};
