import type { IDataObject } from 'n8n-workflow';

import { collection, field } from '../engine/field';
import type { Field } from '../engine/field';
import { missingValueError } from '../engine/http/path';
import { idNumberReader } from '../engine/values/convert';
import { isBlank } from '../engine/values/texts';
import { dateTimeField, registrationTypeId } from './fields';
import { rowsOf } from './fixedCollection';
import { textOf } from './form/readForm';
import { NAMED_NUMBER_ID } from './ids';

/**
 * Creates the reader of a criterion. The reader rejects a blank value, such as one from an expression, because it would
 * match every record.
 */
export const criterionReader = (label: string) => (raw: unknown) => {
	const text = textOf(raw).trim();
	if (text === '') throw missingValueError(label);
	return text;
};

export const criteria = <Fields extends Field[]>(options: [...Fields]) =>
	collection({
		displayName: 'Filters',
		name: 'criteria',
		placeholder: 'Add Filter',
		description: 'Only records that match all filters are returned',
		options,
	});

/** Creates the criteria for fields of a form, besides those that every search has. */
const otherFields = (formFieldsMethod: string, owner: string) =>
	field({
		displayName: 'Other Form Fields',
		name: 'otherFields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add form field',
		default: {},
		description: 'Filter by any other form field, e.g. company',
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
							'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. Vegetarian',
						description: 'Value to match',
					},
				],
			},
		],
		read: (raw): IDataObject =>
			Object.fromEntries(
				rowsOf(raw, 'fields')
					.filter(({ name }) => !isBlank(name))
					.map(({ name, value }) => [textOf(name), criterionReader(textOf(name))(value)]),
			),
		target: { in: 'body', spread: true },
	});

const email = field({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
	read: criterionReader('Email'),
	readWhenBlank: true,
	target: { in: 'body', as: 'Email' },
});

const changedAfter = dateTimeField(
	'Changed After',
	'changedAfter',
	'Only records changed after this time',
	{ in: 'body', as: 'UpdatedAfter' },
);

const changedBefore = dateTimeField(
	'Changed Before',
	'changedBefore',
	'Only records changed before this time',
	{ in: 'body', as: 'UpdatedBefore' },
);

const toTypeId = idNumberReader('Registration Type', NAMED_NUMBER_ID.advice);

export const registrationTypeCriterion: Field<'registrationTypeId', number | bigint> = {
	...registrationTypeId,
	required: undefined,
	read: (raw) => toTypeId(criterionReader('Registration Type')(raw)),
	readWhenBlank: true,
	target: { in: 'body', as: 'RegistrationTypeId' },
};

export const registrationCriteria = {
	criteria: criteria([changedAfter, changedBefore, email, registrationTypeCriterion]),
	otherFields: otherFields('getRegistrationFormFields', 'eventId'),
};

export const contactCriteria = {
	criteria: criteria([changedAfter, changedBefore, email]),
	otherFields: otherFields('getContactFormFields', 'contactListId'),
};
