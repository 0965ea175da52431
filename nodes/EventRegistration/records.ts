import type { IDataObject } from 'n8n-workflow';

import { recordsOf } from '../engine/http/records';
import type { Answer } from '../engine/http/types';
import type { Operation } from '../engine/operation';
import { customFields } from './form/form';
import type { Body } from './form/form';

type Shape = Required<Pick<Operation, 'simplify' | 'yields'>> & Pick<Operation, 'tidy'>;

/** What Simplify leaves of a kind of record, and the types of it for n8n's preview; custom fields always come by name. */
function shape(yields: Shape['yields']): Shape {
	const simplify = Object.keys(yields);
	return simplify.includes('CustomFields')
		? { simplify, yields, tidy: withNamedFields }
		: { simplify, yields };
}

/** Custom fields as an object, however the service sends them, so that an expression or a column can name one of them. */
export function withNamedFields(record: IDataObject): IDataObject {
	const fields = customFields(record.CustomFields);
	return fields ? { ...record, CustomFields: Object.fromEntries(fields) } : record;
}

const person = { FirstName: 'string', LastName: 'string', Email: 'string' } as const;

export const registrationShape = shape({
	RegistrationId: 'integer',
	...person,
	MobilePhone: 'string',
	RegistrationTypeId: 'integer',
	RegistrationStatus: 'string',
	ConfirmationCode: 'string',
	LastUpdated: 'string',
	CustomFields: 'object',
});

export const contactShape = shape({
	ContactId: 'integer',
	...person,
	Phone: 'string',
	Organization: 'string',
	Title: 'string',
	LastUpdated: 'string',
	CustomFields: 'object',
});

export const eventAttendanceShape = shape({
	CheckInLogId: 'integer',
	...person,
	RegistrationType: 'string',
	CheckInDateTime: 'string',
	CheckOutDateTime: 'string',
	ConfirmationCode: 'string',
	CustomFields: 'object',
});

export const sessionAttendanceShape = shape({
	SessionTitle: 'string',
	...eventAttendanceShape.yields,
});

export const optionShape = shape({
	RegistrationOptionId: 'integer',
	RegistrationOptionName: 'string',
	RegistrationOptionGroupId: 'integer',
	Description: 'string',
	Price: 'number',
	MinQuantityPerAttendee: 'integer',
	MaxQuantityPerAttendee: 'integer',
	TotalAvailableQuantity: 'integer',
	RequireAdditionalInfo: 'boolean',
});

export const orderItemShape = shape({
	OrderItemId: 'integer',
	OrderId: 'integer',
	RegistrationOptionId: 'integer',
	RegistrationOptionName: 'string',
	RegistrationOptionGroupName: 'string',
	Quantity: 'integer',
	Price: 'number',
	Total: 'number',
	AdditionalInfo: 'string',
});

/**
 * What a write puts out: the record that the service answers with. Only that it answers with an object is known, so where
 * that lacks the record's ID, the output says that it is done, and to what.
 */
export function written(answer: Answer, id: string, about: Body): IDataObject {
	const record = recordsOf(answer.body, { identify: (given) => given[id] })[0] ?? {};
	return id in record ? withNamedFields(record) : done(about, record);
}

/** Says that a write is done, and to what. */
export const done = (about: Body, record: IDataObject = {}): IDataObject =>
	withNamedFields({ success: true, ...writable(about), ...record });

/** A number too long for a number is put out as a text: n8n stores items as JSON, which has no other form for it. */
const writable = (about: Body): IDataObject =>
	Object.fromEntries(
		Object.entries(about).map(([name, value]) => [
			name,
			// Anything else was sent as JSON a moment ago, so an item can hold it.
			typeof value === 'bigint' ? `${value}` : (value as IDataObject[string]),
		]),
	);
