// Protects users with keys from other tools: importPrivateKey reads them, or rejects them with the exact reason.
import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { KeyError, importPrivateKey, signJwt, verifyJwt } from '../../../nodes/engine/token/jwt';
import { keyPairFor, storedKeyPair } from '../../support/keyPairs';

const ed = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = (key: KeyObject) => key.export({ format: 'jwk' });
const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const pem = (der: Buffer) =>
	`-----BEGIN PRIVATE KEY-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
const fromBase64url = (text: unknown) => Buffer.from(`${text as string}`, 'base64url');
const fromHex = (text: string) => Buffer.from(text, 'hex');

/** Encodes an element of DER, of 255 bytes at most. */
const encodeDer = (tag: number, ...parts: Buffer[]) => {
	const content = Buffer.concat(parts);
	const length = content.length < 128 ? [content.length] : [0x81, content.length];
	return Buffer.concat([Buffer.from([tag, ...length]), content]);
};

describe('PKCS #8 version 2', () => {
	const privateKeyElement = encodeDer(0x04, encodeDer(0x04, fromBase64url(jwk(ed.privateKey).d)));
	const publicBits = Buffer.concat([fromHex('00'), fromBase64url(jwk(ed.publicKey).x)]);
	const versionAndAlgorithm = [fromHex('020101'), fromHex('300506032b6570')];

	/** The example of RFC 8410, section 10.3: with attributes and the public key at its end. */
	const EXAMPLE = `-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----`;

	test.each([
		[
			'with the tag of the standard',
			encodeDer(0x30, ...versionAndAlgorithm, privateKeyElement, encodeDer(0x81, publicBits)),
		],
		[
			'inside a wrapper',
			encodeDer(
				0x30,
				...versionAndAlgorithm,
				privateKeyElement,
				encodeDer(0xa1, encodeDer(0x03, publicBits)),
			),
		],
		['absent', encodeDer(0x30, ...versionAndAlgorithm, privateKeyElement)],
	])('is read with the public key %s', async (_, key) => {
		const { fingerprint } = await importPrivateKey(pem(key), 'EdDSA');
		expect(fingerprint).toBe(jwk(ed.publicKey).x);
	});

	test('is read in the example of RFC 8410', async () => {
		const key = await importPrivateKey(EXAMPLE, 'EdDSA');
		expect(key.fingerprint).toBe('Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE');
		await verifyJwt(await signJwt({ sub: 'x' }, key), key.publicJwk);
	});

	test('is read for an EC key, and rejected if the public key does not match', async () => {
		const { d, x, y } = jwk(p256.privateKey);
		const ecPrivateKey = encodeDer(0x30, fromHex('020101'), encodeDer(0x04, fromBase64url(d)));
		const curve = encodeDer(0x30, fromHex('06072a8648ce3d0201'), fromHex('06082a8648ce3d030107'));
		const point = Buffer.concat([fromHex('0004'), fromBase64url(x), fromBase64url(y)]);
		const encodeKey = (end: Buffer) =>
			pem(
				encodeDer(
					0x30,
					fromHex('020101'),
					curve,
					encodeDer(0x04, ecPrivateKey),
					encodeDer(0x81, end),
				),
			);
		const key = await importPrivateKey(encodeKey(point), 'ES256');
		expect(key.publicJwk).toMatchObject({ x, y });
		point[20]! ^= 1;
		await expect(importPrivateKey(encodeKey(point), 'ES256')).rejects.toMatchObject({
			reason: 'damaged',
		});
	});

	test('is rejected if it contains the public key of another pair', async () => {
		const otherPublicBits = Buffer.concat([
			fromHex('00'),
			fromBase64url(jwk(generateKeyPairSync('ed25519').publicKey).x),
		]);
		const text = pem(
			encodeDer(0x30, ...versionAndAlgorithm, privateKeyElement, encodeDer(0x81, otherPublicBits)),
		);
		await expect(importPrivateKey(text, 'EdDSA')).rejects.toMatchObject({ reason: 'damaged' });
	});
});

describe('unsuitable private keys', () => {
	const dsa = storedKeyPair('DSA').privateKey;
	const explicit = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' });
	const pss = storedKeyPair('PSS only');
	const rsa = (bits: 512 | 1024 | 2047) => storedKeyPair(`${bits} bits`).privateKey;
	const weakExponent = JSON.stringify({ ...jwk(keyPairFor('RS256').privateKey), e: 'AQ' });

	const mixedPairs = JSON.stringify({
		...jwk(keyPairFor('RS256').privateKey),
		...jwk(keyPairFor('RS256', 'Mallory').publicKey),
	});

	test.each<[string, string, string, KeyError['reason'], RegExp]>([
		['an RSA key with the public key of another pair', mixedPairs, 'RS256', 'damaged', /damaged/],
		['an RSA key of 2047 bits', pkcs8(rsa(2047)), 'RS256', 'weak', /too short.* 2047 bits.* 2048/],
		['an RSA key of 1024 bits', pkcs8(rsa(1024)), 'PS256', 'weak', /too short.* 1024 bits/],
		['an RSA key of 512 bits', pkcs8(rsa(512)), 'RS512', 'weak', /too short.* 512 bits/],
		['a short JWK', JSON.stringify(jwk(rsa(2047))), 'RS256', 'weak', /too short.* 2047 bits/],
		['an RSA key with the exponent 1', weakExponent, 'RS256', 'weak', /exponent/],
		['a DSA key', pkcs8(dsa), 'EdDSA', 'type', /DSA key, which no algorithm.*genpkey/],
		[
			'a DSA key in the legacy format',
			pkcs8(dsa).replaceAll('PRIVATE KEY', 'DSA PRIVATE KEY'),
			'RS256',
			'type',
			/DSA key, which no algorithm/,
		],
		[
			'an EC key with explicit curve parameters',
			pkcs8(explicit.privateKey),
			'ES256',
			'container',
			/spells out its curve.*-ec_param_enc named_curve/,
		],
		['an RSA key for PSS alone', pkcs8(pss.privateKey), 'PS256', 'type', /for PSS alone/],
		['a truncated key', pem(fromHex('30820100020100')), 'EdDSA', 'damaged', /damaged/],
		['an indefinite length', pem(fromHex('308000')), 'EdDSA', 'damaged', /damaged/],
		['an oversized length', pem(fromHex('3085ffffffffff00')), 'EdDSA', 'damaged', /damaged/],
	])(
		'importPrivateKey reports the exact problem of %s',
		async (_, text, algorithm, reason, message) => {
			const error: unknown = await importPrivateKey(text, algorithm).catch((e: unknown) => e);
			expect(error).toBeInstanceOf(KeyError);
			expect((error as KeyError).reason).toBe(reason);
			expect((error as KeyError).message).toMatch(message);
		},
	);
});
