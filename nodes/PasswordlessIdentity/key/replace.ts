import { operation } from '../../engine/operation';
import { additionalClaims, deviceToken, email, phone, signedFields } from '../fields';
import { obtainToken } from '../signing';
import { changeKey, ownFingerprint, sameSubject } from './change';

/** Replaces the whole record of a key. */
export const replace = operation({
	name: 'Replace',
	action: 'Replace the record of a key',
	description: "Replace a key's record. Fields you leave out are removed.",
	request: 'PUT /key/{PK}',
	sign: obtainToken,
	fields: {
		fingerprint: ownFingerprint,
		...signedFields({
			subject: sameSubject,
			additionalClaims: additionalClaims(deviceToken, email, phone),
		}),
	},
	idempotent: true,
	run: changeKey,
	outputSchema: { fingerprint: 'string', status: 'string' },
});
