import { calculateJwkThumbprint, CompactSign, compactVerify, jwtVerify } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import {
	attempt,
	damaged,
	fits,
	headerNames,
	KeyError,
	KINDS,
	privateJwk,
	publicPart,
	supported,
} from './keyText';
import type { Algorithm } from './keyText';

// The only module that imports jose at run time; the build bundles jose into it. Only what signs and verifies is
// imported, by name, so that no encryption comes along. jose's own importers would bring it, hence WebCrypto for keys.

export { ALGORITHMS, KeyError } from './keyText';
export type { Algorithm } from './keyText';

/** A public key as a JSON Web Key. */
export type PublicJwk = JWK;

/** The claims of a token: a JSON object. */
export type Claims = Record<string, unknown>;

/** A private key that is ready to sign. WebCrypto keeps the secret half and does not give it out again. */
export interface SigningKey {
	readonly algorithm: Algorithm;
	readonly fingerprint: string;
	readonly publicJwk: PublicJwk;
	readonly privateKey: CryptoKey;
}

/** A token that was taken apart but not checked: nothing in it can be trusted. */
export interface UnverifiedToken {
	readonly header: Claims & { alg: string };
	readonly claims: Claims;
}

/** How a token is checked. `now` is in milliseconds and is the present time if left out. */
export interface VerifyOptions {
	readonly algorithm: string;
	readonly toleranceSeconds?: number;
	readonly now?: number;
}

/** Says why a token is refused. Neither the message nor any other property holds a claim. */
export class TokenError extends Error {
	override readonly name = 'TokenError';

	constructor(
		readonly reason:
			| 'notAToken'
			| 'tooLarge'
			| 'unsigned'
			| 'algorithm'
			| 'unsuitableKey'
			| 'foreignKey'
			| 'badSignature'
			| 'expired'
			| 'notYetValid'
			| 'badClaims',
		message: string,
	) {
		super(message);
	}
}

/** The longest token that is signed or read, in characters. */
export const MAX_TOKEN_LENGTH = 256 * 1024;

const FINGERPRINT_LENGTH = 43;
const TIMES = ['exp', 'nbf', 'iat'];

const isObject = (value: unknown): value is Claims =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isCanonical = (part: string): boolean =>
	Buffer.from(part, 'base64url').toString('base64url') === part;

