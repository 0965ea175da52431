import type { Operation } from '../../engine/operation';
import { trimmed } from '../../engine/values/texts';
import { attendeeId, changes, eventId, optional } from '../fields';
import { mayOverwrite, update as save, verb } from '../update';
import { status } from './status';

/** Changes some fields of an attendee. */
export const update: Operation = {
	name: 'Update',
	action: 'Update an attendee',
	description: `Change some details of an attendee. ${mayOverwrite}`,
	request: { method: 'PUT', path: '/attendees/{attendeeId}' },
	fields: [
		attendeeId,
		changes([
			{
				displayName: 'Company',
				name: 'company',
				type: 'string',
				default: '',
				placeholder: 'e.g. Harbor Analytics',
				description: 'Where the person works',
				target: { in: 'body' },
			},
			{
				displayName: 'Email',
				name: 'email',
				type: 'string',
				default: '',
				placeholder: 'e.g. name@email.com',
				description: 'The address that the person reads',
				target: { in: 'body', value: trimmed },
			},
			optional(eventId, 'body'),
			{
				displayName: 'First Name',
				name: 'firstName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Amira',
				description: 'The given name of the person',
				target: { in: 'body' },
			},
			{
				displayName: 'Last Name',
				name: 'lastName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Okafor',
				description: 'The family name of the person',
				target: { in: 'body' },
			},
			status('body', 'Where the attendee stands'),
		]),
	],
	options: [verb],
	repeatable: true,
	run: save(['eventId', 'firstName', 'lastName', 'email', 'company', 'status']),
};
