import type { IDataObject } from 'n8n-workflow';
import { createHash, createHmac } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';

import { forgedByExponent, forgedBySmallOrder, smallOrderKeys } from '../../engine/token/forgeries';
import { signRawToken } from '../../engine/token/tokens';
import { keyPairFor, storedKeyPair } from '../../support/keyPairs';
import {
	EVIL_EMAIL,
	mallory,
	encodeJson,
	records,
	signAs,
	createPersonWithRecord,
} from './tokenActors';
import type { Case } from './tokenActors';

/** Computes the RFC 7638 thumbprint without the engine. */
const thumbprint = ({ crv, e, k, kty, n, x, y }: JsonWebKey) =>
	createHash('sha256').update(JSON.stringify({ crv, e, k, kty, n, x, y })).digest('base64url');

/** Creates a person whose record contains this key, by default with its thumbprint as ID, and a token of that person. */
function createRecordedCase(
	name: string,
	jwk: JsonWebKey,
	sign: (claims: object) => string,
	fingerprint = thumbprint(jwk),
): Case {
	records.set(fingerprint, { sub: fingerprint, status: 'registered', jwk });
	return { name, body: sign({ sub: fingerprint, email: EVIL_EMAIL }), subject: { fingerprint } };
}

const secret = Buffer.from('a shared secret that stands in the record for everybody to read');
const signWithHmac = (claims: object) => {
	const text = `${encodeJson({ alg: 'HS256' })}.${encodeJson(claims)}`;
	return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};
const rsaKeyPair = keyPairFor('RS256');
const shortKeyPair = storedKeyPair('1024 bits');
const exportPublicJwk = ({ publicKey }: typeof rsaKeyPair) => publicKey.export({ format: 'jwk' });
const exponentOneKey = forgedByExponent({}).jwk;

/** Creates a record with another key than that of the fingerprint, and a token that the key of the fingerprint signed. */
const createMismatchedCase = (name: string, jwk: unknown): Case => {
	const key = createPersonWithRecord(name, (sub) => ({ sub, status: 'registered', jwk }) as never);
	return { name, body: signAs(key, { sub: key.fingerprint, email: EVIL_EMAIL }), subject: key };
};

/** Creates a record with the key of the fingerprint and a second key, and a token that the second key signed. */
const createMixedKeyCase = (name: string, kty: string): Case => {
	const key = createPersonWithRecord(name, (sub) => ({
		sub,
		status: 'registered',
		jwk: { ...exportPublicJwk(rsaKeyPair), kty, crv: 'Ed25519', x: sub } as IDataObject,
	}));
	const forged = signRawToken(rsaKeyPair.privateKey, 'RS256', {
		sub: key.fingerprint,
		email: EVIL_EMAIL,
	});
	return { name, body: forged, subject: key };
};

/** Tokens of keys that are weak or do not belong to the person. */
export const weakKeys: Case[] = [
	...smallOrderKeys().flatMap((fingerprint): Case[] => {
		const body = forgedBySmallOrder(fingerprint, { sub: fingerprint, email: EVIL_EMAIL });
		if (body === undefined) return [];
		records.set(fingerprint, { sub: fingerprint, status: 'registered' });
		return [{ name: `the small order of ${fingerprint}`, body, subject: { fingerprint } }];
	}),
	createRecordedCase(
		'an RSA key with the exponent 1',
		exponentOneKey,
		(claims) => forgedByExponent(claims).token,
	),
	createRecordedCase('a short RSA key', exportPublicJwk(shortKeyPair), (claims) =>
		signRawToken(shortKeyPair.privateKey, 'RS256', claims),
	),
	createRecordedCase(
		'an RSA key for another algorithm',
		{ ...exportPublicJwk(rsaKeyPair), alg: 'PS256' },
		(claims) => signRawToken(rsaKeyPair.privateKey, 'RS256', claims),
		thumbprint(exportPublicJwk(rsaKeyPair)),
	),
	createRecordedCase(
		'a shared secret',
		{ kty: 'oct', k: secret.toString('base64url') },
		signWithHmac,
	),
	createMismatchedCase("another person's key in the record", mallory.publicJwk),
	createMismatchedCase('an RSA key in the record', exportPublicJwk(rsaKeyPair)),
	createMismatchedCase('a shared secret in the record', { kty: 'oct', k: 'c2VjcmV0' }),
	createMismatchedCase('an empty key in the record', {}),
	createMismatchedCase('a list for a key in the record', []),
	createMismatchedCase('a word for a key in the record', 'the key'),
	createMixedKeyCase('an RSA key with the x of another', 'RSA'),
	createMixedKeyCase('an Ed25519 key with the n and e of another', 'OKP'),
];
