// Protects private keys that users paste: usual forms are read, others are rejected with the reason, and no secret is shown.
import fc from 'fast-check';
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { inspect } from 'node:util';

import { KeyError, importPrivateKey, signJwt, verifyJwt } from '../../../nodes/engine/token/jwt';
import { keyPairFor, storedKeyPair } from '../../support/keyPairs';

const ed = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const rsa = keyPairFor('RS256');
const shortRsa = storedKeyPair('1024 bits');
const x25519 = generateKeyPairSync('x25519');

const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string;
const jwk = (key: KeyObject) => key.export({ format: 'jwk' });
const json = (key: KeyObject, members: object = {}) => JSON.stringify({ ...jwk(key), ...members });

const edPem = pkcs8(ed.privateKey);
const edLines = edPem.trim().split('\n');

describe('importPrivateKey with valid keys', () => {
	const validForms: Array<[name: string, text: string]> = [
		['PEM', edPem],
		['PEM with Windows line ends', edPem.replaceAll('\n', '\r\n')],
		['PEM with literal \\n', edPem.replaceAll('\n', '\\n')],
		['PEM with literal \\r\\n in quotes', `"${edPem.replaceAll('\n', '\\r\\n')}"`],
		['PEM with spaces for line breaks', edLines.join(' ')],
		['PEM without line breaks', edLines.join('')],
		['PEM with white space around', `\n\t  ${edPem}  \n\n`],
		['PEM with a byte order mark', `\uFEFF${edPem}`],
		['PEM with text before it', `Key of the app\n${edPem}`],
		['PEM after its public half', `${spki(ed.publicKey)}${edPem}`],
		['JWK', json(ed.privateKey)],
		['JWK with hints', json(ed.privateKey, { alg: 'EdDSA', use: 'sig', ext: false, kid: 'k' })],
		['JWK with the newer name', json(ed.privateKey, { alg: 'Ed25519', key_ops: ['sign'] })],
		['JWK with line breaks', JSON.stringify(jwk(ed.privateKey), null, 2)],
		['JWK with literal \\n', JSON.stringify(jwk(ed.privateKey), null, 2).replaceAll('\n', '\\n')],
	];

	test.each(validForms)('%s is read', async (_name, text) => {
		const key = await importPrivateKey(text, 'EdDSA');
		const { x } = jwk(ed.publicKey);
		expect(key.fingerprint).toBe(x);
		expect(key.publicJwk).toEqual({ kty: 'OKP', crv: 'Ed25519', x });
		const token = await signJwt({ sub: 'me' }, key);
		await verifyJwt(token, jwk(ed.publicKey));
	});

	test('long RSA keys without their line breaks are read', async () => {
		const text = pkcs8(rsa.privateKey).trim().split('\n').join(' ');
		for (const algorithm of ['RS256', 'RS512', 'PS256', 'PS384']) {
			const key = await importPrivateKey(text, algorithm);
			expect(Object.keys(key.publicJwk).sort()).toEqual(['e', 'kty', 'n']);
		}
	});

	test('the fingerprint of keys other than Ed25519 is the RFC 7638 thumbprint', async () => {
		const { crv, x, y } = jwk(p256.publicKey);
		const expected = createHash('sha256')
			.update(`{"crv":"${crv}","kty":"EC","x":"${x}","y":"${y}"}`)
			.digest('base64url');
		for (const text of [pkcs8(p256.privateKey), json(p256.privateKey)]) {
			expect((await importPrivateKey(text, 'ES256')).fingerprint).toBe(expected);
		}
		const { e, n } = jwk(rsa.publicKey);
		const rsaExpected = createHash('sha256')
			.update(`{"e":"${e}","kty":"RSA","n":"${n}"}`)
			.digest('base64url');
		expect((await importPrivateKey(json(rsa.privateKey), 'RS256')).fingerprint).toBe(rsaExpected);
	});

	test('an imported key exposes no secret that could be printed or exported', async () => {
		for (const text of [edPem, json(ed.privateKey)]) {
			const key = await importPrivateKey(text, 'EdDSA');
			const printedKey = inspect(key, { depth: Infinity, showHidden: true }) + JSON.stringify(key);
			expect(printedKey).not.toContain(jwk(ed.privateKey).d);
			expect(key.privateKey.extractable).toBe(false);
		}
	});
});

