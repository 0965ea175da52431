import { ControlError } from '../controlError';
import { amountIn, expectOnly, flagIn, withoutUndefined, idIn, textIn, integerIn } from '../input';
import type { Input } from '../input';
import type { ReplaceOptions } from './options';
import type { ContactInput, CustomField, RegistrationInput } from './records';

const registrationTexts = [
	'FirstName',
	'LastName',
	'Email',
	'MobilePhone',
	'RegistrationManagerEmail',
];
const contactTexts = ['FirstName', 'LastName', 'Email', 'Phone', 'Organization', 'Title'];
const optionFields = [
	'RegistrationOptionId',
	'RegistrationOptionGroupId',
	'Quantity',
	'Price',
	'Total',
	'AdditionalInfo',
];

function objectsIn(input: Input, name: string): Input[] {
	const list = input[name];
	const good =
		Array.isArray(list) && list.every((item) => typeof item === 'object' && item !== null);
	if (good) return list as Input[];
	const message = `'${name}' must be a list of objects`;
	throw new ControlError(400, message, { [name]: [message] });
}

function customFieldsIn(input: Input): CustomField[] | undefined {
	if (input.CustomFields === undefined) return undefined;
	return objectsIn(input, 'CustomFields').map((field) => {
		expectOnly(field, ['Name', 'Value']);
		return { Name: textIn(field, 'Name') ?? '', Value: textIn(field, 'Value') ?? '' };
	});
}

const textsIn = (input: Input, names: readonly string[]) =>
	Object.fromEntries(names.map((name) => [name, textIn(input, name)]));

/** Parses the input of a registration; the event's form decides whether it is complete. */
export function registrationFrom(input: Input): RegistrationInput {
	expectOnly(input, [...registrationTexts, 'RegistrationTypeId', 'SendEmails', 'CustomFields']);
	return withoutUndefined({
		...textsIn(input, registrationTexts),
		RegistrationTypeId: integerIn(input, 'RegistrationTypeId'),
		SendEmails: flagIn(input, 'SendEmails'),
		CustomFields: customFieldsIn(input),
	});
}

/** Parses the input of a contact; the contact form decides whether it is complete. */
export function contactFrom(input: Input): ContactInput {
	expectOnly(input, [...contactTexts, 'CustomFields']);
	return withoutUndefined({ ...textsIn(input, contactTexts), CustomFields: customFieldsIn(input) });
}

/** Parses an order; the event's options decide whether it is possible. */
export function optionsFrom(input: Input): ReplaceOptions {
	expectOnly(input, ['PaymentAmount', 'RegistrationOptions']);
	const RegistrationOptions = objectsIn(input, 'RegistrationOptions').map((option) => {
		expectOnly(option, optionFields);
		return {
			RegistrationOptionId: idIn(option, 'RegistrationOptionId'),
			...withoutUndefined({
				RegistrationOptionGroupId: integerIn(option, 'RegistrationOptionGroupId'),
				Quantity: integerIn(option, 'Quantity'),
				Price: amountIn(option, 'Price', 0),
				Total: amountIn(option, 'Total', 0),
				AdditionalInfo: textIn(option, 'AdditionalInfo'),
			}),
		};
	});
	const PaymentAmount = amountIn(input, 'PaymentAmount', 0);
	return { RegistrationOptions, ...withoutUndefined({ PaymentAmount }) };
}
