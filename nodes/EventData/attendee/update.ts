import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { readTrimmedText } from '../../engine/values/texts';
import { asReferenceChange, attendeeId, changes, eventId } from '../fields';
import { mergeUpdate, updateMethod } from '../mergeUpdate';
import { recordWithId } from '../paging';
import { orderFields } from './fieldOrder';
import { status } from './status';

const company = field({
	displayName: 'Company',
	name: 'company',
	type: 'string',
	default: '',
	placeholder: 'e.g. Harbor Analytics',
	target: { in: 'body' },
});
const email = field({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
	read: readTrimmedText,
	target: { in: 'body' },
});
const firstName = field({
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Amira',
	target: { in: 'body' },
});
const lastName = field({
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Okafor',
	target: { in: 'body' },
});

export const update = operation({
	name: 'Update',
	action: 'Update an attendee',
	description: 'Update an attendee',
	request: 'PUT /attendees/{attendeeId}',
	fields: {
		attendeeId,
		changes: changes([
			company,
			email,
			asReferenceChange(eventId),
			firstName,
			lastName,
			status('body'),
		]),
	},
	options: { verb: updateMethod },
	idempotent: true,
	...mergeUpdate(attendeeId, {
		required: ['eventId', 'firstName', 'lastName', 'email'],
		optional: ['company', 'status'],
	}),
	...recordWithId,
	transformRecord: orderFields,
});
