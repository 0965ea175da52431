import type { IDataObject } from 'n8n-workflow';

import { isId, recordsOf } from '../engine/http/records';
import type { ServiceResponse } from '../engine/http/types';
import type { Operation } from '../engine/operation';
import { fieldsFirst } from '../engine/run/output';
import { normalizeId } from '../engine/values/convert';
import type { Body } from './form/mappedValues';
import { customFields } from './form/readForm';
import { idIn } from './paging';
import { lookUpTypeNames } from './typeNames';

type OutputSchema = NonNullable<Operation['outputSchema']>;
type RecordShape = Required<Pick<Operation, 'simplify' | 'transformRecord' | 'identify'>> &
	Pick<Operation, 'lookUp'> & { outputSchema: OutputSchema };

/**
 * Describes the output of a kind of record: the fields that Simplify keeps, with their types for n8n's preview. The first
 * field is the ID, which is filled from `Id` if a provider uses that name. Custom fields become an object by name, even
 * without Simplify.
 */
function simplifiedShape(outputSchema: OutputSchema): RecordShape {
	const names = Object.keys(outputSchema);
	const [id = ''] = names;
	const transformRecord = (record: IDataObject): IDataObject => {
		const foundId = id in record ? undefined : idIn(record);
		const withId = foundId === undefined ? record : { [id]: normalizeId(foundId), ...record };
		return withNamedFields(withId);
	};
	const identify = (record: IDataObject) => idIn(record, id);
	return { simplify: names, outputSchema, transformRecord, identify };
}

/**
 * Describes the output of records that are too short for Simplify. The ID comes first, under the service's name for it. `Id`
 * is removed if it repeats the ID; a name in `otherIds` stays.
 */
const fullShape = (outputSchema: OutputSchema, ...otherIds: string[]) => {
	const names = Object.keys(outputSchema);
	const [id = ''] = names;
	const identify = (record: IDataObject) => idIn(record, id, ...otherIds);
	return {
		outputSchema,
		identify,
		transformRecord: (record: IDataObject): IDataObject => {
			const foundId = identify(record);
			if (foundId === undefined) return record;
			const { Id, ...own } = record;
			const isRepeated = isId(Id) && normalizeId(Id) === normalizeId(foundId);
			return {
				...fieldsFirst(...names)({ ...own, [id]: normalizeId(foundId) }),
				...(Id !== undefined && !isRepeated && { Id }),
			};
		},
	};
};

/**
 * Turns custom fields, in any form that the service sends, into an object, so that expressions and columns can name one
 * field.
 */
export function withNamedFields(record: IDataObject): IDataObject {
	const fields = customFields(record.CustomFields);
	return fields ? { ...record, CustomFields: Object.fromEntries(fields) } : record;
}

const person = { FirstName: 'string', LastName: 'string', Email: 'string' } as const;

export const registrationShape: RecordShape = {
	...simplifiedShape({
		RegistrationId: 'integer',
		...person,
		MobilePhone: 'string',
		RegistrationTypeId: 'integer',
		RegistrationType: 'string',
		RegistrationStatus: 'string',
		RegistrationDate: 'string',
		ConfirmationCode: 'string',
		LastUpdated: 'string',
		CustomFields: 'object',
	}),
	lookUp: lookUpTypeNames,
};

export const contactShape = simplifiedShape({
	ContactId: 'integer',
	...person,
	Phone: 'string',
	Organization: 'string',
	Title: 'string',
	LastUpdated: 'string',
	CustomFields: 'object',
});

/** Describes the output of Create or Update: `created` and the record. */
export const upsertShape = ({ outputSchema, ...own }: RecordShape): RecordShape => ({
	...own,
	simplify: ['created', ...own.simplify],
	outputSchema: { created: 'boolean', ...outputSchema },
});

export const contactListShape = fullShape({
	ContactListId: 'integer',
	Name: 'string',
	ContactCount: 'integer',
	LastUpdated: 'string',
});

export const eventShape = fullShape({
	EventId: 'integer',
	Name: 'string',
	StartDate: 'string',
	EndDate: 'string',
	TimeZoneOffset: 'string',
	RegistrationCount: 'integer',
	LastUpdated: 'string',
});

export const registrationTypeShape = fullShape(
	{
		RegistrationTypeId: 'integer',
		Name: 'string',
		EventId: 'integer',
		Description: 'string',
		LastUpdated: 'string',
	},
	'RegistrationOptionGroupId',
);

export const optionGroupShape = fullShape({
	RegistrationOptionGroupId: 'integer',
	RegistrationOptionGroupName: 'string',
	EventId: 'integer',
	Description: 'string',
	IsOptional: 'boolean',
	AllowMultipleItemsPerAttendee: 'boolean',
	LastUpdated: 'string',
});

export const sessionShape = fullShape({
	SessionId: 'integer',
	Title: 'string',
	StartDateTime: 'string',
	EndDateTime: 'string',
});

export const orderShape = fullShape({
	OrderId: 'integer',
	EventId: 'integer',
	RegistrationId: 'integer',
	OrderDate: 'string',
	OrderTotal: 'number',
	OrderFee: 'number',
	Tax: 'number',
	PassFeeToAttendee: 'boolean',
	IsReplaced: 'boolean',
});

/** The order that results from new options, and the transaction that charged for it. */
export const chargedOrderShape = {
	outputSchema: { ...orderShape.outputSchema, TransactionId: 'integer' } as const,
	identify: (record: IDataObject) => idIn(record, 'OrderId', 'RegistrationId'),
	// The service may respond with the registration instead; its `Id` is not the ID of an order.
	transformRecord: (record: IDataObject) =>
		'OrderId' in record ? orderShape.transformRecord(record) : record,
};

export const transactionShape = fullShape({
	TransactionId: 'integer',
	OrderId: 'integer',
	EventId: 'integer',
	TransactionType: 'string',
	TransactionAmount: 'number',
	TransactionDate: 'string',
	Currency: 'string',
	PaymentMethod: 'string',
	Memo: 'string',
});

export const eventAttendanceShape = simplifiedShape({
	CheckInLogId: 'integer',
	...person,
	RegistrationType: 'string',
	CheckInDateTime: 'string',
	CheckOutDateTime: 'string',
	ConfirmationCode: 'string',
	CustomFields: 'object',
});

export const sessionAttendanceShape = simplifiedShape({
	CheckInLogId: 'integer',
	SessionTitle: 'string',
	...eventAttendanceShape.outputSchema,
});

export const optionShape = simplifiedShape({
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

export const orderItemShape = simplifiedShape({
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
 * Returns the output of a write: the record in the response. The service documents only that the response is an object. If
 * the object lacks the record's ID, the output also has the fields that were sent, with the IDs of the record and its owner
 * where known.
 */
export function writeOutput(
	response: ServiceResponse,
	idField: string,
	sentFields: Body,
): IDataObject {
	const records = recordsOf(response.body, { identify: (record) => record[idField] });
	const record = records.length === 1 ? records[0]! : {};
	return idField in record ? record : { ...sentOutput(sentFields), ...record };
}

/** Returns sent fields as output. IDs get the type that they have in all records. */
export const sentOutput = (sentFields: Body): IDataObject =>
	Object.fromEntries(
		Object.entries(sentFields).map(([name, value]) => [
			name,
			// All other values were serialized as JSON for the request, so they are valid in an item.
			isIdField(name, value) ? normalizeId(value) : (value as IDataObject[string]),
		]),
	);

const isIdField = (name: string, value: unknown): value is string | number | bigint =>
	typeof value === 'bigint' || (name.endsWith('Id') && typeof value === 'string');
