import type { IDataObject } from 'n8n-workflow';

import { operation } from '../../engine/operation';
import { toRecord } from '../../engine/run/output';
import { isFingerprint } from '../../engine/token/jwt';
import { isBlank } from '../../engine/values/texts';
import { additionalClaims, deviceToken, ownSubject, signedFields } from '../fields';
import { obtainToken, readClaim } from '../signing';

const SECRET_HINT =
	'The revocation secret is shown only once. Store it in a safe place: you need it to revoke the key.';

const LOST_HINT =
	"The issuer returned no revocation secret, and it isn't shown again. Check with Key: Check that the key is registered. It can't be revoked with Key: Revoke. To be able to revoke it without the secret, store an email address and a phone number with Key: Replace now, and use Revoke by Email and Phone later; or ask the operator of the issuer.";

const readReturnedFingerprint = ({ fingerprint, PK, pk, sub }: IDataObject) =>
	[fingerprint, PK, pk, sub].find(isFingerprint);

/** Registers a key. Always returns its fingerprint, and the revocation secret if the issuer sent one. */
export const register = operation({
	name: 'Register',
	action: 'Register a key',
	description: 'Register a key. Returns a revocation secret that is shown only once.',
	request: 'POST /key',
	sign: obtainToken,
	fields: signedFields({ subject: ownSubject, additionalClaims: additionalClaims(deviceToken) }),
	effect: 'the key was registered',
	identify: readReturnedFingerprint,
	outputSchema: {
		fingerprint: 'string',
		secret: 'string',
		secretLost: 'boolean',
		status: 'string',
	},
	run: async (_, call) => {
		const request = await call.buildRequest();
		const body = toRecord(await call.send(request));
		const secretLost = isBlank(body.secret);
		call.hint(secretLost ? LOST_HINT : SECRET_HINT);
		const fingerprint = readReturnedFingerprint(body) ?? readClaim(request.token, 'sub');
		const { sub, secret, ...rest } = body;
		// A `sub` that is not the fingerprint is kept as an output field of its own.
		const another = sub !== undefined && sub !== fingerprint ? { sub } : {};
		const secretOutput = secretLost ? { secretLost } : { secret };
		return { fingerprint, ...secretOutput, ...rest, ...another };
	},
});
