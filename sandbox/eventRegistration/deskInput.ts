import { ControlError } from '../controlError';
import {
	readAmount,
	rejectUnknownNames,
	readBoolean,
	withoutUndefined,
	readRequiredId,
	readText,
	readInteger,
} from '../readInput';
import type { Input } from '../readInput';
import type { ContactInput, CustomField, RegistrationInput } from './records';
import type { ReplaceOptionsInput } from './replaceOptions';

const registrationTextFields = [
	'FirstName',
	'LastName',
	'Email',
	'MobilePhone',
	'RegistrationManagerEmail',
];
const contactTextFields = ['FirstName', 'LastName', 'Email', 'Phone', 'Organization', 'Title'];
const optionFields = [
	'RegistrationOptionId',
	'RegistrationOptionGroupId',
	'Quantity',
	'Price',
	'Total',
	'AdditionalInfo',
];

function readObjects(input: Input, name: string): Input[] {
	const list = input[name];
	const isObjectList =
		Array.isArray(list) && list.every((item) => typeof item === 'object' && item !== null);
	if (isObjectList) return list as Input[];
	const message = `'${name}' must be a list of objects`;
	throw new ControlError(400, message, { [name]: [message] });
}

function readCustomFields(input: Input): CustomField[] | undefined {
	if (input.CustomFields === undefined) return undefined;
	return readObjects(input, 'CustomFields').map((field) => {
		rejectUnknownNames(field, ['Name', 'Value']);
		return { Name: readText(field, 'Name') ?? '', Value: readText(field, 'Value') ?? '' };
	});
}

const readTexts = (input: Input, names: readonly string[]) =>
	Object.fromEntries(names.map((name) => [name, readText(input, name)]));

/** Parses the input of a registration; the event's form decides whether it is complete. */
export function readRegistrationInput(input: Input): RegistrationInput {
	rejectUnknownNames(input, [
		...registrationTextFields,
		'RegistrationTypeId',
		'SendEmails',
		'CustomFields',
	]);
	return withoutUndefined({
		...readTexts(input, registrationTextFields),
		RegistrationTypeId: readInteger(input, 'RegistrationTypeId'),
		SendEmails: readBoolean(input, 'SendEmails'),
		CustomFields: readCustomFields(input),
	});
}

/** Parses the input of a contact; the contact form decides whether it is complete. */
export function readContactInput(input: Input): ContactInput {
	rejectUnknownNames(input, [...contactTextFields, 'CustomFields']);
	return withoutUndefined({
		...readTexts(input, contactTextFields),
		CustomFields: readCustomFields(input),
	});
}

/** Parses an order; the event's options decide whether it is possible. */
export function readOptionsInput(input: Input): ReplaceOptionsInput {
	rejectUnknownNames(input, ['PaymentAmount', 'RegistrationOptions']);
	const RegistrationOptions = readObjects(input, 'RegistrationOptions').map((option) => {
		rejectUnknownNames(option, optionFields);
		return {
			RegistrationOptionId: readRequiredId(option, 'RegistrationOptionId'),
			...withoutUndefined({
				RegistrationOptionGroupId: readInteger(option, 'RegistrationOptionGroupId'),
				Quantity: readInteger(option, 'Quantity'),
				Price: readAmount(option, 'Price', 0),
				Total: readAmount(option, 'Total', 0),
				AdditionalInfo: readText(option, 'AdditionalInfo'),
			}),
		};
	});
	const PaymentAmount = readAmount(input, 'PaymentAmount', 0);
	return { RegistrationOptions, ...withoutUndefined({ PaymentAmount }) };
}
