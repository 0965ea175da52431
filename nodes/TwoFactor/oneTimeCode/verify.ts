import { ServiceFailure } from '../../engine/errors';
import { field } from '../../engine/field';
import type { Answer } from '../../engine/http/types';
import { operation } from '../../engine/operation';
import { asObject, rest } from '../answers';
import { isNo, malformed, noOutput, typedCode } from '../codes';
import { action, twofactorId } from '../fields';

/** What a code looks like. Nothing else goes into the path, where it could reach another operation. */
const CODE = /^\d{4,12}$/;

const code = field({
	displayName: 'Code',
	name: 'code',
	type: 'string',
	default: '',
	required: true,
	secret: true,
	placeholder: 'e.g. 4829137',
	description: 'The code that the user typed in; blanks and dashes in it do no harm',
	read: typedCode,
	target: { in: 'path', as: 'token' },
});
const force = field({
	displayName: 'Force',
	name: 'force',
	type: 'boolean',
	default: true,
	description:
		'Whether to check the code even if the user has never confirmed one. Leave it on: if you turn it off, a user who has never confirmed a code gets in with any code, right or wrong.',
	evenBlank: true,
	read: (given) => given !== false && given !== 'false',
	target: { in: 'query' },
});

/** Checks a code, once: the first check uses it up. */
export const verify = operation({
	name: 'Verify',
	action: 'Verify a code',
	description:
		'Check the code that a user typed in, from SMS, voice call or the app. A wrong code is an answer, not an error: "valid" is false and "reason" says why.',
	request: 'GET /protected/json/verify/{token}/{twofactor_id}',
	fields: { twofactorId, code, force },
	options: { action },
	once: 'the code was checked, which uses it up',
	accept: isNo,
	run: async ({ twofactorId: twofactor_id, code: typed }, call) => {
		if (!CODE.test(typed)) return { twofactor_id, ...malformed };
		const answer = await call.send(await call.request());
		if (isNo(answer)) return { twofactor_id, ...noOutput(answer) };
		return { twofactor_id, valid: true, ...confirmed(answer) };
	},
	yields: {
		twofactor_id: 'string',
		valid: 'boolean',
		reason: 'string',
		message: 'string',
		device: 'object',
	},
});

/** Success is not enough to let somebody in: the answer must say of the code itself that it is valid. */
function confirmed({ body }: Answer) {
	if (/^is valid\b/i.test(`${asObject(body).token}`)) return rest(body, 'token');
	throw new ServiceFailure('The two-factor service did not say whether the code is valid', {
		advice: 'Let nobody in on this answer. Check the base address in the credential.',
	});
}
