import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { fieldsFirst } from '../../engine/run/output';
import { fingerprint } from '../fields';
import { changeKey } from './change';

/** Revokes a key permanently. */
export const revoke = operation({
	name: 'Revoke',
	action: 'Revoke a key',
	description: 'Revoke a key permanently with the secret that Register returned',
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
			description: 'Shown once, when the key was registered',
			target: { in: 'query' },
		}),
	},
	idempotent: true,
	run: async (values, call) => ({ ...(await changeKey(values, call)), revoked: true }),
	transformRecord: fieldsFirst('fingerprint', 'revoked'),
	outputSchema: { fingerprint: 'string', revoked: 'boolean', status: 'string' },
});
