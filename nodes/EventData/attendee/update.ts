import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { trimmed } from '../../engine/values/texts';
import { asChange, attendeeId, changes, eventId } from '../fields';
import { mayOverwrite, update as save, verb } from '../update';
import { status } from './status';

const company = field({
	displayName: 'Company',
	name: 'company',
	type: 'string',
	default: '',
	placeholder: 'e.g. Harbor Analytics',
	description: 'Where the person works',
	target: { in: 'body' },
});
const email = field({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
	description: 'The address that the person reads',
	read: trimmed,
	target: { in: 'body' },
});
const firstName = field({
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Amira',
	description: 'The given name of the person',
	target: { in: 'body' },
});
const lastName = field({
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Okafor',
	description: 'The family name of the person',
	target: { in: 'body' },
});

/** Changes some fields of an attendee. */
export const update = operation({
	name: 'Update',
	action: 'Update an attendee',
	description: `Change some details of an attendee. ${mayOverwrite}`,
	request: 'PUT /attendees/{attendeeId}',
	fields: {
		attendeeId,
		changes: changes([
			company,
			email,
			asChange(eventId),
			firstName,
			lastName,
			status('body', 'Where the attendee stands'),
		]),
	},
	options: { verb },
	repeatable: true,
	run: save(attendeeId, ['eventId', 'firstName', 'lastName', 'email', 'company', 'status']),
});
