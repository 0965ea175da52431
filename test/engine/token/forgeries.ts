import { createHash, createPublicKey, randomBytes, verify as rawVerify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';

import { b64 } from './tokens';

// Tokens without a signer, for weak keys: node:crypto itself accepts them.

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** Forges a token for an RSA key with the exponent 1: the signature is the padded hash itself. */
export function forgedByExponent(claims: object): { token: string; jwk: JsonWebKey } {
	const n = randomBytes(256);
	n[0]! |= 0x80;
	n[255]! |= 1;
	const input = `${b64({ alg: 'RS256' })}.${b64(claims)}`;
	const hash = createHash('sha256').update(input).digest();
	// The DER prefix of a SHA-256 hash in a PKCS #1 signature.
	const digestInfo = Buffer.concat([
		Buffer.from('3031300d060960864801650304020105000420', 'hex'),
		hash,
	]);
	const filling = Buffer.alloc(256 - 3 - digestInfo.length, 0xff);
	const padded = Buffer.concat([Buffer.from([0, 1]), filling, Buffer.from([0]), digestInfo]);
	return {
		token: `${input}.${base64url(padded)}`,
		jwk: { kty: 'RSA', n: base64url(n), e: 'AQ' },
	};
}

/**
 * Forges a token for an Ed25519 key of small order. A signature of the neutral point and zero fits about one set of claims in
 * eight. Returns `undefined` if node:crypto accepts no such signature for the key.
 */
export function forgedBySmallOrder(x: string, claims: object): string | undefined {
	const signature = Buffer.alloc(64);
	signature[0] = 1;
	const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
	for (let nonce = 0; nonce < 200; nonce++) {
		const input = `${b64({ alg: 'EdDSA' })}.${b64({ ...claims, nonce })}`;
		if (rawVerify(null, Buffer.from(input), key, signature)) {
			return `${input}.${base64url(signature)}`;
		}
	}
	return undefined;
}

/** Returns all 14 encodings of a point of order 1, 2, 4 or 8, computed from the curve's equation and not from a list. */
export function smallOrderKeys(): string[] {
	const found: string[] = [];
	for (let y of smallOrderHeights()) {
		// Values below 19 have a second encoding that still fits into 255 bits.
		for (; y < 2n ** 255n; y += P) {
			const bytes = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
			for (const sign of [0, 0x80]) {
				bytes[31] = (bytes[31]! & 0x7f) | sign;
				found.push(base64url(bytes));
			}
		}
	}
	return found;
}

/** The prime of the field of Ed25519. */
const P = 2n ** 255n - 19n;
const mod = (value: bigint) => ((value % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
	let [result, square] = [1n, mod(base)];
	for (let remaining = exponent; remaining > 0n; remaining >>= 1n) {
		if (remaining & 1n) result = mod(result * square);
		square = mod(square * square);
	}
	return result;
}

const inverse = (value: bigint) => power(value, P - 2n);
/** The constant d in the equation of the curve. */
const D = mod(-121665n * inverse(121666n));

/** Returns a square root, or `undefined` if there is none. */
function squareRoot(value: bigint): bigint | undefined {
	const candidateRoot = power(value, (P + 3n) / 8n);
	const otherRoot = mod(candidateRoot * power(2n, (P - 1n) / 4n));
	return [candidateRoot, otherRoot].find((candidate) => mod(candidate * candidate - value) === 0n);
}

/** Returns the y of all points that are the neutral point when multiplied by eight. */
function smallOrderHeights(): Set<bigint> {
	// Order 1 and 2: x = 0. Order 4: y = 0. Order 8: doubling gives y = 0, so x² = -y², and on the curve d·y⁴ + 2·y² - 1 = 0.
	const heights = new Set([1n, P - 1n, 0n]);
	const discriminant = squareRoot(mod(4n + 4n * D))!;
	for (const sign of [1n, -1n]) {
		const square = mod((-2n + sign * discriminant) * inverse(2n * D));
		const y = squareRoot(square);
		if (y !== undefined) heights.add(y).add(mod(-y));
	}
	return heights;
}
