import type { Field } from '../../engine/operation';
import { trimmed } from '../../engine/values/texts';
import { boolean, idNumber } from '../../engine/values/convert';
import { choices, registrationTypeId } from '../fields';
import { formInputs } from '../form/inputs';

/** The kind of registration, where the service may choose one by itself. */
export const registrationTypeToSet: Field = {
	...registrationTypeId,
	required: undefined,
	description:
		'The kind of registration, such as attendee or speaker. Leave it open and the service decides.',
	target: { in: 'body', as: 'RegistrationTypeId', value: idNumber('Registration Type') },
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
export const additional: Field = choices('Additional Fields', 'More about the registration', [
	{
		displayName: 'Registration Manager Email',
		name: 'managerEmail',
		type: 'string',
		default: '',
		placeholder: 'e.g. office@email.com',
		description: 'The address of whoever manages the registration, such as an assistant',
		target: { in: 'body', as: 'RegistrationManagerEmail', value: trimmed },
	},
	{
		displayName: 'Send Emails',
		name: 'sendEmails',
		type: 'boolean',
		default: true,
		description: 'Whether the service sends its usual emails to the person',
		target: { in: 'body', as: 'SendEmails', value: boolean('Send Emails') },
	},
]);
