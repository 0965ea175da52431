import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { toRecord, fieldsFirst } from '../../engine/run/output';
import { optionalText } from '../fields';
import { keyCache } from '../keyCache';

/** Revokes the key of a person who lost the revocation secret, in two steps. */
export const revokeByContact = operation({
	name: 'Revoke by Email and Phone',
	action: 'Revoke a key by email and phone',
	description: 'Revoke a key permanently with a code sent by email (two steps)',
	request: 'DELETE /key',
	fields: {
		step: field({
			displayName: 'Step',
			name: 'step',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: '1. Send the Code',
					value: 'sendCode',
					description: 'Emails a code to the person. The key stays valid.',
				},
				{
					name: '2. Revoke With the Code',
					value: 'revoke',
					description: 'Takes the code from the email. The key is revoked permanently.',
				},
			],
			default: 'sendCode',
			description: 'Run step 1 first, then step 2 with the code',
		}),
		email: field({
			displayName: 'Email',
			name: 'email',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. ada@example.com',
			description: 'The email address registered with the key. The code is sent there.',
			read: optionalText,
			target: { in: 'query' },
		}),
		phone: field({
			displayName: 'Phone',
			name: 'phone',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. +14155550123',
			description: 'The phone number registered with the key, with the country code',
			read: optionalText,
			target: { in: 'query' },
		}),
		code: field({
			displayName: 'Code',
			name: 'code',
			type: 'string',
			default: '',
			required: true,
			secret: true,
			placeholder: 'e.g. 482913',
			description: 'The code from the email sent in step 1',
			displayOptions: { show: { step: ['revoke'] } },
			read: optionalText,
			target: { in: 'query' },
		}),
	},
	effect: 'the code was emailed, or the key revoked',
	run: async ({ code }, call) => {
		const request = await call.buildRequest();
		try {
			const body = toRecord(await call.send(request));
			const said = `${body.status}`.trim().toLowerCase();
			// Without a code no key is revoked, unless the issuer reports the status "done".
			const revoked = code !== undefined ? said !== 'pending' : said === 'done';
			if (revoked) return { ...body, codeSent: false, revoked };
			const next =
				'A code was emailed to the person. Run this operation again with the step "2. Revoke With the Code" and that code.';
			call.hint(next);
			return { ...body, codeSent: true, revoked, next };
		} finally {
			// The response does not name the revoked key, so all cached records of this issuer are dropped.
			keyCache.drop(call.client.connection.baseUrl);
		}
	},
	transformRecord: fieldsFirst('revoked', 'codeSent'),
	outputSchema: { revoked: 'boolean', codeSent: 'boolean', status: 'string', next: 'string' },
});
