import type { IDataObject } from 'n8n-workflow';
import { createHash, createHmac } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';

import { forgedByExponent, forgedBySmallOrder, smallOrderKeys } from '../../engine/token/forgeries';
import { signRawToken } from '../../engine/token/tokens';
import { keyPairFor, storedKeyPair } from '../../support/keyPairs';
import { EVIL, mallory, encodedJson, records, signedBy, personWithRecord } from './tokenActors';
import type { Case } from './tokenActors';

/** The RFC 7638 thumbprint, made without the engine. */
const thumbprint = ({ crv, e, k, kty, n, x, y }: JsonWebKey) =>
	createHash('sha256').update(JSON.stringify({ crv, e, k, kty, n, x, y })).digest('base64url');

/** Creates a person whose record holds this key, by default under its own thumbprint, and the tokens signed in that name. */
function createRecordedCase(
	name: string,
	jwk: JsonWebKey,
	sign: (claims: object) => string,
	fingerprint = thumbprint(jwk),
): Case {
	records.set(fingerprint, { sub: fingerprint, status: 'registered', jwk });
	return { name, body: sign({ sub: fingerprint, email: EVIL }), subject: { fingerprint } };
}

const secret = Buffer.from('a shared secret that stands in the record for everybody to read');
const hmac = (claims: object) => {
	const text = `${encodedJson({ alg: 'HS256' })}.${encodedJson(claims)}`;
	return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};
const rsa = keyPairFor('RS256');
const short = storedKeyPair('1024 bits');
const publicOf = ({ publicKey }: typeof rsa) => publicKey.export({ format: 'jwk' });
const exponent = forgedByExponent({}).jwk;

/** A record whose key is not that of the fingerprint, with a token that the fingerprint's own key has signed. */
const beside = (name: string, jwk: unknown): Case => {
	const key = personWithRecord(name, (sub) => ({ sub, status: 'registered', jwk }) as never);
	return { name, body: signedBy(key, { sub: key.fingerprint, email: EVIL }), subject: key };
};

/** A record that holds the key of the fingerprint and another one, with a token that the other one has signed. */
const mixed = (name: string, kty: string): Case => {
	const key = personWithRecord(name, (sub) => ({
		sub,
		status: 'registered',
		jwk: { ...publicOf(rsa), kty, crv: 'Ed25519', x: sub } as IDataObject,
	}));
	const forged = signRawToken(rsa.privateKey, 'RS256', { sub: key.fingerprint, email: EVIL });
	return { name, body: forged, subject: key };
};

/** Keys in records, and keys that fingerprints spell out, that prove nothing. */
export const weakKeys: Case[] = [
	...smallOrderKeys().flatMap((fingerprint): Case[] => {
		const body = forgedBySmallOrder(fingerprint, { sub: fingerprint, email: EVIL });
		if (body === undefined) return [];
		records.set(fingerprint, { sub: fingerprint, status: 'registered' });
		return [{ name: `the small order of ${fingerprint}`, body, subject: { fingerprint } }];
	}),
	createRecordedCase(
		'an RSA key with the exponent 1',
		exponent,
		(claims) => forgedByExponent(claims).token,
	),
	createRecordedCase('a short RSA key', publicOf(short), (claims) =>
		signRawToken(short.privateKey, 'RS256', claims),
	),
	createRecordedCase(
		'an RSA key for another algorithm',
		{ ...publicOf(rsa), alg: 'PS256' },
		(claims) => signRawToken(rsa.privateKey, 'RS256', claims),
		thumbprint(publicOf(rsa)),
	),
	createRecordedCase('a shared secret', { kty: 'oct', k: secret.toString('base64url') }, hmac),
	beside("another person's key in the record", mallory.publicJwk),
	beside('an RSA key in the record', publicOf(rsa)),
	beside('a shared secret in the record', { kty: 'oct', k: 'c2VjcmV0' }),
	beside('an empty key in the record', {}),
	beside('a list for a key in the record', []),
	beside('a word for a key in the record', 'the key'),
	mixed('an RSA key with the x of another', 'RSA'),
	mixed('an Ed25519 key with the n and e of another', 'OKP'),
];
