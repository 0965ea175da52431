import { collection, field } from '../../engine/field';
import type { Field } from '../../engine/field';
import { booleanReader, idNumberReader } from '../../engine/values/convert';
import { readTrimmedText } from '../../engine/values/texts';
import { registrationTypeId } from '../fields';
import { formInputs } from '../form/inputs';
import { NAMED_NUMBER_ID } from '../ids';
import { EMPTY_TYPE_ROWS, typeModes } from '../optionalTypes';

/** The registration type as an optional value to write. */
export const registrationTypeToSet: Field<'registrationTypeId', number | bigint | undefined> = {
	...registrationTypeId,
	required: undefined,
	description: 'For example attendee or speaker',
	modes: typeModes(EMPTY_TYPE_ROWS.toCreate),
	read: idNumberReader('Registration Type', NAMED_NUMBER_ID.advice),
	target: { in: 'body', as: 'RegistrationTypeId' },
};

export const details = formInputs({
	displayName: 'Registration Details',
	description: "Fields of the event's registration form",
	method: 'getRegistrationForm',
	owner: 'eventId',
});

export const updateFields = formInputs({
	displayName: 'Update Fields',
	description: 'Other fields keep their values',
	method: 'getRegistrationForm',
	owner: 'eventId',
	startsEmpty: true,
});

/** Values of a registration that are not in its form. */
export const additionalFields = collection({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	placeholder: 'Add Field',
	options: [
		field({
			displayName: 'Registration Manager Email',
			name: 'managerEmail',
			type: 'string',
			default: '',
			placeholder: 'e.g. office@email.com',
			description: 'Email of the person who manages the registration, such as an assistant',
			read: readTrimmedText,
			target: { in: 'body', as: 'RegistrationManagerEmail' },
		}),
		field({
			displayName: 'Send Emails',
			name: 'sendEmails',
			type: 'boolean',
			default: true,
			description: 'Whether the service emails the person',
			read: booleanReader('Send Emails'),
			target: { in: 'body', as: 'SendEmails' },
		}),
	],
});
