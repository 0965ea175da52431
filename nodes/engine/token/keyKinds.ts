import type { JWK } from 'jose';

// Which keys sign by which algorithm, and which of them are worth nothing. Other modules take what they need from `jwt`,
// which re-exports it: the build inlines this file there, and an error class must exist once to be recognized.

/** Says why a key cannot be used. The message never holds any part of the key. */
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

/** What each supported algorithm needs: the type of key, and what WebCrypto calls it. */
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

/** A signature algorithm to sign and verify with. Those with a shared secret (HS256 and so on) are not among them. */
export type Algorithm = keyof typeof KEY_SPECS;

/** All supported algorithms, the default first. */
export const ALGORITHMS = Object.keys(KEY_SPECS).filter(isAlgorithm);

/** Whether it is the name of one. */
export function isAlgorithm(name: string): name is Algorithm {
	return Object.hasOwn(KEY_SPECS, name);
}

/** Narrows a name to a supported algorithm or throws KeyError. */
export function requireAlgorithm(algorithm: string): Algorithm {
	if (isAlgorithm(algorithm)) return algorithm;
	throw new KeyError(
		'algorithm',
		`Unknown signature algorithm. Use one of ${ALGORITHMS.join(', ')}.`,
	);
}

/** The names an algorithm may have in a header: Ed25519 is the newer name of EdDSA on that curve (RFC 9864). */
export const headerNames = (algorithm: Algorithm): string[] =>
	algorithm === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [algorithm];

/** The members that hold a key, public and private, by its `kty` (RFC 7518, section 6, and RFC 8037, section 2). */
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

/** The named members of a JWK, as far as they are texts. */
const pickTexts = (source: object, members: string[]): JWK =>
	Object.fromEntries(
		Object.entries(source).filter(
			([name, value]) => members.includes(name) && typeof value === 'string',
		),
	);

/**
 * Whether a JWK holds members of another type than its `kty`. Such a key is two keys: a reader of `crv` and `x` sees
 * another one than a reader of `n` and `e`. A member that is null counts as missing.
 */
export function mixesKeyTypes(jwk: object): boolean {
	const members = keyMembersOf(jwk);
	const own = members ? [...members.publicMembers, ...members.privateMembers] : [];
	return Object.entries(jwk).some(
		([name, value]) =>
			ALL_MEMBERS.has(name) && !own.includes(name) && value !== null && value !== undefined,
	);
}

/** The public members of a JWK by its `kty`, and nothing else. Undefined for an unknown `kty` and for a mixed key. */
export function toPublicJwk(jwk: object): JWK | undefined {
	const members = keyMembersOf(jwk);
	return members && !mixesKeyTypes(jwk)
		? pickTexts(jwk, ['kty', ...members.publicMembers])
		: undefined;
}

/** The same with the private members. */
export function toPrivateJwk(jwk: object): JWK | undefined {
	const members = keyMembersOf(jwk);
	return members && !mixesKeyTypes(jwk)
		? pickTexts(jwk, ['kty', ...members.publicMembers, ...members.privateMembers])
		: undefined;
}

/** Whether a JWK is of the type that an algorithm needs. */
export const fitsAlgorithm = (jwk: JWK, algorithm: Algorithm): boolean =>
	jwk.kty === KEY_SPECS[algorithm].kty && jwk.crv === KEY_SPECS[algorithm].crv;

/** What an RSA key that does not name its algorithm may sign by. */
const DEFAULT_RSA_ALGORITHMS: Algorithm[] = ['RS256', 'PS256'];

/**
 * The algorithms by which a key may have signed: the one that it names, else by its curve, else the two that are usual for
 * RSA. None for a shared secret, and none where the key names an algorithm that does not fit it.
 */
export function algorithmsFor(jwk: JWK): Algorithm[] {
	const fitting = ALGORITHMS.filter((algorithm) => fitsAlgorithm(jwk, algorithm));
	// A record may hold anything there, and null for nothing.
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
 * The y of all points of Ed25519 whose order is 1, 2, 4 or 8, without the bit for the sign of x; the last two are the first two
 * in a form that no encoder writes and every decoder takes. With such a key anybody can make signatures.
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

/** Why a key is worth nothing although its form is right, as the end of a sentence; nothing if it is sound. */
export function findWeakness(jwk: JWK): string | undefined {
	if (jwk.kty === 'RSA' && jwk.n !== undefined && jwk.e !== undefined) {
		const bits = bitsOf(jwk.n);
		if (bits < MIN_RSA_BITS) {
			return `too short: it has ${bits} bits, and ${MIN_RSA_BITS} or more are needed`;
		}
		const odd = ((bytesOf(jwk.e).at(-1) ?? 0) & 1) === 1;
		if (!odd || bitsOf(jwk.e) < 2) return 'unsafe: its exponent is not an odd number from 3 on';
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

/** Does what may fail and gives undefined if it did: a library's error could carry what nobody should see. */
export const attempt = async <T>(work: () => Promise<T> | T): Promise<T | undefined> => {
	try {
		return await work();
	} catch {
		return undefined;
	}
};
