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

// The record of a key decides how a token is checked, whatever the credential signs with.

const BASE = 'https://issuer.example';
beforeEach(() => keyCache.drop(BASE));

/** Returns how a token is verified when the issuer returns this record, or why it is not. */
async function getOutcome(token: string, record: object, algorithm = 'EdDSA'): Promise<string> {
	return await verifyToken(token, {}, stubClient(BASE, { body: record }, { algorithm })).then(
		({ claims }) => `verified ${claims.email as string}`,
		(error: unknown) => (error instanceof UnverifiedError ? error.reason : `${error as Error}`),
	);
}

const GOOD = 'verified a@example.com';
const email = 'a@example.com';
const thumbprint = async (key: JsonWebKey) => await calculateJwkThumbprint(key);
const ALGORITHMS = ['EdDSA', 'ES256', 'ES384', 'ES512', 'PS256', 'RS256'];

/** A person, by default identified by the thumbprint of the key. */
async function createPerson(
	algorithm: string,
	fingerprintOf?: (key: JsonWebKey) => string,
	owner?: KeyOwner,
) {
	const { privateKey } = keyPairFor(algorithm, owner);
	const key = jwk(privateKey);
	const sub = fingerprintOf?.(key) ?? (await thumbprint(key));
	const sign = (name = algorithm, by: KeyObject = privateKey) =>
		signRawToken(by, name, { sub, email });
	return { sub, key, privateKey, sign };
}

describe.each(ALGORITHMS)('a record with a key for %s', (algorithm) => {
	it('verifies, whatever the algorithm of the credential', async () => {
		const { sub, key, sign } = await createPerson(algorithm);
		for (const credentialAlgorithm of [...ALGORITHMS, '', 'HS256', 'nonsense']) {
			expect(await getOutcome(sign(), { sub, jwk: key }, credentialAlgorithm)).toBe(GOOD);
		}
	});

	it('a record whose thumbprint is not the fingerprint is rejected', async () => {
		const { sub, privateKey } = await createPerson(algorithm);
		const other = await createPerson(algorithm, undefined, 'Mallory');
		const forged = signRawToken(other.privateKey, algorithm, { sub, email });
		expect(await getOutcome(forged, { sub, jwk: other.key })).toBe('badRecord');
		expect(
			await getOutcome(signRawToken(privateKey, algorithm, { sub }), { sub, jwk: other.key }),
		).toBe('badRecord');
	});
});

describe('an Ed25519 key', () => {
	const byKey = ({ x }: JsonWebKey) => x!;

	it('is known by the fingerprint alone, and with its key on record', async () => {
		const { sub, key, sign } = await createPerson('EdDSA', byKey);
		for (const record of [{ sub }, { sub, jwk: null }, { sub, jwk: key }]) {
			keyCache.drop(BASE);
			expect(await getOutcome(sign(), record, 'RS256')).toBe(GOOD);
		}
	});

	it('the fingerprint is not used as a fallback if the key on record does not verify', async () => {
		const { sub, sign } = await createPerson('EdDSA', byKey);
		const other = await createPerson('ES256');
		for (const key of [other.key, {}, [], '', 'a key', 7, true, { kty: 'OKP' }]) {
			keyCache.drop(BASE);
			expect(await getOutcome(sign(), { sub, jwk: key })).toBe('badRecord');
		}
	});

	it('the key on record is the only key, even if the fingerprint contains another', async () => {
		const person = await createPerson('EdDSA', byKey);
		const { key } = await createPerson('EdDSA', undefined, 'Mallory');
		expect(await getOutcome(person.sign(), { sub: person.sub, jwk: key })).toBe('badRecord');
	});
});

it('a shared secret is rejected, even if its thumbprint matches', async () => {
	const secret = Buffer.from('a secret that the issuer shows to everybody');
	const key = { kty: 'oct', k: secret.toString('base64url') };
	const sub = await thumbprint(key);
	const input = `${b64({ alg: 'HS256' })}.${b64({ sub, email })}`;
	const forged = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
	expect(await getOutcome(forged, { sub, jwk: key }, 'HS256')).toBe('badRecord');
	keyCache.drop(BASE);
	expect(await getOutcome(forged, { sub, jwk: { ...key, alg: 'HS256' } })).toBe('badRecord');
});

it('an RSA key accepts RS256 and PS256 according to the header, or the algorithm that it names', async () => {
	const { sub, key, sign } = await createPerson('RS256');
	const verifyWith = async (algorithm: string, alg?: string) => {
		keyCache.drop(BASE);
		return await getOutcome(sign(algorithm), { sub, jwk: { ...key, ...(alg && { alg }) } });
	};
	expect(await verifyWith('RS256')).toBe(GOOD);
	expect(await verifyWith('PS256')).toBe(GOOD);
	expect(await verifyWith('RS512')).toBe('algorithm');
	expect(await verifyWith('PS256', 'PS256')).toBe(GOOD);
	expect(await verifyWith('RS256', 'PS256')).toBe('algorithm');
	expect(await verifyWith('RS256', 'HS256')).toBe('unsuitableKey');
});

it('a record without a key is reported if the token needs one', async () => {
	const { sub, sign } = await createPerson('ES256');
	expect(await getOutcome(sign(), { sub }, 'ES256')).toBe('noPublicKey');
	expect(await getOutcome(sign('ES256').replace(/^[^.]+/, b64({ alg: 'HS256' })), { sub })).toBe(
		'algorithm',
	);
});

describe('forged signatures', () => {
	it('a forged signature for an RSA key with the exponent 1 is rejected', async () => {
		const { jwk: key } = forgedByExponent({});
		const sub = await thumbprint(key);
		// The signature has nothing to do with the modulus, so the same key serves for claims that name it.
		const { token } = forgedByExponent({ sub, email });
		expect(await getOutcome(token, { sub, jwk: key }, 'RS256')).toBe('weakKey');
	});

	it('a forged signature for an Ed25519 key of small order is rejected', async () => {
		const forgeries = smallOrderKeys()
			.map((sub) => ({ sub, forged: forgedBySmallOrder(sub, { sub, email }) }))
			.filter(({ forged }) => forged !== undefined);
		expect(forgeries.length).toBeGreaterThanOrEqual(8);
		for (const { sub, forged } of forgeries) {
			for (const record of [{ sub }, { sub, jwk: { kty: 'OKP', crv: 'Ed25519', x: sub } }]) {
				keyCache.drop(BASE);
				expect(await getOutcome(forged!, record)).toBe('weakKey');
			}
		}
	});
});