const jsonObject = (part: string): Claims | undefined => {
	try {
		const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
};

const tooLarge = () =>
	new TokenError(
		'tooLarge',
		`The token is too large: more than ${MAX_TOKEN_LENGTH / 1024} kB. Leave out big claims.`,
	);

const badClaims = (detail: string) => new TokenError('badClaims', `The token's claims ${detail}.`);

/** Whether a text is the fingerprint of an Ed25519 key: 32 bytes as 43 characters of base64url. */
export const isFingerprint = (text: unknown): text is string =>
	typeof text === 'string' &&
	text.length === FINGERPRINT_LENGTH &&
	/^[\w-]+$/.test(text) &&
	isCanonical(text);

/** The Ed25519 key that a fingerprint spells out. Throws KeyError if the text cannot be one. */
export function publicKeyFromFingerprint(fingerprint: string): PublicJwk {
	if (isFingerprint(fingerprint)) return { kty: 'OKP', crv: 'Ed25519', x: fingerprint };
	const { length } = fingerprint;
	throw new KeyError(
		'fingerprint',
		`This is not a key fingerprint. One has ${FINGERPRINT_LENGTH} characters (letters, digits, "-" and "_")${
			length === FINGERPRINT_LENGTH ? ' and ends in one that fits' : `, this has ${length}`
		}.`,
	);
}

/** The fingerprint of a public key: its `x` for Ed25519, the RFC 7638 thumbprint (SHA-256) for any other. */
export async function fingerprintOf(publicJwk: PublicJwk): Promise<string> {
	if (publicJwk.crv === 'Ed25519' && publicJwk.x !== undefined) return publicJwk.x;
	return await calculateJwkThumbprint(publicJwk);
}

/**
 * Reads a private key for one algorithm: PKCS#8 as PEM (with or without its line breaks) or a private JWK.
 * Guarantees that the key fits the algorithm and that its two halves belong together; throws KeyError otherwise.
 */
export async function readPrivateKey(text: string, algorithm: string): Promise<SigningKey> {
	const alg = supported(algorithm);
	const jwk = await privateJwk(text, alg);
	const publicJwk = publicPart(jwk);
	const key = await attempt(async () => ({
		algorithm: alg,
		fingerprint: await fingerprintOf(publicJwk),
		publicJwk,
		privateKey: await crypto.subtle.importKey('jwk', jwk, KINDS[alg].subtle, false, ['sign']),
	}));
	// A JWK can name a public half that is not its own: whatever it signed would be refused everywhere.
	const proof =
		key && (await attempt(async () => await verify(await sign({}, key), publicJwk, { algorithm })));
	if (!key || !proof) throw damaged();
	return key;
}

/** Signs claims as a compact JWT with `alg`, `typ` and `kid` (the fingerprint) in its header. */
export async function sign(claims: Claims, key: SigningKey): Promise<string> {
	const wrongTime = TIMES.find(
		(name) => claims[name] !== undefined && !Number.isFinite(claims[name]),
	);
	if (wrongTime !== undefined) throw badClaims(`hold an "${wrongTime}" that is not a number`);
	const json = await attempt(() => JSON.stringify(claims));
	if (json === undefined) throw badClaims('cannot be written as JSON');
	if (json.length > MAX_TOKEN_LENGTH) throw tooLarge();
	const token = await new CompactSign(Buffer.from(json, 'utf8'))
		.setProtectedHeader({ alg: key.algorithm, typ: 'JWT', kid: key.fingerprint })
		.sign(key.privateKey);
	if (token.length > MAX_TOKEN_LENGTH) throw tooLarge();
	return token;
}

/** Whether a text has the form of a token: three parts, the first of them a header that names an algorithm. */
export function looksLikeToken(text: unknown): text is string {
	if (typeof text !== 'string' || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return false;
	const header = text.slice(0, text.indexOf('.'));
	return header.length <= MAX_TOKEN_LENGTH && typeof jsonObject(header)?.alg === 'string';
}

/** Takes a token apart without checking it. Throws TokenError if it is none or too large; takes no white space. */
export function decodeUnverified(token: string): UnverifiedToken {
	if (token.length > MAX_TOKEN_LENGTH) throw tooLarge();
	const parts = token.split('.');
	if (parts.length === 5) {
		throw new TokenError('notAToken', 'The token is encrypted. Only signed tokens can be read.');
	}
	const header = jsonObject(parts[0] ?? '');
	const claims = jsonObject(parts[1] ?? '');
	if (!looksLikeToken(token) || !parts.every(isCanonical) || !header || !claims) {
		throw new TokenError('notAToken', 'This is not a signed token (JWT).');
	}
	return { header: { ...header, alg: String(header.alg) }, claims };
}

/** Whether it is known that another key has signed: a key that the token itself names fits the signature. */
async function signedByAnother(token: string, expected: JWK, algorithm: Algorithm) {
	const { header, claims } = decodeUnverified(token);
	const fingerprint = await attempt(async () => await fingerprintOf(expected));
	if (algorithm !== 'EdDSA') return isFingerprint(header.kid) && header.kid !== fingerprint;
	for (const named of new Set([header.kid, claims.iss, claims.sub])) {
		if (!isFingerprint(named) || named === fingerprint) continue;
		const key = publicKeyFromFingerprint(named);
		if (await attempt(async () => await compactVerify(token, key))) return true;
	}
	return false;
}

async function explain(error: unknown, token: string, key: JWK, algorithm: Algorithm) {
	const { code, claim, reason } = isObject(error) ? error : {};
	if (code === 'ERR_JWT_EXPIRED') return new TokenError('expired', 'The token has expired.');
	if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') {
		if (claim === 'nbf' && reason === 'check_failed') {
			return new TokenError('notYetValid', 'The token is not valid yet.');
		}
		return badClaims('hold a time that is not a number');
	}
	if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') {
		return (await signedByAnother(token, key, algorithm))
			? new TokenError('foreignKey', 'The token is signed by another key than the expected one.')
			: new TokenError(
					'badSignature',
					'The signature does not fit: the token was changed, or another key has signed it.',
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

/**
 * Checks a token's signature against one public key and one algorithm, then `exp` and `nbf` (60 s of tolerance).
 * Guarantees that claims come back only if all of it holds; throws TokenError otherwise. Whose key it is, and whether
 * `sub` is the expected one, is for the caller to decide.
 */
export async function verify(
	token: string,
	publicJwk: PublicJwk,
	{ algorithm, toleranceSeconds = 60, now = Date.now() }: VerifyOptions,
): Promise<{ claims: Claims }> {
	const expected = supported(algorithm);
	const { header } = decodeUnverified(token);
	if (header.alg.toLowerCase() === 'none') {
		throw new TokenError('unsigned', 'The token is not signed (its algorithm is "none").');
	}
	if (!headerNames(expected).includes(header.alg)) {
		const named = /^[A-Za-z0-9-]{1,12}$/.test(header.alg) ? header.alg : 'another algorithm';
		throw new TokenError('algorithm', `The token must be signed with ${expected}, not ${named}.`);
	}
	const key = publicPart(publicJwk);
	if (!fits(key, expected)) {
		throw new TokenError(
			'unsuitableKey',
			`The key to verify the token with is not one for ${expected}.`,
		);
	}
	const outcome = await jwtVerify(token, key, {
		algorithms: headerNames(expected),
		clockTolerance: toleranceSeconds,
		currentDate: new Date(now),
	}).catch(async (error: unknown) => await explain(error, token, key, expected));
	if (outcome instanceof TokenError) throw outcome;
	return { claims: outcome.payload };
}
