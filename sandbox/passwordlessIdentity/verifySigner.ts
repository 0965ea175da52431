import type { KeyStore } from './keys';
import { ProblemError } from './problems';
import { verifyToken } from './tokens';
import type { DecodedToken } from './tokens';

const FINGERPRINT = /^[A-Za-z0-9_-]{43}$/;

/**
 * Finds the registered key that must have signed a token, verifies the signature and returns the key's fingerprint. The
 * signer is `iss` if that is a fingerprint, or else the header's `kid`, or else the subject.
 */
export async function verifySigner(
	decoded: DecodedToken,
	keys: KeyStore,
	now: number,
): Promise<string> {
	const { header, claims } = decoded;
	const signer = [claims.iss, header.kid, claims.sub].find(
		(candidate): candidate is string =>
			typeof candidate === 'string' && FINGERPRINT.test(candidate),
	)!;
	const record = keys.find(signer);
	if (!record) {
		throw new ProblemError(401, 'auth-error', 'The signer ("iss") is not a registered key.');
	}
	await verifyToken(decoded, record.jwk, now);
	return signer;
}
