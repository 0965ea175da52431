import { field } from '../engine/field';
import type { Field } from '../engine/field';
import { readPhone } from './phone';

/** Formats a phone number as the node outputs it. */
export const formatE164 = ({ phoneNumber, country }: { phoneNumber: string; country: string }) =>
	`+${country}${phoneNumber}`;

/** Row of the list of countries that clears the field. */
export const NO_COUNTRY = 'Not Needed With +';

interface PhoneFields {
	phoneNumber: Field<'phoneNumber', string>;
	country: Field<'country', string>;
}

/**
 * Builds the fields for a phone number and its country. Each field reads the other, because a number may contain its country
 * code.
 */
export function phoneFields(
	place: 'body' | 'query',
	names: { number: string; country: string },
): PhoneFields {
	const phoneNumber: PhoneFields['phoneNumber'] = field({
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +49 151 2345678',
		description: "In any format. Numbers starting with + and a country code don't need 'Country'.",
		read: (raw, context) => readPhone(raw, context.rawValue(country)).number,
		target: { in: place, as: names.number },
	});
	const country: PhoneFields['country'] = field({
		displayName: 'Country',
		name: 'country',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: "Only needed if the number doesn't start with +",
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				// For an empty value n8n 2.41.1 shows this text, not the name of the row that was chosen (`modesWithNone`).
				placeholder: NO_COUNTRY,
				typeOptions: { searchListMethod: 'searchCountries', searchable: true },
			},
			{
				displayName: 'By Country Code',
				name: 'code',
				type: 'string',
				placeholder: 'e.g. 49',
			},
		],
		readWhenBlank: true,
		read: (raw, context) => readPhone(context.rawValue(phoneNumber), raw).countryCode,
		target: { in: place, as: names.country },
	});
	return { phoneNumber, country };
}
