// Protects workflows that verify tokens: a key with which anyone can sign is rejected, and each key has its own algorithms.
import { createPublicKey, generateKeyPairSync, verify as rawVerify } from 'node:crypto';

import { verifyJwt } from '../../../nodes/engine/token/jwt';
import { storedKeyPair } from '../../support/keyPairs';
import { forgedByExponent, forgedBySmallOrder, smallOrderKeys } from './forgeries';
import { jwk, signRawToken, NOW, pairs, tokenErrorOf } from './tokens';

const reasonFor = async (token: string, key: object) =>
	(await tokenErrorOf(verifyJwt(token, key, { now: NOW }))).reason;

describe('Ed25519 keys of small order', () => {
	const keys = smallOrderKeys();

	test('there are fourteen keys of small order, and node:crypto accepts forged signatures for them', () => {
		expect(new Set(keys).size).toBe(14);
		const forged = keys.filter((x) => forgedBySmallOrder(x, {}) !== undefined);
		expect(forged.length).toBeGreaterThanOrEqual(8);
	});

	test.each(keys)('the key %s is rejected', async (x) => {
		const token =
			forgedBySmallOrder(x, { sub: x }) ?? signRawToken(pairs.EdDSA!.privateKey, 'EdDSA', {});
		expect(await reasonFor(token, { kty: 'OKP', crv: 'Ed25519', x })).toBe('weakKey');
	});

	test('a random Ed25519 key is accepted', async () => {
		for (let n = 0; n < 50; n++) {
			const { privateKey } = generateKeyPairSync('ed25519');
			await verifyJwt(signRawToken(privateKey, 'EdDSA', {}), jwk(privateKey), { now: NOW });
		}
	});
});

describe('RSA keys', () => {
	const { privateKey } = pairs.RS256!;
	const token = signRawToken(privateKey, 'RS256', {});
	const rsaJwk = jwk(privateKey);

	test('an RSA key with the exponent 1 is rejected, though node:crypto accepts it', async () => {
		const forged = forgedByExponent({ sub: 'x' });
		const [head, body, signature] = forged.token.split('.') as [string, string, string];
		const key = createPublicKey({ key: forged.jwk, format: 'jwk' });
		const input = Buffer.from(`${head}.${body}`);
		expect(rawVerify('sha256', input, key, Buffer.from(signature, 'base64url'))).toBe(true);
		expect(await reasonFor(forged.token, forged.jwk)).toBe('weakKey');
	});

	test.each([
		['nothing', ''],
		['0', 'AA'],
		['1', 'AQ'],
		['1 with zeros in front', 'AAAB'],
		['2', 'Ag'],
		['65536', 'AQAA'],
	])('an RSA key with the exponent %s is rejected', async (_, e) => {
		expect(await reasonFor(token, { ...rsaJwk, e })).toBe('weakKey');
	});

	test('an RSA key with the exponent 3 is accepted', async () => {
		const exponentThreePair = storedKeyPair('exponent 3');
		await verifyJwt(
			signRawToken(exponentThreePair.privateKey, 'RS256', {}),
			jwk(exponentThreePair.privateKey),
			{
				now: NOW,
			},
		);
	});

	test.each([512, 1024, 2047] as const)('an RSA key of %i bits is rejected', async (bits) => {
		const shortKey = storedKeyPair(`${bits} bits`).privateKey;
		expect(await reasonFor(signRawToken(shortKey, 'RS256', {}), jwk(shortKey))).toBe('weakKey');
		const paddedModulus = Buffer.concat([
			Buffer.alloc(256),
			Buffer.from(jwk(shortKey).n!, 'base64url'),
		]);
		const paddedJwk = { ...jwk(shortKey), n: paddedModulus.toString('base64url') };
		expect(await reasonFor(signRawToken(shortKey, 'RS256', {}), paddedJwk)).toBe('weakKey');
	});

	test.each(['n', 'e'])('an RSA key without %s is rejected', async (member) => {
		expect(await reasonFor(token, { ...rsaJwk, [member]: undefined })).toBe('unsuitableKey');
	});

	test('an RSA key with a huge malformed modulus or exponent is rejected', async () => {
		await tokenErrorOf(verifyJwt(token, { ...rsaJwk, n: `-${'A'.repeat(400_000)}` }, { now: NOW }));
		await tokenErrorOf(verifyJwt(token, { ...rsaJwk, e: `-${'_'.repeat(400_000)}` }, { now: NOW }));
	});
});

describe('the accepted algorithms of a key', () => {
	const { privateKey } = pairs.PS256!;
	const key = jwk(privateKey);
	const verifyWith = async (algorithm: string, alg?: string) =>
		await verifyJwt(
			signRawToken(privateKey, algorithm, {}),
			{ ...key, ...(alg && { alg }) },
			{ now: NOW },
		).then(
			() => true,
			({ reason }: { reason: string }) => reason,
		);

	test('an RSA key without alg accepts RS256 and PS256', async () => {
		expect(await verifyWith('RS256')).toBe(true);
		expect(await verifyWith('PS256')).toBe(true);
		for (const other of ['RS384', 'RS512', 'PS384', 'PS512']) {
			expect(await verifyWith(other)).toBe('algorithm');
		}
	});

	test('an RSA key with alg accepts no other algorithm', async () => {
		expect(await verifyWith('PS512', 'PS512')).toBe(true);
		expect(await verifyWith('PS256', 'RS256')).toBe('algorithm');
		expect(await verifyWith('RS256', 'PS256')).toBe('algorithm');
		for (const alg of ['ES256', 'HS256', 'none', 'RSA-OAEP', '', 'toString']) {
			expect(await verifyWith('RS256', alg || '?')).toBe('unsuitableKey');
		}
	});

	test('the algorithm of an EC key depends on its curve', async () => {
		for (const algorithm of ['ES256', 'ES384', 'ES512']) {
			const { privateKey: signingKey } = pairs[algorithm]!;
			const token = signRawToken(signingKey, algorithm, {});
			await verifyJwt(token, jwk(signingKey), { now: NOW });
			const others = ['ES256', 'ES384', 'ES512'].filter((name) => name !== algorithm);
			for (const alg of others) {
				const wrongAlgToken = signRawToken(signingKey, algorithm, {}, { alg });
				expect(await reasonFor(wrongAlgToken, jwk(signingKey))).toBe('algorithm');
				expect(await reasonFor(token, { ...jwk(signingKey), alg })).toBe('unsuitableKey');
			}
		}
	});

	test('a key whose alg is not a string accepts no algorithm', async () => {
		for (const alg of [7, {}, ['RS256'], true]) {
			const token = signRawToken(privateKey, 'RS256', {});
			expect(await reasonFor(token, { ...key, alg })).toBe('unsuitableKey');
		}
	});
});
