import { collection, field } from '../../engine/field';
import type { Field } from '../../engine/field';
import { boolean, idNumber } from '../../engine/values/convert';
import { trimmed } from '../../engine/values/texts';
import { registrationTypeId } from '../fields';
import { formInputs } from '../form/inputs';

/** The kind of registration, where the service may choose one by itself. */
export const registrationTypeToSet: Field<'registrationTypeId', number | bigint | undefined> = {
	...registrationTypeId,
	required: undefined,
	description:
		'The kind of registration, such as attendee or speaker. Leave it open and the service decides.',
	read: idNumber('Registration Type'),
	target: { in: 'body', as: 'RegistrationTypeId' },
};

/** The details of a new registration. */
export const details = formInputs({
	displayName: 'Registration Details',
	description: 'Who is registered: the fields of the registration form of the event',
	method: 'getRegistrationForm',
	owner: 'eventId',
});

/** The details of a registration that change. */
export const changes = formInputs({
	displayName: 'Changes',
	description: 'What to change. Everything else stays as it is.',
	method: 'getRegistrationForm',
	owner: 'eventId',
	onlyAdded: true,
});

/** What a registration has besides its form. */
export const additionalFields = collection({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	placeholder: 'Add additional field',
	description: 'More about the registration',
	options: [
		field({
			displayName: 'Registration Manager Email',
			name: 'managerEmail',
			type: 'string',
			default: '',
			placeholder: 'e.g. office@email.com',
			description: 'The address of whoever manages the registration, such as an assistant',
			read: trimmed,
			target: { in: 'body', as: 'RegistrationManagerEmail' },
		}),
		field({
			displayName: 'Send Emails',
			name: 'sendEmails',
			type: 'boolean',
			default: true,
			description: 'Whether the service sends its usual emails to the person',
			read: boolean('Send Emails'),
			target: { in: 'body', as: 'SendEmails' },
		}),
	],
});