describe('importPrivateKey with unusual or invalid keys', () => {
	const encrypted = ed.privateKey.export({
		type: 'pkcs8',
		format: 'pem',
		cipher: 'aes-256-cbc',
		passphrase: 'correct horse',
	}) as string;
	const oldEncrypted = rsa.privateKey.export({
		type: 'pkcs1',
		format: 'pem',
		cipher: 'aes-256-cbc',
		passphrase: 'correct horse',
	}) as string;
	const otherX = jwk(generateKeyPairSync('ed25519').publicKey).x;
	const { x: p256x, y: p256y } = jwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
	const pkcs1 = rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
	const sec1 = p256.privateKey.export({ type: 'sec1', format: 'pem' }) as string;
	const openssh = edPem.replaceAll('PRIVATE KEY', 'OPENSSH PRIVATE KEY');

	const cases: Array<[string, string, string, KeyError['reason'], string]> = [
		['nothing', '', 'EdDSA', 'empty', 'empty'],
		['blanks in quotes', '" \\n "', 'EdDSA', 'empty', 'empty'],
		['a password', 'correct horse battery staple', 'EdDSA', 'format', 'neither PEM'],
		['bare base64', edLines[1]!, 'EdDSA', 'format', 'neither PEM'],
		['a public PEM', spki(ed.publicKey), 'EdDSA', 'public', 'public key'],
		['a public JWK', json(ed.publicKey), 'EdDSA', 'public', 'no "d"'],
		['an encrypted PEM', encrypted, 'EdDSA', 'encrypted', 'passphrase'],
		['an encrypted old PEM', oldEncrypted, 'RS256', 'encrypted', 'passphrase'],
		['PKCS#1', pkcs1, 'RS256', 'container', 'openssl pkcs8'],
		['SEC 1', sec1, 'ES256', 'container', 'openssl pkcs8'],
		['OpenSSH', openssh, 'EdDSA', 'container', 'ssh-keygen -p -m PKCS8 -f'],
		[
			'RSA for EdDSA',
			pkcs8(rsa.privateKey),
			'EdDSA',
			'type',
			'needs an Ed25519 key, but this is an RSA key',
		],
		['RSA JWK for EdDSA', json(rsa.privateKey), 'EdDSA', 'type', 'this is an RSA key'],
		['Ed25519 for RS256', edPem, 'RS256', 'type', 'needs an RSA key, but this is an Ed25519 key'],
		['Ed25519 JWK for ES256', json(ed.privateKey), 'ES256', 'type', 'this is an Ed25519 key'],
		[
			'P-384 for ES256',
			pkcs8(p384.privateKey),
			'ES256',
			'type',
			'P-256, but this is an EC key on P-384',
		],
		['secp256k1 for ES256', pkcs8(secp256k1.privateKey), 'ES256', 'type', 'on another curve'],
		['X25519 for EdDSA', pkcs8(x25519.privateKey), 'EdDSA', 'type', 'This is an X25519 key'],
		['a shared secret', '{"kty":"oct","k":"c2VjcmV0c2VjcmV0"}', 'EdDSA', 'type', 'another type'],
		[
			'a JWK for another algorithm',
			json(ed.privateKey, { alg: 'ES256' }),
			'EdDSA',
			'type',
			'EdDSA',
		],
		['a short RSA key', pkcs8(shortRsa.privateKey), 'RS256', 'weak', '2048'],
		['a key set', JSON.stringify({ keys: [jwk(ed.privateKey)] }), 'EdDSA', 'format', 'kty'],
		['half a JWK', json(ed.privateKey).slice(0, -9), 'EdDSA', 'damaged', 'damaged'],
		['half a PEM', edPem.slice(0, 70), 'EdDSA', 'damaged', 'damaged'],
		['a PEM with a hole', edPem.replace(/.{9}(?=\n-----END)/, ''), 'EdDSA', 'damaged', 'damaged'],
		[
			'a PEM of nonsense',
			'-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
			'EdDSA',
			'damaged',
			'damaged',
		],
		['a JWK with a short d', json(ed.privateKey, { d: 'AAAA' }), 'EdDSA', 'damaged', 'damaged'],
		['a JWK with another x', json(ed.privateKey, { x: otherX }), 'EdDSA', 'damaged', 'damaged'],
		['a JWK without x', json(ed.privateKey, { x: undefined }), 'EdDSA', 'damaged', 'damaged'],
		[
			'an EC JWK with another point',
			json(p256.privateKey, { x: p256x, y: p256y }),
			'ES256',
			'damaged',
			'damaged',
		],
		['a half-empty RSA JWK', json(rsa.privateKey, { p: undefined }), 'RS256', 'damaged', 'damaged'],
		['the algorithm HS256', edPem, 'HS256', 'algorithm', 'Use one of EdDSA'],
		['the algorithm none', edPem, 'none', 'algorithm', 'Use one of EdDSA'],
		['the algorithm toString', edPem, 'toString', 'algorithm', 'Use one of EdDSA'],
	];

	const labelled = (label: string) => edPem.replaceAll('PRIVATE KEY', label);
	const account = {
		type: 'service_account',
		project_id: 'p',
		private_key: pkcs8(rsa.privateKey),
		client_email: 'robot@p.example.com',
	};
	const { private_key, ...withoutType } = { ...account, type: undefined };
	cases.push(
		['a service account', JSON.stringify(account), 'RS256', 'container', 'service account file'],
		[
			'a service account in lines',
			JSON.stringify(account, null, 2),
			'RS256',
			'container',
			'"private_key"',
		],
		[
			'a service account without its type',
			JSON.stringify({ ...withoutType, private_key }),
			'EdDSA',
			'container',
			'service account file',
		],
		[
			'half a service account',
			JSON.stringify(account).slice(0, -9),
			'RS256',
			'container',
			'service account file',
		],
		['a PGP private key', labelled('PGP PRIVATE KEY BLOCK'), 'EdDSA', 'container', 'a PGP key'],
		['a PGP public key', labelled('PGP PUBLIC KEY BLOCK'), 'EdDSA', 'container', 'a PGP key'],
		['a PGP message', labelled('PGP MESSAGE'), 'EdDSA', 'container', 'a PGP'],
		['PKCS#7', labelled('PKCS7'), 'RS256', 'container', 'a PKCS#7 file'],
		[
			'PKCS#7 by its long name',
			labelled('PKCS #7 SIGNED DATA'),
			'RS256',
			'container',
			'a PKCS#7 file',
		],
		['CMS', labelled('CMS'), 'RS256', 'container', 'a PKCS#7 file'],
		[
			'a CSR',
			labelled('CERTIFICATE REQUEST'),
			'RS256',
			'container',
			'a certificate signing request (CSR)',
		],
		[
			'an older CSR',
			labelled('NEW CERTIFICATE REQUEST'),
			'RS256',
			'container',
			'signing request (CSR)',
		],
	);

	test('a private key next to a CSR or certificate is accepted', async () => {
		for (const label of ['CERTIFICATE REQUEST', 'PKCS7', 'CERTIFICATE']) {
			expect(await importPrivateKey(`${labelled(label)}\n${edPem}`, 'EdDSA')).toMatchObject({
				algorithm: 'EdDSA',
			});
		}
	});

	/** Returns the beginning of each part of a text that could be key material: a long run of base64. */
	const findKeyMaterial = (text: string) =>
		(text.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []).map((run) => run.slice(0, 16));

	test.each(cases)(
		'%s is rejected with the reason',
		async (_name, text, algorithm, reason, hint) => {
			const error = await importPrivateKey(text, algorithm).then(
				() => undefined,
				(thrown: unknown) => thrown,
			);
			expect(error).toBeInstanceOf(KeyError);
			expect((error as KeyError).reason).toBe(reason);
			expect((error as KeyError).message).toContain(hint);
			expect((error as KeyError).cause).toBeUndefined();
			const dump = inspect(error, { depth: Infinity, showHidden: true });
			for (const piece of findKeyMaterial(text)) expect(dump).not.toContain(piece);
			expect(dump).not.toContain('correct horse');
		},
	);

	test('a randomly changed key is accepted or rejected with a KeyError that shows no secret', async () => {
		const secret = jwk(ed.privateKey).d as string;
		const anyPosition = fc.double({ min: 0, max: 1, noNaN: true });
		let rejectedCount = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(edPem, json(ed.privateKey)),
				anyPosition,
				fc.nat(20),
				fc.string({ maxLength: 4 }),
				async (text, position, length, insertedText) => {
					const offset = Math.floor(position * text.length);
					const changed = text.slice(0, offset) + insertedText + text.slice(offset + length);
					const outcome: unknown = await importPrivateKey(changed, 'EdDSA').catch(
						(e: unknown) => e,
					);
					if (outcome instanceof Error) {
						rejectedCount++;
						expect(outcome).toBeInstanceOf(KeyError);
						expect(inspect(outcome, { depth: Infinity })).not.toContain(secret.slice(0, 12));
					}
				},
			),
			{ numRuns: 400 },
		);
		expect(rejectedCount).toBeGreaterThan(0);
	});

	test('a certificate is rejected as a public key', async () => {
		const text = spki(createPublicKey(rsa.privateKey)).replaceAll('PUBLIC KEY', 'CERTIFICATE');
		await expect(importPrivateKey(text, 'RS256')).rejects.toMatchObject({ reason: 'public' });
	});
});
