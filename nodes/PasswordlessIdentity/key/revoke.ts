import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { fingerprint } from '../fields';
import { changeKey } from './change';

/** Revokes a key for good. */
export const revoke = operation({
	name: 'Revoke',
	action: 'Revoke a key',
	description:
		'Make a key invalid for good, with the secret that was shown when it was registered. This cannot be undone.',
	request: 'DELETE /key/{PK}',
	fields: {
		fingerprint,
		secret: field({
			displayName: 'Revocation Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			secret: true,
			description: 'The secret that was shown once, when the key was registered',
			target: { in: 'query' },
		}),
	},
	repeatable: true,
	run: async (values, call) => ({ ...(await changeKey(values, call)), revoked: true }),
	yields: { fingerprint: 'string', status: 'string', revoked: 'boolean' },
});
