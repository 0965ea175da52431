import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { integerReader } from '../../engine/values/convert';
import { cleanCode } from '../codes';
import { locale } from '../fields';
import { formatE164, phoneFields } from '../phoneFields';
import { otherFields } from '../responses';

const via = field({
	displayName: 'Channel',
	name: 'via',
	type: 'options',
	options: [
		{ name: 'SMS', value: 'sms' },
		{ name: 'Voice Call', value: 'call' },
	],
	default: 'sms',
	target: { in: 'body' },
});
const codeLength = field({
	displayName: 'Code Length',
	name: 'codeLength',
	type: 'number',
	typeOptions: { minValue: 4, maxValue: 10 },
	default: 6,
	description: 'Number of digits, from 4 to 10',
	read: (raw, _, label) => {
		const length = integerReader(label)(raw);
		if (length >= 4 && length <= 10) return length;
		throw new BadInput("'Code Length' must be from 4 to 10", "Check 'Code Length'.");
	},
	target: { in: 'body', as: 'code_length' },
});
const customCode = field({
	displayName: 'Custom Code',
	name: 'customCode',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	secret: true,
	description: 'Your own code to send instead of a random one: 4 to 10 letters and digits',
	read: (raw, reading) => {
		const code = cleanCode(raw, reading);
		if (code === '') return undefined;
		if (/^[0-9A-Za-z]{4,10}$/.test(code)) return code;
		throw new BadInput(
			"'Custom Code' must be 4 to 10 letters and digits",
			"Check 'Custom Code' in the options.",
		);
	},
	target: { in: 'body', as: 'custom_code' },
});

/** Sends a code to a phone number, once. The person need not be enrolled. */
export const start = operation({
	name: 'Start',
	action: 'Start a phone verification',
	description: 'Send a code to a phone number. No enrollment needed.',
	request: 'POST /protected/json/phones/verification/start',
	fields: {
		...phoneFields('body', { number: 'phone_number', country: 'country_code' }),
		via,
	},
	options: { codeLength, customCode, locale: locale('body') },
	effect: 'the message went out',
	output: ({ body }, values) => ({ phone: formatE164(values), sent: true, ...otherFields(body) }),
	outputSchema: {
		phone: 'string',
		sent: 'boolean',
		message: 'string',
		carrier: 'string',
		is_cellphone: 'boolean',
		seconds_to_expire: 'integer',
		uuid: 'string',
	},
});
