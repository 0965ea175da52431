import { operation } from '../../engine/operation';
import { asRecord } from '../../engine/run/output';
import { isFingerprint } from '../../engine/token/jwt';
import { isBlank } from '../../engine/values/texts';
import { additionalClaims, deviceToken, ownSubject, signedFields } from '../fields';
import { claimOf, tokenFor } from '../signing';

const SECRET_HINT =
	'The revocation secret is shown only this once. Store it in a safe place: it is needed to revoke the key.';

const LOST_HINT =
	'The key is registered, but the answer of the issuer held no revocation secret, and it is not shown again. So this key cannot be revoked with Key: Revoke. To be able to revoke it without the secret, store an email address and a phone number with Key: Replace now, and use Revoke by Email and Phone when it comes to that; or ask the operator of the issuer.';

/** Registers a key. Always puts out its fingerprint, and the secret that revokes it. */
export const register = operation({
	name: 'Register',
	action: 'Register a key',
	description:
		'Make a key known to the issuer. Puts out its fingerprint and the revocation secret, which is shown only here.',
	request: 'POST /key',
	sign: tokenFor,
	fields: signedFields({ subject: ownSubject, additionalClaims: additionalClaims(deviceToken) }),
	once: 'the key was registered',
	yields: {
		status: 'string',
		fingerprint: 'string',
		secret: 'string',
		secretLost: 'boolean',
		sub: 'string',
	},
	run: async (_, call) => {
		const request = await call.request();
		const body = asRecord(await call.send(request));
		const secretLost = isBlank(body.secret);
		call.hint(secretLost ? LOST_HINT : SECRET_HINT);
		const named = [body.fingerprint, body.PK, body.pk, body.sub].find(isFingerprint);
		const fingerprint = named ?? claimOf(request.token, 'sub');
		return { ...body, fingerprint, ...(secretLost && { secretLost }) };
	},
});
