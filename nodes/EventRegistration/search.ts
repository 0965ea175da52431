import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../engine/operation';
import { missing } from '../engine/http/path';
import { idNumber } from '../engine/values/convert';
import { choices, moment, registrationTypeId } from './fields';
import { isBlank, textOf } from './form/form';

/** A criterion must say something: one that an expression left blank would find everything. */
export const criterion = (label: string) => (given: unknown) => {
	const text = textOf(given).trim();
	if (text === '') throw missing(label);
	return text;
};

interface Row {
	name?: unknown;
	value?: unknown;
}

/** Search by any field of a form, besides the criteria that every search has. */
const otherFields = (formFieldsMethod: string, owner: string): Field => ({
	displayName: 'Other Form Fields',
	name: 'otherFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add form field',
	default: {},
	description: 'Look for what people filled in elsewhere in the form, for example a company',
	options: [
		{
			displayName: 'Form Field',
			name: 'fields',
			values: [
				{
					displayName: 'Field Name or ID',
					name: 'name',
					type: 'options',
					typeOptions: {
						loadOptionsMethod: formFieldsMethod,
						loadOptionsDependsOn: [`${owner}.value`],
					},
					default: '',
					description:
						'The field of the form. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. Vegetarian',
					description: 'What it must say',
				},
			],
		},
	],
	target: {
		in: 'body',
		spread: true,
		value: (given) => {
			const { fields = [] } = (given ?? {}) as { fields?: Row[] };
			const named = fields.filter(({ name }) => !isBlank(name));
			return Object.fromEntries(
				named.map(({ name, value }) => [textOf(name), criterion(textOf(name))(value)]),
			) satisfies IDataObject;
		},
	},
});

const email: Field = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
	description: 'The email address of the person',
	target: { in: 'body', as: 'Email', value: criterion('Email'), evenBlank: true },
};

const times: Field[] = [
	moment('Changed After', 'changedAfter', 'Only those that were changed after this time', {
		in: 'body',
		as: 'UpdatedAfter',
	}),
	moment('Changed Before', 'changedBefore', 'Only those that were changed before this time', {
		in: 'body',
		as: 'UpdatedBefore',
	}),
];

const registrationType: Field = {
	...registrationTypeId,
	required: undefined,
	target: {
		in: 'body',
		as: 'RegistrationTypeId',
		value: (given) => idNumber('Registration Type')(criterion('Registration Type')(given)),
		evenBlank: true,
	},
};

const criteria = (options: Field[]) =>
	choices('Criteria', 'What to look for. A record must meet all of it.', options);

/** What registrations are searched by. */
export const registrationCriteria: Field[] = [
	criteria([...times, email, registrationType]),
	otherFields('getRegistrationFormFields', 'eventId'),
];

/** What contacts are searched by. */
export const contactCriteria: Field[] = [
	criteria([...times, email]),
	otherFields('getContactFormFields', 'contactListId'),
];
