import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import {
	codeBranches,
	isCodeAnswer,
	isCodeRejection,
	malformedCodeOutput,
	readTypedCode,
	rejectionOutput,
	requireConfirmation,
} from '../codes';
import { formatE164, phoneFields } from '../phoneFields';
import { otherFields } from '../responses';

const CODE = /^[0-9A-Za-z]{4,10}$/;

const code = field({
	displayName: 'Code',
	name: 'code',
	type: 'string',
	default: '',
	required: true,
	secret: true,
	placeholder: 'e.g. 482913',
	description: 'The code the person entered. Spaces and dashes are ignored.',
	read: readTypedCode,
	target: { in: 'query', as: 'verification_code' },
});

/** Checks the code of a phone verification, once: the first check uses it up. */
export const check = operation({
	name: 'Check',
	action: 'Check a phone verification code',
	description: 'Check the code from Start. A wrong code returns valid: false, not an error.',
	request: 'GET /protected/json/phones/verification/check',
	fields: {
		...phoneFields('query', { number: 'phone_number', country: 'country_code' }),
		code,
	},
	effect: 'the code was checked, which uses it up',
	accept: isCodeAnswer,
	requiredContent: 'inspected',
	run: async ({ code: typedCode, ...phoneValues }, call) => {
		const phone = formatE164(phoneValues);
		if (!CODE.test(typedCode)) return { phone, ...malformedCodeOutput };
		const response = await call.send(await call.buildRequest());
		if (isCodeRejection(response)) return { phone, ...rejectionOutput(response) };
		return {
			phone,
			valid: true,
			...otherFields(requireConfirmation(response), 'phone', 'valid', 'reason'),
		};
	},
	branches: codeBranches,
	outputSchema: { phone: 'string', valid: 'boolean', reason: 'string', message: 'string' },
});
