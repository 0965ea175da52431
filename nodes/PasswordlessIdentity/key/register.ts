import { asOutput } from '../../engine/execute';
import type { Operation, Output } from '../../engine/operation';
import { additionalClaims, deviceToken, ownSubject, signedFields } from '../fields';
import { claimOf } from '../signing';
import { isFingerprint } from '../../engine/jwt';

const SECRET_HINT =
	'The revocation secret is shown only this once. Store it in a safe place: it is needed to revoke the key.';

/** Registers a key. Always puts out its fingerprint, and the secret that revokes it. */
export const register: Operation = {
	name: 'Register',
	action: 'Register a key',
	description:
		'Make a key known to the issuer. Puts out its fingerprint and the revocation secret, which is shown only here.',
	request: { method: 'POST', path: '/key', body: 'jwt' },
	fields: signedFields([ownSubject, additionalClaims([deviceToken])]),
	yields: { status: 'string', fingerprint: 'string', secret: 'string', sub: 'string' },
	run: async (call): Promise<Output> => {
		const request = await call.request();
		const answer = asOutput(await call.send(request));
		const body = Array.isArray(answer) ? (answer[0] ?? {}) : answer;
		if (body.secret !== undefined) call.hint(SECRET_HINT);
		const named = [body.fingerprint, body.PK, body.pk, body.sub].find(isFingerprint);
		return { ...body, fingerprint: named ?? claimOf(request.token, 'sub') };
	},
};
