// Protects verification: the key on record decides how a token is verified, not the credential, and forged signatures fail.
import { calculateJwkThumbprint } from 'jose';
import { createHmac } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { UnverifiedError, verifyToken } from '../../../nodes/PasswordlessIdentity/verification';
import { forgedByExponent, forgedBySmallOrder, smallOrderKeys } from '../../engine/token/forgeries';
import { b64, jwk, signRawToken } from '../../engine/token/tokens';
import { keyPairFor } from '../../support/keyPairs';
import type { KeyOwner } from '../../support/keyPairs';
import { stubClient } from '../../support/stubClient';

const BASE_URL = 'https://issuer.example';
beforeEach(() => keyCache.drop(BASE_URL));

/** Returns how a token is verified when the issuer returns this record, or why it is not. */
async function getOutcome(token: string, record: object, algorithm = 'EdDSA'): Promise<string> {
	return await verifyToken(token, {}, stubClient(BASE_URL, { body: record }, { algorithm })).then(
		({ claims }) => `verified ${claims.email as string}`,
		(error: unknown) => (error instanceof UnverifiedError ? error.reason : `${error as Error}`),
	);
}

const VERIFIED = 'verified a@example.com';
const EMAIL = 'a@example.com';
const computeThumbprint = async (key: JsonWebKey) => await calculateJwkThumbprint(key);
const ALGORITHMS = ['EdDSA', 'ES256', 'ES384', 'ES512', 'PS256', 'RS256'];

/** Creates a person, whose fingerprint is by default the thumbprint of the key. */
async function createPerson(
	algorithm: string,
	getFingerprint?: (key: JsonWebKey) => string,
	owner?: KeyOwner,
) {
	const { privateKey } = keyPairFor(algorithm, owner);
	const key = jwk(privateKey);
	const sub = getFingerprint?.(key) ?? (await computeThumbprint(key));
	const sign = (name = algorithm, signingKey: KeyObject = privateKey) =>
		signRawToken(signingKey, name, { sub, email: EMAIL });
	return { sub, key, privateKey, sign };
}

describe.each(ALGORITHMS)('a record with a key for %s', (algorithm) => {
	it('verifies a token with any algorithm in the credential', async () => {
		const { sub, key, sign } = await createPerson(algorithm);
		for (const credentialAlgorithm of [...ALGORITHMS, '', 'HS256', 'nonsense']) {
			expect(await getOutcome(sign(), { sub, jwk: key }, credentialAlgorithm)).toBe(VERIFIED);
		}
	});

	it('is rejected if the thumbprint of its key is not the fingerprint', async () => {
		const { sub, privateKey } = await createPerson(algorithm);
		const other = await createPerson(algorithm, undefined, 'Mallory');
		const forged = signRawToken(other.privateKey, algorithm, { sub, email: EMAIL });
		expect(await getOutcome(forged, { sub, jwk: other.key })).toBe('badRecord');
		expect(
			await getOutcome(signRawToken(privateKey, algorithm, { sub }), { sub, jwk: other.key }),
		).toBe('badRecord');
	});
});

describe('the fingerprint of an Ed25519 key, which is the key itself', () => {
	const getPublicKey = ({ x }: JsonWebKey) => x!;

	it('verifies a token with or without a key on record', async () => {
		const { sub, key, sign } = await createPerson('EdDSA', getPublicKey);
		for (const record of [{ sub }, { sub, jwk: null }, { sub, jwk: key }]) {
			keyCache.drop(BASE_URL);
			expect(await getOutcome(sign(), record, 'RS256')).toBe(VERIFIED);
		}
	});

	it('is not used instead of a key on record that does not match', async () => {
		const { sub, sign } = await createPerson('EdDSA', getPublicKey);
		const other = await createPerson('ES256');
		for (const key of [other.key, {}, [], '', 'a key', 7, true, { kty: 'OKP' }]) {
			keyCache.drop(BASE_URL);
			expect(await getOutcome(sign(), { sub, jwk: key })).toBe('badRecord');
		}
	});

	it('is not used if another Ed25519 key is on record', async () => {
		const person = await createPerson('EdDSA', getPublicKey);
		const { key } = await createPerson('EdDSA', undefined, 'Mallory');
		expect(await getOutcome(person.sign(), { sub: person.sub, jwk: key })).toBe('badRecord');
	});
});

it('a record with a shared secret is rejected, even if its thumbprint is the fingerprint', async () => {
	const secret = Buffer.from('a secret that the issuer shows to everybody');
	const key = { kty: 'oct', k: secret.toString('base64url') };
	const sub = await computeThumbprint(key);
	const input = `${b64({ alg: 'HS256' })}.${b64({ sub, email: EMAIL })}`;
	const forged = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
	expect(await getOutcome(forged, { sub, jwk: key }, 'HS256')).toBe('badRecord');
	keyCache.drop(BASE_URL);
	expect(await getOutcome(forged, { sub, jwk: { ...key, alg: 'HS256' } })).toBe('badRecord');
});

it('an RSA key verifies RS256 and PS256 by the header of the token, or only the algorithm in its record', async () => {
	const { sub, key, sign } = await createPerson('RS256');
	const verifyWith = async (algorithm: string, alg?: string) => {
		keyCache.drop(BASE_URL);
		return await getOutcome(sign(algorithm), { sub, jwk: { ...key, ...(alg && { alg }) } });
	};
	expect(await verifyWith('RS256')).toBe(VERIFIED);
	expect(await verifyWith('PS256')).toBe(VERIFIED);
	expect(await verifyWith('RS512')).toBe('algorithm');
	expect(await verifyWith('PS256', 'PS256')).toBe(VERIFIED);
	expect(await verifyWith('RS256', 'PS256')).toBe('algorithm');
	expect(await verifyWith('RS256', 'HS256')).toBe('unsuitableKey');
});

it('a record without a key is rejected if the algorithm of the token needs a key', async () => {
	const { sub, sign } = await createPerson('ES256');
	expect(await getOutcome(sign(), { sub }, 'ES256')).toBe('noPublicKey');
	expect(await getOutcome(sign('ES256').replace(/^[^.]+/, b64({ alg: 'HS256' })), { sub })).toBe(
		'algorithm',
	);
});

describe('forged signatures', () => {
	it('are rejected for an RSA key with the exponent 1', async () => {
		const { jwk: key } = forgedByExponent({});
		const sub = await computeThumbprint(key);
		// The forged signature does not depend on the key, so the claims can contain the thumbprint of that key.
		const { token } = forgedByExponent({ sub, email: EMAIL });
		expect(await getOutcome(token, { sub, jwk: key }, 'RS256')).toBe('weakKey');
	});

	it('are rejected for an Ed25519 key of small order', async () => {
		const forgeries = smallOrderKeys()
			.map((sub) => ({ sub, forged: forgedBySmallOrder(sub, { sub, email: EMAIL }) }))
			.filter(({ forged }) => forged !== undefined);
		expect(forgeries.length).toBeGreaterThanOrEqual(8);
		for (const { sub, forged } of forgeries) {
			for (const record of [{ sub }, { sub, jwk: { kty: 'OKP', crv: 'Ed25519', x: sub } }]) {
				keyCache.drop(BASE_URL);
				expect(await getOutcome(forged!, record)).toBe('weakKey');
			}
		}
	});
});
