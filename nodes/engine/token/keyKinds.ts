import type { JWK } from 'jose';

// Key types by algorithm, and detection of weak keys. Modules outside this folder import from `jwt`, which re-exports this
// file. The build inlines this file into `jwt`, and `instanceof KeyError` works only if the class exists once.

/** Reason why a key cannot be used. The message never contains any part of the key. */
export class KeyError extends Error {
	override readonly name = 'KeyError';

	constructor(
		readonly reason:
			| 'empty'
			| 'format'
			| 'container'
			| 'public'
			| 'encrypted'
			| 'type'
			| 'weak'
			| 'damaged'
			| 'algorithm'
			| 'fingerprint',
		message: string,
	) {
		super(message);
	}
}

const ec = (crv: string) => ({ kty: 'EC', crv, subtle: { name: 'ECDSA', namedCurve: crv } });
const rsa = (name: string, bits: number) => ({
	kty: 'RSA',
	crv: undefined,
	subtle: { name, hash: `SHA-${bits}` },
});

/** Key type and WebCrypto parameters (`subtle`) of each supported algorithm. */
export const KEY_SPECS = {
	EdDSA: { kty: 'OKP', crv: 'Ed25519', subtle: { name: 'Ed25519' } },
	ES256: ec('P-256'),
	ES384: ec('P-384'),
	ES512: ec('P-521'),
	PS256: rsa('RSA-PSS', 256),
	PS384: rsa('RSA-PSS', 384),
	PS512: rsa('RSA-PSS', 512),
	RS256: rsa('RSASSA-PKCS1-v1_5', 256),
	RS384: rsa('RSASSA-PKCS1-v1_5', 384),
	RS512: rsa('RSASSA-PKCS1-v1_5', 512),
};

/** A supported signature algorithm. Algorithms with a shared secret, such as HS256, are not supported. */
export type Algorithm = keyof typeof KEY_SPECS;

/** All supported algorithms, the default first. */
export const ALGORITHMS = Object.keys(KEY_SPECS).filter(isAlgorithm);

export function isAlgorithm(name: string): name is Algorithm {
	return Object.hasOwn(KEY_SPECS, name);
}

/** Narrows a name to a supported algorithm; throws KeyError for any other. */
export function requireAlgorithm(algorithm: string): Algorithm {
	if (isAlgorithm(algorithm)) return algorithm;
	throw new KeyError(
		'algorithm',
		`Unknown signature algorithm. Use one of ${ALGORITHMS.join(', ')}.`,
	);
}

/** Returns the values of `alg` that denote an algorithm. EdDSA has two: RFC 9864 renames EdDSA on this curve to Ed25519. */
export const headerNames = (algorithm: Algorithm): string[] =>
	algorithm === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [algorithm];

