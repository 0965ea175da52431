import type { JWK } from 'jose';

// From the text of a private key, as people paste it, to a JWK. Other modules take what they need from `jwt`, which
// re-exports it: the build inlines this file there, and an error class must exist once to be recognized.

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
export const KINDS = {
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
export type Algorithm = keyof typeof KINDS;

/** All supported algorithms, the default first. */
export const ALGORITHMS = Object.keys(KINDS) as Algorithm[];

/** Narrows a name to a supported algorithm or throws KeyError. */
export function supported(algorithm: string): Algorithm {
	if (Object.hasOwn(KINDS, algorithm)) return algorithm as Algorithm;
	throw new KeyError(
		'algorithm',
		`Unknown signature algorithm. Use one of ${ALGORITHMS.join(', ')}.`,
	);
}

/** The names an algorithm may have in a header: Ed25519 is the newer name of EdDSA on that curve (RFC 9864). */
export const headerNames = (algorithm: Algorithm): string[] =>
	algorithm === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [algorithm];

const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e'];
const PRIVATE_MEMBERS = [...PUBLIC_MEMBERS, 'd', 'p', 'q', 'dp', 'dq', 'qi'];

const pick = (source: object, members: string[]): JWK =>
	Object.fromEntries(
		Object.entries(source).filter(
			([name, value]) => members.includes(name) && typeof value === 'string',
		),
	);

/** The public half of a JWK and nothing else: no private member, no hint about its use. */
export const publicPart = (jwk: object): JWK => pick(jwk, PUBLIC_MEMBERS);

/** Whether a JWK is of the type that an algorithm needs. */
export const fits = (jwk: JWK, algorithm: Algorithm): boolean =>
	jwk.kty === KINDS[algorithm].kty && jwk.crv === KINDS[algorithm].crv;

/** Does what may fail and gives undefined if it did: a library's error could carry what nobody should see. */
export const attempt = async <T>(work: () => Promise<T> | T): Promise<T | undefined> => {
	try {
		return await work();
	} catch {
		return undefined;
	}
};

/** The error for a key that cannot be read although its form is right. */
export const damaged = (): KeyError =>
	new KeyError(
		'damaged',
		'The private key is damaged or incomplete. Copy it again, from its first to its last character.',
	);

/** The algorithm identifiers that a PKCS#8 key begins with, as hexadecimal DER. */
const IDENTIFIERS: Array<[der: string, type: { kty: string; crv?: string }, name: string]> = [
	['06032b6570', { kty: 'OKP', crv: 'Ed25519' }, 'an Ed25519 key'],
	['06032b6571', { kty: 'OKP', crv: 'Ed448' }, 'an Ed448 key'],
	['06032b656e', { kty: 'OKP', crv: 'X25519' }, 'an X25519 key'],
	['06072a8648ce3d020106082a8648ce3d030107', { kty: 'EC', crv: 'P-256' }, 'an EC key on P-256'],
	['06072a8648ce3d020106052b81040022', { kty: 'EC', crv: 'P-384' }, 'an EC key on P-384'],
	['06072a8648ce3d020106052b81040023', { kty: 'EC', crv: 'P-521' }, 'an EC key on P-521'],
	['06092a864886f70d010101', { kty: 'RSA' }, 'an RSA key'],
];

const nameOf = (jwk: JWK): string =>
	IDENTIFIERS.find(([, type]) => type.kty === jwk.kty && type.crv === jwk.crv)?.[2] ??
	'a key of another type';

function assertFits(jwk: JWK, algorithm: Algorithm): void {
	if (fits(jwk, algorithm)) return;
	throw new KeyError(
		'type',
		`${algorithm} needs ${nameOf(KINDS[algorithm])}, but this is ${nameOf(jwk)}. Choose the algorithm that fits the key, or paste another key.`,
	);
}

const CONVERT = 'Convert it with: openssl pkcs8 -topk8 -nocrypt -in key.pem';

function assertPkcs8(text: string): void {
	const labels = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)].map(([, name]) => name ?? '');
	const label = labels.find((name) => name.endsWith('PRIVATE KEY')) ?? labels[0] ?? '';
	if (label.startsWith('ENCRYPTED') || /Proc-Type: *4, *ENCRYPTED/.test(text)) {
		throw new KeyError('encrypted', `This private key is protected by a passphrase. ${CONVERT}`);
	}
	if (label.endsWith('PUBLIC KEY') || label.endsWith('CERTIFICATE')) {
		throw new KeyError(
			'public',
			'This is a public key. Signing needs the private key that belongs to it.',
		);
	}
	if (label !== 'PRIVATE KEY') {
		throw new KeyError(
			'container',
			`This key is not in PKCS#8 form (-----BEGIN PRIVATE KEY-----). ${CONVERT}`,
		);
	}
}

