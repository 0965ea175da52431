import type { IDataObject } from 'n8n-workflow';

import type { Call, Operation, Output } from '../engine/operation';
import { recordsOf } from '../engine/http/records';
import type { Answer } from '../engine/http/types';
import { customFields } from './form/form';

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
	return fields ? { ...record, CustomFields: Object.fromEntries(fields) as IDataObject } : record;
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
export function written(answer: Answer, id: string, about: IDataObject): IDataObject {
	const record = recordsOf(answer.body, { identify: (given) => given[id] })[0] ?? {};
	return withNamedFields(id in record ? record : { success: true, ...writable(about), ...record });
}

/** A number too long for a number is put out as a text: n8n stores items as JSON, which has no other form for it. */
const writable = (about: object): IDataObject =>
	Object.fromEntries(
		Object.entries(about).map(([name, value]: [string, unknown]) => [
			name,
			(typeof value === 'bigint' ? `${value}` : value) as string,
		]),
	);

/** The output of a write, where these fields of the node say what it is about; the first is the record's ID. */
export const writtenTo =
	(fields: Record<string, string>) =>
	(answer: Answer, call: Call): Output => {
		const about = Object.entries(fields).map(([name, field]) => [name, call.field(field)]);
		return written(answer, Object.keys(fields)[0]!, Object.fromEntries(about) as IDataObject);
	};
