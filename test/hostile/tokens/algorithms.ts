import { createHmac, createPublicKey } from 'node:crypto';

import { casesFromTokens, claims, encodeJson, validTokenParts, signAs, user } from './tokenActors';
import type { Case } from './tokenActors';

const [, , signature] = validTokenParts;
const jwk = { kty: 'OKP', crv: 'Ed25519', x: user.fingerprint };
const publicKey = createPublicKey({ key: jwk, format: 'jwk' });

/** Public parts of the user's key that could be mistaken for a shared secret. */
const SECRETS: Record<string, Buffer | string> = {
	'the bytes of the public key': Buffer.from(user.fingerprint, 'base64url'),
	'the fingerprint': user.fingerprint,
	'the key as JSON': JSON.stringify(jwk),
	'the key as PEM': publicKey.export({ type: 'spki', format: 'pem' }).toString(),
	'the key as DER': publicKey.export({ type: 'spki', format: 'der' }),
	'an empty secret': '',
};
const BITS = [256, 384, 512];
const signWithHmac = (bits: number, secret: Buffer | string) => {
	const text = `${encodeJson({ alg: `HS${bits}` })}.${encodeJson(claims)}`;
	return `${text}.${createHmac(`sha${bits}`, secret).update(text).digest('base64url')}`;
};

/** Spellings of the algorithm without a signature. */
const NONE = [
	'none',
	'None',
	'NONE',
	'nOnE',
	'none ',
	' none',
	'none\0',
	'nöne',
	'null',
	'NULL',
	'',
];
/** Wrong names of the algorithm, for tokens with a genuine signature of the user. */
const WRONG_NAMES = [
	...[
		'eddsa',
		'EDDSA',
		'EdDSA ',
		'EdDSA\0',
		'ed25519',
		'Ed448',
		'ES256',
		'ES384',
		'ES512',
		'ES256K',
	],
	...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'HS256', 'dir', 'ECDH-ES', 'A128KW'],
	...['RSA1_5', 'constructor', '__proto__', 'toString'],
];

/** Tokens with a confused algorithm. */
export const algorithms: Case[] = casesFromTokens({
	...Object.fromEntries(
		NONE.flatMap((alg) => [
			[
				`${JSON.stringify(alg)} without a signature`,
				`${encodeJson({ alg })}.${encodeJson(claims)}.`,
			],
			[
				`${JSON.stringify(alg)} with a signature`,
				`${encodeJson({ alg })}.${encodeJson(claims)}.${signature}`,
			],
		]),
	),
	...Object.fromEntries(
		Object.entries(SECRETS).flatMap(([name, secret]) =>
			BITS.map((bits) => [`HS${bits} with ${name}`, signWithHmac(bits, secret)]),
		),
	),
	...Object.fromEntries(
		WRONG_NAMES.map((alg) => [
			`the user's signature under the name ${JSON.stringify(alg)}`,
			signAs(user, claims, { alg }),
		]),
	),
});
