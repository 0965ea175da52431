import type { Claims } from '../engine/token/jwt';

/** What a token is held against, besides its signature. */
export interface TokenExpectation {
	/** The fingerprint of the person who was asked. */
	subject?: string;
	/** The claim that names the key that must have signed; `sub`, the person's own key, unless told. */
	signerClaim?: 'sub' | 'iss';
	/** The fingerprint of the key that must have signed, where it is known beforehand. */
	signer?: string;
	/** When the token must be valid, in milliseconds; now unless told. */
	validAt?: number;
	/** The job that it answers, if it names one. */
	job?: string;
	/** Whom it must be meant for. */
	audience?: string;
	/** Who it must say it is from. */
	issuer?: string;
	/** How old it may be, in milliseconds. */
	maxAgeMs?: number;
}

/** What can be wrong with claims that were really signed. */
export type Mismatch = 'anotherJob' | 'anotherAudience' | 'anotherIssuer' | 'tooOld';

/** As for all other times in tokens. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Finds what verified claims do not meet, and says it in words; nothing if they meet everything. */
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

/** Whether a claim is an id, which may be a number where we have a text. */
const isSameId = (claim: unknown, id: string) =>
	(typeof claim === 'string' || typeof claim === 'number') && `${claim}` === id;
