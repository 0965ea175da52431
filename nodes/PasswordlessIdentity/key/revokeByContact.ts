import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { asRecord } from '../../engine/run/output';
import { text } from '../fields';
import { keyCache } from '../keyCache';

/** Revokes the key of somebody who lost the secret, in two steps. */
export const revokeByContact = operation({
	name: 'Revoke by Email and Phone',
	action: 'Revoke a key by email and phone',
	description:
		'Make a key invalid for good without its secret, in two steps: first a code is mailed to the person, then the code revokes the key',
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
					description: 'Mails a code to the person. The key stays valid.',
				},
				{
					name: '2. Revoke with the Code',
					value: 'revoke',
					description: 'Takes the code from the mail. The key becomes invalid for good.',
				},
			],
			default: 'sendCode',
			description: 'Which of the two steps to take: run the first, then the second with the code',
		}),
		email: field({
			displayName: 'Email',
			name: 'email',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. ada@example.com',
			description: 'The email address that belongs to the key; the code is mailed there',
			read: text,
			target: { in: 'query' },
		}),
		phone: field({
			displayName: 'Phone',
			name: 'phone',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. +14155550123',
			description: 'The phone number that belongs to the key, with the country code',
			read: text,
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
			description: 'The code from the mail that the first step sent',
			displayOptions: { show: { step: ['revoke'] } },
			read: text,
			target: { in: 'query' },
		}),
	},
	once: 'the code was mailed, or the key revoked',
	run: async ({ code }, call) => {
		const request = await call.request();
		try {
			const body = asRecord(await call.send(request));
			const said = `${body.status}`.trim().toLowerCase();
			// Without a code no key is revoked, unless the issuer says so in its own word for it.
			const revoked = code !== undefined ? said !== 'pending' : said === 'done';
			if (revoked) return { ...body, codeSent: false, revoked };
			const next =
				'A code was mailed to the person. Run this operation again with the step "2. Revoke with the Code" and that code.';
			call.hint(next);
			return { ...body, codeSent: true, revoked, next };
		} finally {
			// Which key it is stays unknown, so all that are known of this issuer are forgotten.
			keyCache.drop(call.client.connection.baseUrl);
		}
	},
	yields: { status: 'string', codeSent: 'boolean', revoked: 'boolean', next: 'string' },
});
