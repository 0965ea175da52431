import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { rest } from '../answers';
import { isNo, malformed, noOutput, typedCode } from '../codes';
import { phoneFields } from '../phoneFields';

const CODE = /^[0-9A-Za-z]{4,10}$/;

const code = field({
	displayName: 'Code',
	name: 'code',
	type: 'string',
	default: '',
	required: true,
	secret: true,
	placeholder: 'e.g. 482913',
	description: 'The code that the person typed in; blanks and dashes in it do no harm',
	read: typedCode,
	target: { in: 'query', as: 'verification_code' },
});

/** Checks the code of a phone verification, once: the first check uses it up. */
export const check = operation({
	name: 'Check',
	action: 'Check a phone verification code',
	description:
		'Check the code that somebody typed in after Start. A wrong code is an answer, not an error: "valid" is false and "reason" says why.',
	request: 'GET /protected/json/phones/verification/check',
	fields: {
		...phoneFields('query', { number: 'phone_number', country: 'country_code' }),
		code,
	},
	once: 'the code was checked, which uses it up',
	accept: isNo,
	run: async ({ code: typed }, call) => {
		if (!CODE.test(typed)) return { ...malformed };
		const answer = await call.send(await call.request());
		return isNo(answer) ? noOutput(answer) : { valid: true, ...rest(answer.body) };
	},
	yields: { valid: 'boolean', reason: 'string', message: 'string' },
});
