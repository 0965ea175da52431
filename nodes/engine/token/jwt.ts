import { calculateJwkThumbprint, CompactSign, compactVerify, jwtVerify } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import type { IDataObject } from 'n8n-workflow';

import { isDeeperThan, MAX_JSON_DEPTH } from '../values/depth';
import { isRecord } from '../values/isRecord';
import {
	algorithmsFor,
	attempt,
	findWeakness,
	headerNames,
	KEY_SPECS,
	KeyError,
	requireAlgorithm,
	toPublicJwk,
} from './keyKinds';
import type { Algorithm } from './keyKinds';
import { parsePrivateKey } from './keyText';
import { damagedKeyError } from './pkcs8';

// The only module that imports jose at run time; the build bundles jose into it. Imports are limited to signing and
// verifying, so that the bundle contains no encryption code. jose's key importers would add that code, so WebCrypto imports
// the private key; public keys are passed to jose as JWK.

export { ALGORITHMS, isAlgorithm, KeyError, mixesKeyTypes } from './keyKinds';
export type { Algorithm } from './keyKinds';

export type PublicJwk = JWK;

export type Claims = IDataObject;

/** An imported private key. WebCrypto holds the private part as not extractable. */
export interface SigningKey {
	readonly algorithm: Algorithm;
	readonly fingerprint: string;
	readonly publicJwk: PublicJwk;
	readonly privateKey: CryptoKey;
}

/** A decoded JWT whose signature was not verified: its contents must not be trusted. */
export interface UnverifiedToken {
	readonly header: Claims & { alg: string };
	readonly claims: Claims;
}

/** Options of `verifyJwt`. `now` is in milliseconds since 1970; by default the current time. */
export interface VerifyOptions {
	readonly toleranceSeconds?: number;
	readonly now?: number;
}

/** Reason why a token is rejected or cannot be signed. No property contains the value of a claim. */
export class TokenError extends Error {
	override readonly name = 'TokenError';

	constructor(
		readonly reason:
			| 'notAToken'
			| 'encrypted'
			| 'tooLarge'
			| 'unsigned'
			| 'algorithm'
			| 'unsuitableKey'
			| 'weakKey'
			| 'foreignKey'
			| 'badSignature'
			| 'expired'
			| 'notYetValid'
			| 'issuedAhead'
			| 'badClaims',
		message: string,
	) {
		super(message);
	}
}

/** Maximum length of a token that is signed or read, in characters. */
export const MAX_TOKEN_LENGTH = 256 * 1024;

const FINGERPRINT_LENGTH = 43;
const TIME_CLAIMS = ['exp', 'nbf', 'iat'];

/** How far `iat` may be in the future. Clocks differ by minutes, not by more. */
const MAX_ISSUED_AHEAD_SECONDS = 300;

const isCanonical = (part: string): boolean =>
	Buffer.from(part, 'base64url').toString('base64url') === part;

