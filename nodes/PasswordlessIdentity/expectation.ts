import type { Claims } from '../engine/token/jwt';

/**
 * Conditions that a token must meet besides its signature. A missing condition is not checked, except that `signerClaim` and
 * `validAt` have defaults.
 */
export interface TokenExpectation {
	/** Key fingerprint of the person who was asked: the claim `sub` must equal it. */
	subject?: string;
	/**
	 * Claim that holds the fingerprint of the signing key. Default: `sub`, the person's own key. With `iss`, `sub` is used if
	 * `iss` is not a fingerprint.
	 */
	signerClaim?: 'sub' | 'iss';
	/** Fingerprint of the key that must have signed, if it is known beforehand. */
	signer?: string;
	/**
	 * Fingerprints of the keys that may have signed the request, besides the credential's key. None of these keys may sign the
	 * answer: the service could send back the request.
	 */
	requestSigners?: readonly string[];
	/** Time at which the token must be valid, in milliseconds since 1970. Default: now. */
	validAt?: number;
	/** Job that the claim `job` must name. A token without that claim passes. */
	job?: string;
	/** Value that the claim `aud` must contain. */
	audience?: string;
	/** Value that the claim `iss` must have. */
	issuer?: string;
	/** Maximum time since the claim `iat`. A token without that claim is then rejected. */
	maxAgeMs?: number;
}

/** Conditions that claims with a valid signature can still fail. */
export type Mismatch = 'anotherJob' | 'anotherAudience' | 'anotherIssuer' | 'tooOld';

/** Same tolerance as for `exp` and `nbf` (`token/jwt`). */
const CLOCK_TOLERANCE_MS = 60_000;

/** Returns the first condition that verified claims do not meet, with a message for the user; undefined if they meet all. */
export function findMismatch(
	{ job, aud, iss, iat }: Claims,
	{ job: expectedJob, audience, issuer, maxAgeMs, validAt = Date.now() }: TokenExpectation,
): [Mismatch, string] | undefined {
	const namesJob = job !== undefined && job !== null;
	if (expectedJob !== undefined && namesJob && !isSameId(job, expectedJob)) {
		return ['anotherJob', 'The token belongs to another job (claim "job")'];
	}
	if (audience !== undefined && ![aud].flat().includes(audience)) {
		return ['anotherAudience', 'The token is for a different audience than expected (claim "aud")'];
	}
	if (issuer !== undefined && iss !== issuer) {
		return ['anotherIssuer', 'The token is from a different issuer than expected (claim "iss")'];
	}
	if (maxAgeMs === undefined) return undefined;
	if (typeof iat !== 'number') {
		return ['tooOld', 'The token doesn\'t say when it was signed (claim "iat")'];
	}
	const isTooOld = validAt - iat * 1000 > maxAgeMs + CLOCK_TOLERANCE_MS;
	return isTooOld ? ['tooOld', 'The token is too old (claim "iat")'] : undefined;
}

/** Compares as text: an issuer may write a job ID as a number. */
const isSameId = (claim: unknown, id: string) =>
	(typeof claim === 'string' || typeof claim === 'number') && `${claim}` === id;
