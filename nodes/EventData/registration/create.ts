import type { Operation } from '../../engine/operation';
import { attendeeId, eventId, inBody } from '../fields';

/** Registers an attendee for an event. */
export const create: Operation = {
	name: 'Create',
	action: 'Create a registration',
	description: 'Register an attendee for an event',
	request: { method: 'POST', path: '/registrations' },
	fields: [inBody(eventId), inBody(attendeeId)],
};