const parseJsonObject = (part: string): Claims | undefined => {
	try {
		const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
};

const TOO_LONG = `${MAX_TOKEN_LENGTH / 1024} kB`;
const TOO_LONG_TO_SIGN = `${TOO_LONG}. Leave out big claims`;
const tooLargeError = (limit = TOO_LONG) =>
	new TokenError('tooLarge', `The token is too large: more than ${limit}.`);

const claimsError = (detail: string) =>
	new TokenError('badClaims', `The token's claims ${detail}.`);

/** Whether a text is the fingerprint of an Ed25519 key: 32 bytes as 43 characters of canonical base64url. */
export const isFingerprint = (text: unknown): text is string =>
	typeof text === 'string' &&
	text.length === FINGERPRINT_LENGTH &&
	/^[\w-]+$/.test(text) &&
	isCanonical(text);

/** Returns the Ed25519 public key that a fingerprint encodes. Throws KeyError if the text is not a fingerprint. */
export function publicKeyFromFingerprint(fingerprint: string): PublicJwk {
	if (isFingerprint(fingerprint)) return { kty: 'OKP', crv: 'Ed25519', x: fingerprint };
	const { length } = fingerprint;
	throw new KeyError(
		'fingerprint',
		`This is not a valid fingerprint. Fingerprints have ${FINGERPRINT_LENGTH} characters (letters, digits, - and _)${
			length === FINGERPRINT_LENGTH ? ', of which the last must fit' : `; this one has ${length}`
		}.`,
	);
}

/** Returns the fingerprint: `x` for Ed25519, else the RFC 7638 thumbprint (SHA-256). Throws for unknown and mixed key types. */
export async function fingerprintOf(publicJwk: PublicJwk): Promise<string> {
	const key = toPublicJwk(publicJwk) ?? {};
	if (key.kty === 'OKP' && key.crv === 'Ed25519' && key.x !== undefined) return key.x;
	return await calculateJwkThumbprint(key);
}

/** Whether a fingerprint belongs to a public key. For an Ed25519 key, its RFC 7638 thumbprint counts, too. */
export async function isFingerprintOf(fingerprint: string, publicJwk: PublicJwk): Promise<boolean> {
	const keyIds = [fingerprintOf(publicJwk), calculateJwkThumbprint(toPublicJwk(publicJwk) ?? {})];
	return (await Promise.allSettled(keyIds)).some(
		(one) => one.status === 'fulfilled' && one.value === fingerprint,
	);
}

/**
 * Imports a private key for one algorithm from PKCS#8 PEM, with or without line breaks, or from a private JWK.
 * Guarantees that the key fits the algorithm and that its public and private parts match; throws KeyError otherwise.
 */
export async function importPrivateKey(text: string, algorithm: string): Promise<SigningKey> {
	const alg = requireAlgorithm(algorithm);
	const jwk = await parsePrivateKey(text, alg);
	const publicJwk = toPublicJwk(jwk) ?? {};
	const key = await attempt(async () => ({
		algorithm: alg,
		fingerprint: await fingerprintOf(publicJwk),
		publicJwk,
		privateKey: await crypto.subtle.importKey('jwk', jwk, KEY_SPECS[alg].subtle, false, ['sign']),
	}));
	// The public members of a JWK may belong to another key than the private members. Then no signature by this key would
	// verify.
	const proof =
		key &&
		(await attempt(async () => await verifyJwt(await signJwt({}, key), { ...publicJwk, alg })));
	if (!key || !proof) throw damagedKeyError();
	return key;
}

/** Signs a claims set as a JWT in JWS Compact Serialization, with `alg`, `typ` and `kid` (the fingerprint) in the header. */
export async function signJwt(claims: Record<string, unknown>, key: SigningKey): Promise<string> {
	const wrongTime = TIME_CLAIMS.find(
		(name) => claims[name] !== undefined && !Number.isFinite(claims[name]),
	);
	if (wrongTime !== undefined) throw claimsError(`hold an "${wrongTime}" that is not a number`);
	const json = await attempt(() => JSON.stringify(claims));
	if (json === undefined) throw claimsError('cannot be written as JSON');
	if (json.length > MAX_TOKEN_LENGTH) throw tooLargeError(TOO_LONG_TO_SIGN);
	const token = await new CompactSign(Buffer.from(json, 'utf8'))
		.setProtectedHeader({ alg: key.algorithm, typ: 'JWT', kid: key.fingerprint })
		.sign(key.privateKey);
	if (token.length > MAX_TOKEN_LENGTH) throw tooLargeError(TOO_LONG_TO_SIGN);
	return token;
}

const JWS_COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const JWE_COMPACT = /^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]*\.[\w-]+$/;

/**
 * Whether a text has the form of a JWS or JWE in compact serialization, with `alg` in its header. True for a header that is too
 * large to decode, so that `decodeUnverified` reports the size.
 */
export function looksLikeToken(text: unknown): text is string {
	if (typeof text !== 'string' || !(JWS_COMPACT.test(text) || JWE_COMPACT.test(text))) return false;
	const header = text.slice(0, text.indexOf('.'));
	return header.length > MAX_TOKEN_LENGTH || typeof parseJsonObject(header)?.alg === 'string';
}

/** Decodes a JWT without verifying it. Throws TokenError if it is too large or not a signed JWT. Callers trim the text. */
export function decodeUnverified(token: string): UnverifiedToken {
	if (token.length > MAX_TOKEN_LENGTH) throw tooLargeError();
	const parts = token.split('.');
	const header = parseJsonObject(parts[0] ?? '');
	if (header && JWE_COMPACT.test(token)) {
		throw new TokenError(
			'encrypted',
			'The token is encrypted, and only signed ones can be read. Ask the issuer for a signed token that is not encrypted.',
		);
	}
	const claims = parseJsonObject(parts[1] ?? '');
	if (!looksLikeToken(token) || !parts.every(isCanonical) || !header || !claims) {
		throw new TokenError('notAToken', 'This is not a signed token (JWT).');
	}
	if (isDeeperThan([header, claims], MAX_JSON_DEPTH + 1))
		throw tooLargeError(`${MAX_JSON_DEPTH} nested levels`);
	return { header: { ...header, alg: String(header.alg) }, claims };
}

