import type { Field } from '../engine/operation';
import { readPhone } from './phone';

/** A phone number and its country, and where the service wants them. */
export const phoneFields = (
	place: 'body' | 'query',
	names: { number: string; country: string },
): Field[] => [
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +49 151 2345678',
		description:
			'The phone number as people write it; blanks, dashes and brackets do no harm. With a plus sign and the country code in front it needs no Country.',
		target: {
			in: place,
			as: names.number,
			value: (given, call) => readPhone(given, call.field('country')).number,
		},
	},
	{
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
		target: {
			in: place,
			as: names.country,
			evenBlank: true,
			value: (given, call) => readPhone(call.field('phoneNumber'), given).countryCode,
		},
	},
];
