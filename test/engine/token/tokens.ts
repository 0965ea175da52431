import { constants, createPublicKey, generateKeyPairSync, sign as rawSign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { ALGORITHMS, TokenError, verifyJwt } from '../../../nodes/engine/token/jwt';
import { keyPairFor } from '../../support/keyPairs';

// Keys and tokens made by node:crypto alone, so that the engine is not tested against itself.

export const NOW = Date.UTC(2026, 10, 15);
export const NOW_SECONDS = NOW / 1000;

/** Encodes a value as JSON in base64url. */
export const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Parameters of node:crypto for signing and verifying by an algorithm, written independently of the engine. */
export function parameters(algorithm: string, key: KeyObject) {
	if (algorithm === 'EdDSA') return { hash: null, options: { key } };
	const hash = `sha${algorithm.slice(2)}`;
	if (algorithm.startsWith('ES'))
		return { hash, options: { key, dsaEncoding: 'ieee-p1363' } as const };
	if (algorithm.startsWith('RS')) return { hash, options: { key } };
	const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
	return { hash, options: { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } };
}

/** Signs a token with node:crypto alone. */
export function signRawToken(
	privateKey: KeyObject,
	algorithm: string,
	claims: unknown,
	header: object = {},
) {
	const input = `${b64({ alg: algorithm, ...header })}.${b64(claims)}`;
	const { hash, options } = parameters(algorithm, privateKey);
	return `${input}.${rawSign(hash, Buffer.from(input), options).toString('base64url')}`;
}

/** Exports a private key as PEM. */
export const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;
/** Exports the public half of a key as JWK. */
export const jwk = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' });

/** One key pair per algorithm. */
export const pairs = Object.fromEntries(
	ALGORITHMS.map((algorithm) => [algorithm, keyPairFor(algorithm)]),
);
/** The key that the tests trust. */
export const alice = generateKeyPairSync('ed25519').privateKey;
/** The key of an attacker. */
export const mallory = generateKeyPairSync('ed25519').privateKey;
export const aliceJwk = jwk(alice);
/** Verifies a token with the public key of Alice. */
export const check = (token: string, now = NOW) => verifyJwt(token, aliceJwk, { now });

/** Expects that the work fails with a TokenError, and returns the error. */
export async function tokenErrorOf(work: Promise<unknown>): Promise<TokenError> {
	const error = await work.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(TokenError);
	return error as TokenError;
}
