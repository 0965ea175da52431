import type { Operation } from '../../engine/operation';
import { attendeeId, changes, eventId, optional, registrationId } from '../fields';
import { mayOverwrite, update as save, verb } from '../update';
import { status } from './status';

/** Changes some fields of a registration. */
export const update: Operation = {
	name: 'Update',
	action: 'Update a registration',
	description: `Change a registration, for example its status. ${mayOverwrite}`,
	request: { method: 'PUT', path: '/registrations/{registrationId}' },
	fields: [
		registrationId,
		changes([
			optional(attendeeId, 'body'),
			optional(eventId, 'body'),
			status('body', 'Where the registration stands'),
		]),
	],
	options: [verb],
	repeatable: true,
	run: save(['status', 'eventId', 'attendeeId']),
};
