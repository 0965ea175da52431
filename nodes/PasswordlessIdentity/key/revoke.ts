import type { Operation } from '../../engine/operation';
import { fingerprint } from '../fields';
import { changeKey } from './change';

/** Revokes a key for good. */
export const revoke: Operation = {
	name: 'Revoke',
	action: 'Revoke a key',
	description:
		'Make a key invalid for good, with the secret that was shown when it was registered. This cannot be undone.',
	request: { method: 'DELETE', path: '/key/{PK}' },
	fields: [
		fingerprint,
		{
			displayName: 'Revocation Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			secret: true,
			description: 'The secret that was shown once, when the key was registered',
			target: { in: 'query' },
		},
	],
	repeatable: true,
	run: async (call) => ({ ...(await changeKey(call)), revoked: true }),
	yields: { fingerprint: 'string', status: 'string', revoked: 'boolean' },
};
