import { field } from '../engine/field';
import type { Field } from '../engine/field';
import { readPhone } from './phone';

interface PhoneFields {
	phoneNumber: Field<'phoneNumber', string>;
	country: Field<'country', string>;
}

/** A phone number and its country, and where the service wants them; each is read together with the other. */
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
		description:
			'The phone number as people write it; blanks, dashes and brackets do no harm. With a plus sign and the country code in front it needs no Country.',
		read: (given, reading) => readPhone(given, reading.given(country)).number,
		target: { in: place, as: names.number },
	});
	const country: PhoneFields['country'] = field({
		displayName: 'Country',
		name: 'country',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description:
			'The country of the phone number. Only needed when the number does not begin with a plus sign; one that does brings its own country.',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a country…',
				typeOptions: { searchListMethod: 'searchCountries', searchable: true },
			},
			{
				displayName: 'By Country Code',
				name: 'code',
				type: 'string',
				placeholder: 'e.g. 49',
			},
		],
		evenBlank: true,
		read: (given, reading) => readPhone(reading.given(phoneNumber), given).countryCode,
		target: { in: place, as: names.country },
	});
	return { phoneNumber, country };
}