/** Whether another key is known to have signed: for EdDSA, a key in `kid`, `iss` or `sub` verifies; else `kid` differs. */
async function isSignedByAnotherKey(token: string, expected: JWK, algorithm: Algorithm) {
	const { header, claims } = decodeUnverified(token);
	const fingerprint = await attempt(async () => await fingerprintOf(expected));
	if (algorithm !== 'EdDSA') return isFingerprint(header.kid) && header.kid !== fingerprint;
	for (const keyName of new Set([header.kid, claims.iss, claims.sub])) {
		if (!isFingerprint(keyName) || keyName === fingerprint) continue;
		const key = publicKeyFromFingerprint(keyName);
		if (await attempt(async () => await compactVerify(token, key))) return true;
	}
	return false;
}

async function toTokenError(error: unknown, token: string, key: JWK, algorithm: Algorithm) {
	const { code, claim, reason } = isRecord(error) ? error : {};
	if (code === 'ERR_JWT_EXPIRED') return new TokenError('expired', 'The token has expired.');
	if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') {
		if (claim === 'nbf' && reason === 'check_failed') {
			return new TokenError('notYetValid', 'The token is not valid yet.');
		}
		return claimsError('hold a time that is not a number');
	}
	if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') {
		return (await isSignedByAnotherKey(token, key, algorithm))
			? new TokenError('foreignKey', 'The token was signed by a different key than expected.')
			: new TokenError(
					'badSignature',
					'The signature does not match: the token was changed, or signed by another key.',
				);
	}
	if (typeof code === 'string' && /^ERR_JW[ST]_INVALID$/.test(code)) {
		return new TokenError('notAToken', 'The token has a form that is not allowed.');
	}
	if (code === 'ERR_JOSE_NOT_SUPPORTED') {
		return new TokenError('notAToken', 'The token demands an extension that is not supported.');
	}
	return new TokenError('unsuitableKey', 'The key to verify the token with is damaged.');
}

/** Returns the algorithm to verify with: the algorithm in the token's header, if the key allows it. */
function selectAlgorithm({ alg }: UnverifiedToken['header'], key: JWK): Algorithm {
	if (alg.toLowerCase() === 'none') {
		throw new TokenError('unsigned', 'The token is not signed (its algorithm is "none").');
	}
	const allowed = algorithmsFor(key);
	if (allowed.length === 0) {
		throw new TokenError('unsuitableKey', 'The key to verify the token with is not one for that.');
	}
	const algorithm = allowed.find((name) => headerNames(name).includes(alg));
	if (algorithm) return algorithm;
	const algorithmName = /^[A-Za-z0-9-]{1,12}$/.test(alg) ? alg : 'another algorithm';
	throw new TokenError(
		'algorithm',
		`The token must be signed with ${allowed.join(' or ')}, not ${algorithmName}.`,
	);
}

/**
 * Verifies the signature of a JWT with one public key and an algorithm that this key allows, then `exp` and `nbf` (with
 * `toleranceSeconds`) and that `iat` is at most five minutes in the future. Returns the claims only if all checks pass;
 * throws TokenError otherwise. The caller must check whose key it is, and whether `sub` has the expected value.
 */
export async function verifyJwt(
	token: string,
	publicJwk: PublicJwk,
	{ toleranceSeconds = 60, now = Date.now() }: VerifyOptions = {},
): Promise<{ claims: Claims }> {
	const { header } = decodeUnverified(token);
	const key = toPublicJwk(publicJwk) ?? {};
	const algorithm = selectAlgorithm(header, { ...key, alg: publicJwk.alg });
	const weak = findWeakness(key);
	if (weak !== undefined) {
		throw new TokenError('weakKey', `The key to verify the token with is ${weak}.`);
	}
	const outcome = await jwtVerify<Claims>(token, key, {
		algorithms: headerNames(algorithm),
		clockTolerance: toleranceSeconds,
		currentDate: new Date(now),
	}).catch(async (error: unknown) => await toTokenError(error, token, key, algorithm));
	if (outcome instanceof TokenError) throw outcome;
	const { iat } = outcome.payload;
	if (iat !== undefined && iat > now / 1000 + MAX_ISSUED_AHEAD_SECONDS) {
		throw new TokenError(
			'issuedAhead',
			'The token is dated more than five minutes ahead. Check that the clock of this machine is right.',
		);
	}
	return { claims: outcome.payload };
}
