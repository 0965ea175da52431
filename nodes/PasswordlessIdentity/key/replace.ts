import type { Operation } from '../../engine/operation';
import { additionalClaims, deviceToken, email, phone, signedFields } from '../fields';
import { changeKey, ownFingerprint, sameSubject } from './change';

/** Replaces everything that is known of a key. */
export const replace: Operation = {
	name: 'Replace',
	action: 'Replace the record of a key',
	description:
		'Replace everything that the issuer knows about a key. What you leave out is removed; to keep it, use Update.',
	request: { method: 'PUT', path: '/key/{PK}', body: 'jwt' },
	fields: [
		ownFingerprint,
		...signedFields([sameSubject, additionalClaims([deviceToken, email, phone])]),
	],
	repeatable: true,
	run: changeKey,
	yields: { fingerprint: 'string', status: 'string' },
};
