import type { Operation } from '../../engine/operation';
import { additionalClaims, deviceToken, signedFields } from '../fields';
import { changeKey, ownFingerprint, sameSubject } from './change';

/** Adds to what is known of a key, or changes it. */
export const update: Operation = {
	name: 'Update',
	action: 'Update a key',
	description: 'Add to what the issuer knows about a key, or change it. What you leave out stays.',
	request: { method: 'POST', path: '/key/{PK}', body: 'jwt' },
	fields: [ownFingerprint, ...signedFields([sameSubject, additionalClaims([deviceToken])])],
	run: changeKey,
	yields: { fingerprint: 'string', status: 'string' },
};