/** Names of the public and private members of a JWK by `kty` (RFC 7518, section 6, and RFC 8037, section 2). */
const MEMBERS: Record<string, { publicMembers: string[]; privateMembers: string[] }> = {
	OKP: { publicMembers: ['crv', 'x'], privateMembers: ['d'] },
	EC: { publicMembers: ['crv', 'x', 'y'], privateMembers: ['d'] },
	RSA: { publicMembers: ['n', 'e'], privateMembers: ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'] },
	oct: { publicMembers: [], privateMembers: ['k'] },
};

const ALL_MEMBERS = new Set(
	Object.values(MEMBERS).flatMap(({ publicMembers, privateMembers }) => [
		...publicMembers,
		...privateMembers,
	]),
);

const keyMembersOf = ({ kty }: { kty?: unknown }) =>
	typeof kty === 'string' && Object.hasOwn(MEMBERS, kty) ? MEMBERS[kty] : undefined;

/** Copies the named members of a JWK whose values are strings. */
const pickTexts = (source: object, members: string[]): JWK =>
	Object.fromEntries(
		Object.entries(source).filter(
			([name, value]) => members.includes(name) && typeof value === 'string',
		),
	);

/**
 * Whether a JWK has members of another key type than its `kty`. A mixed JWK is ambiguous: code that reads `crv` and `x` gets
 * another key than code that reads `n` and `e`. A member that is null counts as missing.
 */
export function mixesKeyTypes(jwk: object): boolean {
	const members = keyMembersOf(jwk);
	const ownMembers = members ? [...members.publicMembers, ...members.privateMembers] : [];
	return Object.entries(jwk).some(
		([name, value]) =>
			ALL_MEMBERS.has(name) && !ownMembers.includes(name) && value !== null && value !== undefined,
	);
}

/** Copies only the public members of a JWK. Returns undefined for an unknown `kty` and for mixed key types. */
export function toPublicJwk(jwk: object): JWK | undefined {
	const members = keyMembersOf(jwk);
	return members && !mixesKeyTypes(jwk)
		? pickTexts(jwk, ['kty', ...members.publicMembers])
		: undefined;
}

/** Copies only the public and private members of a JWK. Returns undefined for an unknown `kty` and for mixed key types. */
export function toPrivateJwk(jwk: object): JWK | undefined {
	const members = keyMembersOf(jwk);
	return members && !mixesKeyTypes(jwk)
		? pickTexts(jwk, ['kty', ...members.publicMembers, ...members.privateMembers])
		: undefined;
}

/** Whether a JWK has the key type and curve of an algorithm. */
export const fitsAlgorithm = (jwk: JWK, algorithm: Algorithm): boolean =>
	jwk.kty === KEY_SPECS[algorithm].kty && jwk.crv === KEY_SPECS[algorithm].crv;

/** Algorithms that are allowed for an RSA key without `alg`. */
const DEFAULT_RSA_ALGORITHMS: Algorithm[] = ['RS256', 'PS256'];

/**
 * Returns the algorithms that signatures of a key may use. This is the key's `alg`; without `alg`, it is the algorithm of
 * the key's curve, or the two usual algorithms for RSA. Empty for a shared secret, and if `alg` does not fit the key.
 */
export function algorithmsFor(jwk: JWK): Algorithm[] {
	const fitting = ALGORITHMS.filter((algorithm) => fitsAlgorithm(jwk, algorithm));
	// The JWK comes from a service, so `alg` may be any JSON value; null counts as missing.
	const { alg }: { alg?: unknown } = jwk;
	if (alg !== undefined && alg !== null) {
		return fitting.filter((algorithm) => headerNames(algorithm).some((name) => name === alg));
	}
	return jwk.kty === 'RSA'
		? DEFAULT_RSA_ALGORITHMS.filter((name) => fitting.includes(name))
		: fitting;
}

const MIN_RSA_BITS = 2048;

/**
 * The y coordinates of all Ed25519 points of order 1, 2, 4 or 8, without the sign bit of x. The last two are non-canonical
 * encodings of the first two, which decoders accept. Anyone can forge signatures for a key in this list.
 */
const SMALL_ORDER = new Set([
	'0000000000000000000000000000000000000000000000000000000000000000',
	'0100000000000000000000000000000000000000000000000000000000000000',
	'26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
	'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
	'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
	'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
	'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

const bytesOf = (text = '') => Buffer.from(text, 'base64url');

function bitsOf(number: string): number {
	const bytes = bytesOf(number);
	const first = bytes.findIndex((byte) => byte !== 0);
	return first < 0 ? 0 : (bytes.length - first) * 8 + 24 - Math.clz32(bytes[first]!);
}

/** Returns why a well-formed key is insecure, as the end of a sentence; undefined if the key is secure. */
export function findWeakness(jwk: JWK): string | undefined {
	if (jwk.kty === 'RSA' && jwk.n !== undefined && jwk.e !== undefined) {
		const bits = bitsOf(jwk.n);
		if (bits < MIN_RSA_BITS) {
			return `too short: it has ${bits} bits, and ${MIN_RSA_BITS} or more are needed`;
		}
		const isOdd = ((bytesOf(jwk.e).at(-1) ?? 0) & 1) === 1;
		if (!isOdd || bitsOf(jwk.e) < 2) return 'unsafe: its exponent is not an odd number from 3 on';
	}
	if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') {
		const y = bytesOf(jwk.x);
		if (y.length === 32) y[31]! &= 0x7f;
		if (SMALL_ORDER.has(y.toString('hex'))) {
			return 'unsafe: it is one of the few with which anyone can sign';
		}
	}
	return undefined;
}

/**
 * Returns undefined if the function throws. The error is dropped, because a library's error could contain parts of the key.
 */
export const attempt = async <T>(work: () => Promise<T> | T): Promise<T | undefined> => {
	try {
		return await work();
	} catch {
		return undefined;
	}
};
