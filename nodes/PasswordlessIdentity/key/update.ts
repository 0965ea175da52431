import { operation } from '../../engine/operation';
import { additionalClaims, deviceToken, signedFields } from '../fields';
import { obtainToken } from '../signing';
import { changeKey, ownFingerprint, sameSubject } from './change';

/** Adds or changes parts of the record of a key. */
export const update = operation({
	name: 'Update',
	action: 'Update a key',
	description: "Add or change parts of a key's record",
	request: 'POST /key/{PK}',
	sign: obtainToken,
	fields: {
		fingerprint: ownFingerprint,
		...signedFields({
			subject: sameSubject,
			additionalClaims: additionalClaims(deviceToken),
		}),
	},
	effect: 'the key was changed',
	run: changeKey,
	outputSchema: { fingerprint: 'string', status: 'string' },
});