async function fromPem(text: string, algorithm: Algorithm): Promise<JWK> {
	assertPkcs8(text);
	// Password fields turn line breaks into spaces or drop them, so their places mean nothing.
	const body = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/.exec(text)?.[1] ?? '';
	const base64 = body.replace(/\s+/g, '');
	if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) throw damaged();
	const der = Buffer.from(base64, 'base64');
	const head = /^30(?:[0-7].|81..|82....)02010[01]30..(06.*)$/.exec(der.toString('hex'))?.[1];
	if (head === undefined) throw damaged();
	const [, type = {}] = IDENTIFIERS.find(([identifier]) => head.startsWith(identifier)) ?? [];
	assertFits(type, algorithm);

	const jwk = await attempt(async () => {
		const key = await crypto.subtle.importKey('pkcs8', der, KINDS[algorithm].subtle, true, [
			'sign',
		]);
		return await crypto.subtle.exportKey('jwk', key);
	});
	if (!jwk) throw damaged();
	return pick(jwk, PRIVATE_MEMBERS);
}

async function fromJson(text: string, algorithm: Algorithm): Promise<JWK> {
	const jwk = await attempt(() => JSON.parse(text) as JWK);
	if (!jwk) throw damaged();
	if (typeof jwk.kty !== 'string') {
		throw new KeyError('format', 'This JSON is not a single key: it has no "kty". Paste one JWK.');
	}
	assertFits(jwk, algorithm);
	if (jwk.alg !== undefined && !headerNames(algorithm).includes(jwk.alg)) {
		throw new KeyError('type', `This JWK is made for another algorithm than ${algorithm}.`);
	}
	if (typeof jwk.d !== 'string') {
		throw new KeyError(
			'public',
			'This is a public key: the JWK has no "d". Signing needs the private key that belongs to it.',
		);
	}
	return pick(jwk, PRIVATE_MEMBERS);
}

/**
 * Reads a private key from PKCS#8 PEM, with or without its line breaks, or from a JWK in JSON.
 * Guarantees a private JWK of the type that the algorithm needs, long enough if it is RSA; throws KeyError otherwise.
 */
export async function privateJwk(text: string, algorithm: Algorithm): Promise<JWK> {
	const source = text
		.replace(/\\r|\\n/g, '\n')
		.trim()
		.replace(/^(["'])([^]*)\1$/, '$2')
		.trim();
	if (source === '') throw new KeyError('empty', 'The private key is empty.');
	const json = source.startsWith('{');
	if (!json && !source.includes('-----BEGIN ')) {
		throw new KeyError(
			'format',
			'The private key is neither PEM (-----BEGIN PRIVATE KEY-----) nor a JWK ({"kty": …}).',
		);
	}
	const jwk = json ? await fromJson(source, algorithm) : await fromPem(source, algorithm);
	if (jwk.kty === 'RSA' && Buffer.from(jwk.n ?? '', 'base64url').length < 256) {
		throw new KeyError('weak', 'This RSA key is too short: 2048 bits or more are needed.');
	}
	return jwk;
}
