import type { IDataObject } from 'n8n-workflow';

import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { normalizeId } from '../../engine/values/convert';
import {
	codeBranches,
	isCodeAnswer,
	isCodeRejection,
	malformedCodeOutput,
	readTypedCode,
	rejectionOutput,
	requireConfirmation,
} from '../codes';
import { action, twofactorId } from '../fields';
import { otherFields } from '../responses';

/** Format of a code. Any other text in the path could address another operation. */
const CODE = /^\d{4,12}$/;

const code = field({
	displayName: 'Code',
	name: 'code',
	type: 'string',
	default: '',
	required: true,
	secret: true,
	placeholder: 'e.g. 482913',
	description: 'The code the user entered. Spaces and dashes are ignored.',
	read: readTypedCode,
	target: { in: 'path', as: 'token' },
});
const force = field({
	displayName: 'Always Check the Code',
	name: 'force',
	type: 'boolean',
	default: true,
	description:
		'Whether to check the code even if the user has never confirmed one. If off, such a user gets in with any code.',
	readWhenBlank: true,
	read: (raw) => raw !== false && raw !== 'false',
	target: { in: 'query' },
});

/** Fields that the service's response must not set: output fields of the node, and `token`, which only confirms the code. */
const RESERVED_FIELDS = ['twofactor_id', 'valid', 'reason', 'token'];

/** Verifies a code, once: the first check uses it up. */
export const verify = operation({
	name: 'Verify',
	action: 'Verify a code',
	description: 'Check a code. A wrong code returns valid: false, not an error.',
	request: 'GET /protected/json/verify/{token}/{twofactor_id}',
	fields: { twofactorId, code },
	options: { action, force },
	effect: 'the code was checked, which uses it up',
	accept: isCodeAnswer,
	requiredContent: 'inspected',
	run: async ({ twofactorId: userId, code: typedCode }, call) => {
		const twofactor_id = normalizeId(userId);
		if (!CODE.test(typedCode)) return { twofactor_id, ...malformedCodeOutput };
		const response = await call.send(await call.buildRequest());
		if (isCodeRejection(response)) return { twofactor_id, ...rejectionOutput(response) };
		return {
			twofactor_id,
			valid: true,
			...otherFields(requireConfirmation(response, confirmsCode), ...RESERVED_FIELDS),
		};
	},
	branches: codeBranches,
	outputSchema: {
		twofactor_id: 'integer',
		valid: 'boolean',
		reason: 'string',
		message: 'string',
		device: 'object',
	},
});

/** `success` alone grants no access: the response must confirm the code itself. */
const confirmsCode = ({ token }: IDataObject) =>
	typeof token === 'string' && /^is valid\b/i.test(token);
