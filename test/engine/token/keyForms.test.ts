import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { KeyError, importPrivateKey, signJwt, verifyJwt } from '../../../nodes/engine/token/jwt';
import { keyPairFor, storedKeyPair } from '../../support/keyPairs';

// Keys as other tools write them: read where possible, and otherwise rejected with the actual reason.

const ed = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = (key: KeyObject) => key.export({ format: 'jwk' });
const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const pem = (der: Buffer) =>
	`-----BEGIN PRIVATE KEY-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
const bytes = (text: unknown) => Buffer.from(`${text as string}`, 'base64url');
const hex = (text: string) => Buffer.from(text, 'hex');

/** An element of DER, of 255 bytes at most. */
const der = (tag: number, ...parts: Buffer[]) => {
	const content = Buffer.concat(parts);
	const length = content.length < 128 ? [content.length] : [0x81, content.length];
	return Buffer.concat([Buffer.from([tag, ...length]), content]);
};

describe('PKCS #8 version 2', () => {
	const secret = der(0x04, der(0x04, bytes(jwk(ed.privateKey).d)));
	const bits = Buffer.concat([hex('00'), bytes(jwk(ed.publicKey).x)]);
	const head = [hex('020101'), hex('300506032b6570')];

	/** The example of RFC 8410, section 10.3: with attributes and the public key at its end. */
	const EXAMPLE = `-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----`;

	test.each([
		['as the standard tags it', der(0x30, ...head, secret, der(0x81, bits))],
		['with a wrapper around it', der(0x30, ...head, secret, der(0xa1, der(0x03, bits)))],
		['left out', der(0x30, ...head, secret)],
	])('a PKCS #8 version 2 key is read with the public key %s', async (_, key) => {
		const { fingerprint } = await importPrivateKey(pem(key), 'EdDSA');
		expect(fingerprint).toBe(jwk(ed.publicKey).x);
	});

	test('the example in the standard is read', async () => {
		const key = await importPrivateKey(EXAMPLE, 'EdDSA');
		expect(key.fingerprint).toBe('Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE');
		await verifyJwt(await signJwt({ sub: 'x' }, key), key.publicJwk);
	});

	test('an EC key is read', async () => {
		const { d, x, y } = jwk(p256.privateKey);
		const inner = der(0x30, hex('020101'), der(0x04, bytes(d)));
		const curve = der(0x30, hex('06072a8648ce3d0201'), hex('06082a8648ce3d030107'));
		const point = Buffer.concat([hex('0004'), bytes(x), bytes(y)]);
		const whole = (end: Buffer) =>
			pem(der(0x30, hex('020101'), curve, der(0x04, inner), der(0x81, end)));
		const key = await importPrivateKey(whole(point), 'ES256');
		expect(key.publicJwk).toMatchObject({ x, y });
		point[20]! ^= 1;
		await expect(importPrivateKey(whole(point), 'ES256')).rejects.toMatchObject({
			reason: 'damaged',
		});
	});

	test('a key that contains the public key of another pair is rejected', async () => {
		const other = Buffer.concat([
			hex('00'),
			bytes(jwk(generateKeyPairSync('ed25519').publicKey).x),
		]);
		const text = pem(der(0x30, ...head, secret, der(0x81, other)));
		await expect(importPrivateKey(text, 'EdDSA')).rejects.toMatchObject({ reason: 'damaged' });
	});
});

describe('unsuitable private keys', () => {
	const dsa = storedKeyPair('DSA').privateKey;
	const explicit = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' });
	const pss = storedKeyPair('PSS only');
	const rsa = (bits: 512 | 1024 | 2047) => storedKeyPair(`${bits} bits`).privateKey;
	const weakExponent = JSON.stringify({ ...jwk(keyPairFor('RS256').privateKey), e: 'AQ' });

	test.each<[string, string, string, KeyError['reason'], RegExp]>([
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
		['a truncated key', pem(hex('30820100020100')), 'EdDSA', 'damaged', /damaged/],
		['an indefinite length', pem(hex('308000')), 'EdDSA', 'damaged', /damaged/],
		['an oversized length', pem(hex('3085ffffffffff00')), 'EdDSA', 'damaged', /damaged/],
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
