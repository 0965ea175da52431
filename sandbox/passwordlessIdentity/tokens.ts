import {
	calculateJwkThumbprint,
	compactVerify,
	decodeJwt,
	decodeProtectedHeader,
	importJWK,
	SignJWT,
} from 'jose';
import type { JWK } from 'jose';

import type { DemoKey } from '../demoIdentities';
import { getClaimsCheck } from './claimsCheck';
import { ProblemError } from './problems';

export type Claims = Record<string, unknown> & { sub: string };

/** A decoded token with the required claims. Its signature is not verified yet. */
export interface DecodedToken {
	token: string;
	header: { alg: string; kid?: string; jwk?: JWK };
	claims: Claims;
}

const TOLERANCE_SECONDS = 60;
const algorithms = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512', 'RS256', 'PS256'];

/**
 * Decodes a token and validates its claims against a schema of the contract. Rejects with 400, or with 401 for an
 * unsupported algorithm.
 */
export function readToken(body: unknown, schema: string): DecodedToken {
	const token = String(body).trim();
	let header: Partial<DecodedToken['header']>;
	let claims: unknown;
	try {
		header = decodeProtectedHeader(token);
		claims = decodeJwt(token);
	} catch {
		throw new ProblemError(400, 'bad-request', 'The body is not a JSON Web Token.');
	}
	const violations = getClaimsCheck()(schema, claims);
	if (violations.length > 0) throw new ProblemError(400, 'bad-request', violations.join('; '));
	if (!header.alg || !algorithms.includes(header.alg)) {
		throw new ProblemError(
			401,
			'auth-error',
			'The token is not signed with a supported algorithm.',
		);
	}
	return { token, header: header as DecodedToken['header'], claims: claims as Claims };
}

/**
 * Returns the public key of a new fingerprint: the fingerprint itself for Ed25519, else the `jwk` of the header or claims,
 * whose thumbprint must be the fingerprint.
 */
export async function resolvePublicKey({ header, claims }: DecodedToken): Promise<JWK> {
	if (header.alg === 'EdDSA' || header.alg === 'Ed25519') return toEd25519Jwk(claims.sub);
	const jwk = (header.jwk ?? claims.jwk) as JWK | undefined;
	const thumbprint = jwk && (await calculateJwkThumbprint(jwk).catch(() => undefined));
	if (jwk && thumbprint === claims.sub) return toPublicJwk(jwk);
	throw new ProblemError(
		401,
		'auth-error',
		`A key for ${header.alg} comes as "jwk" in the header, and "sub" is its thumbprint.`,
	);
}

/** Returns the Ed25519 key that a fingerprint encodes. */
export function toEd25519Jwk(fingerprint: string): JWK {
	return { kty: 'OKP', crv: 'Ed25519', x: fingerprint };
}

/** Verifies signature and times; rejects with 401. `now` is the sandbox's time in ms. */
export async function verifyToken(decoded: DecodedToken, jwk: JWK, now: number): Promise<void> {
	const { token, header, claims } = decoded;
	try {
		await compactVerify(token, await importJWK(jwk, header.alg));
	} catch {
		throw new ProblemError(401, 'auth-error', 'The signature does not verify.');
	}
	// Clients sign with real time, wherever the sandbox's clock is. The token may therefore be valid by either clock.
	const isValidNow = [now, Date.now()].some((ms) => isWithinValidity(claims, ms / 1000));
	if (!isValidNow)
		throw new ProblemError(401, 'auth-error', 'The token is expired or not valid yet.');
}

/** Signs claims with a key that the sandbox has. Times are real, because verifiers do not know the sandbox's clock. */
export async function signToken(
	claims: Record<string, unknown>,
	key: DemoKey,
	lifetimeSeconds = 3600,
): Promise<string> {
	const nowSeconds = Math.floor(Date.now() / 1000);
	return await new SignJWT({ iat: nowSeconds, exp: nowSeconds + lifetimeSeconds, ...claims })
		.setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: key.fingerprint })
		.sign(await importJWK(key.privateJwk, 'EdDSA'));
}

function isWithinValidity({ exp, nbf }: Claims, nowSeconds: number): boolean {
	return (
		(typeof exp !== 'number' || exp > nowSeconds - TOLERANCE_SECONDS) &&
		(typeof nbf !== 'number' || nbf <= nowSeconds + TOLERANCE_SECONDS)
	);
}

function toPublicJwk({ kty, crv, x, y, n, e }: JWK): JWK {
	return JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as JWK;
}
