// Protects workflows that verify tokens: signatures agree with node:crypto, and forged or expired tokens are rejected.
import { createHmac, createPrivateKey, createPublicKey, verify as rawVerify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { inspect } from 'node:util';

import {
	ALGORITHMS,
	isFingerprint,
	looksLikeToken,
	MAX_TOKEN_LENGTH,
	publicKeyFromFingerprint,
	importPrivateKey,
	signJwt,
	verifyJwt,
} from '../../../nodes/engine/token/jwt';
import type { Claims, TokenError } from '../../../nodes/engine/token/jwt';
import { keyPairFor } from '../../support/keyPairs';
import {
	alice,
	aliceJwk,
	b64,
	check,
	jwk,
	signRawToken,
	mallory,
	NOW,
	pairs,
	parameters,
	pem,
	tokenErrorOf,
	NOW_SECONDS,
} from './tokens';

describe('signing and verifying against node:crypto', () => {
	test.each(ALGORITHMS)('%s: node:crypto verifies a token of signJwt', async (algorithm) => {
		const { privateKey, publicKey } = pairs[algorithm]!;
		const key = await importPrivateKey(pem(privateKey), algorithm);
		const token = await signJwt({ sub: 'me', n: 1 }, key);
		const [header, claims, signature] = token.split('.') as [string, string, string];
		const { hash, options } = parameters(algorithm, publicKey);
		const input = Buffer.from(`${header}.${claims}`);
		expect(rawVerify(hash, input, options, Buffer.from(signature, 'base64url'))).toBe(true);
		expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
			alg: algorithm,
			typ: 'JWT',
			kid: key.fingerprint,
		});
		expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({ sub: 'me', n: 1 });
	});

	test.each(ALGORITHMS)('%s: verifyJwt verifies a token of node:crypto', async (algorithm) => {
		const { privateKey } = pairs[algorithm]!;
		const claims = { sub: 'you', exp: NOW_SECONDS + 10, nbf: NOW_SECONDS - 10 };
		const token = signRawToken(privateKey, algorithm, claims);
		const key = { ...jwk(privateKey), alg: algorithm };
		expect(await verifyJwt(token, key, { now: NOW })).toEqual({ claims });
	});

	test('a header may name EdDSA as EdDSA or as Ed25519', async () => {
		const claims = { sub: 'a' };
		expect(await check(signRawToken(alice, 'EdDSA', claims, { alg: 'Ed25519' }))).toEqual({
			claims,
		});
		expect(await check(signRawToken(alice, 'EdDSA', claims))).toEqual({ claims });
	});

	test('verifyJwt ignores private members of the verification key, and does not modify the key object', async () => {
		const privateJwk = { ...alice.export({ format: 'jwk' }), use: 'enc', key_ops: ['encrypt'] };
		const before = structuredClone(privateJwk);
		await verifyJwt(signRawToken(alice, 'EdDSA', {}), privateJwk, { now: NOW });
		expect(privateJwk).toEqual(before);
		expect(Object.isFrozen(privateJwk)).toBe(false);
	});
});

describe('tokens that verifyJwt rejects', () => {
	const secretClaims = { sub: 'CLAIM-SECRET', email: 'claim@secret.example' };
	const validToken = signRawToken(alice, 'EdDSA', secretClaims);
	const [head, body, signature] = validToken.split('.') as [string, string, string];
	const changed = Buffer.from(signature, 'base64url');
	changed[5] = changed[5]! ^ 1;
	const fingerprintOf = (key: KeyObject) => jwk(key).x as string;
	const { privateKey: rsaKey } = pairs.RS256!;
	const { privateKey: ecKey } = pairs.ES256!;

	const cases: Array<[name: string, token: string, reason: TokenError['reason']]> = [
		['unsigned', `${b64({ alg: 'none' })}.${body}.`, 'unsigned'],
		['unsigned in capitals', `${b64({ alg: 'NoNe' })}.${body}.${signature}`, 'unsigned'],
		['with a swapped algorithm', `${b64({ alg: 'HS256' })}.${body}.${signature}`, 'algorithm'],
		['signed by RSA', signRawToken(rsaKey, 'RS256', secretClaims), 'algorithm'],
		['signed by EC', signRawToken(ecKey, 'ES256', secretClaims), 'algorithm'],
		[
			'signed by a foreign key that its header names',
			signRawToken(mallory, 'EdDSA', secretClaims, { kid: fingerprintOf(mallory) }),
			'foreignKey',
		],
		[
			'signed by a foreign key that its issuer names',
			signRawToken(mallory, 'EdDSA', { ...secretClaims, iss: fingerprintOf(mallory) }),
			'foreignKey',
		],
		[
			'signed by an unknown foreign key',
			signRawToken(mallory, 'EdDSA', secretClaims),
			'badSignature',
		],
		['with a bad signature', `${head}.${body}.${changed.toString('base64url')}`, 'badSignature'],
		[
			'with a bad signature that names another key',
			`${b64({ alg: 'EdDSA', kid: fingerprintOf(mallory) })}.${body}.${signature}`,
			'badSignature',
		],
		['with other claims', `${head}.${b64({ sub: 'CLAIM-SECRET-2' })}.${signature}`, 'badSignature'],
		['without its signature', `${head}.${body}.`, 'badSignature'],
		[
			'expired',
			signRawToken(alice, 'EdDSA', { ...secretClaims, exp: NOW_SECONDS - 61 }),
			'expired',
		],
		[
			'not yet valid',
			signRawToken(alice, 'EdDSA', { ...secretClaims, nbf: NOW_SECONDS + 61 }),
			'notYetValid',
		],
		[
			'with a textual time',
			signRawToken(alice, 'EdDSA', { ...secretClaims, exp: 'soon' }),
			'badClaims',
		],
		[
			'with a textual start',
			signRawToken(alice, 'EdDSA', { ...secretClaims, nbf: 'soon' }),
			'badClaims',
		],
		['encrypted', `${head}.${body}.${signature}.${body}.${signature}`, 'encrypted'],
		['encrypted directly', `${b64({ alg: 'dir', enc: 'A128GCM' })}..aXY.dGV4dA.dGFn`, 'encrypted'],
		['five empty parts', '....', 'notAToken'],
		['two parts', `${head}.${body}`, 'notAToken'],
		['empty', '', 'notAToken'],
		['prose', 'CLAIM-SECRET is not a token', 'notAToken'],
		['with surrounding white space', ` ${validToken}\n`, 'notAToken'],
		['without an algorithm', `${b64({ typ: 'JWT' })}.${body}.${signature}`, 'notAToken'],
		['with a list for claims', signRawToken(alice, 'EdDSA', ['CLAIM-SECRET']), 'notAToken'],
		[
			'with a critical extension',
			signRawToken(alice, 'EdDSA', {}, { crit: ['x'], x: 1 }),
			'notAToken',
		],
		[
			'with an unencoded payload',
			signRawToken(alice, 'EdDSA', {}, { crit: ['b64'], b64: false }),
			'notAToken',
		],
		['too large', signRawToken(alice, 'EdDSA', { sub: 'C'.repeat(MAX_TOKEN_LENGTH) }), 'tooLarge'],
		[
			'with too large a header',
			signRawToken(alice, 'EdDSA', {}, { x: 'C'.repeat(MAX_TOKEN_LENGTH) }),
			'tooLarge',
		],
		[
			'dated ahead',
			signRawToken(alice, 'EdDSA', { ...secretClaims, iat: NOW_SECONDS + 301 }),
			'issuedAhead',
		],
		[
			'with a textual date',
			signRawToken(alice, 'EdDSA', { ...secretClaims, iat: 'now' }),
			'badClaims',
		],
	];

	test.each(cases)('a token is rejected: %s', async (_name, token, reason) => {
		const error = await tokenErrorOf(check(token));
		expect(error.reason).toBe(reason);
		const dump = inspect(error, { depth: Infinity, showHidden: true });
		expect(dump).not.toMatch(/CLAIM-SECRET|claim@secret/);
		for (const part of token.split('.')) if (part.length > 20) expect(dump).not.toContain(part);
		expect(error.cause).toBeUndefined();
	});

	test('errors for different reasons have different messages', async () => {
		const messages = new Map<string, string>();
		for (const [, token, reason] of cases) {
			const error = await tokenErrorOf(check(token));
			if (reason !== 'notAToken' && reason !== 'algorithm') {
				expect(messages.get(reason) ?? error.message).toBe(error.message);
			}
			messages.set(reason, error.message);
		}
		expect(new Set(messages.values()).size).toBe(messages.size);
		expect(messages.size).toBe(11);
	});

	test('the error names the algorithm only if the name has letters and digits alone', async () => {
		const error = await tokenErrorOf(check(`${b64({ alg: 'HS256' })}.${body}.x`.slice(0, -1)));
		expect(error.message).toBe('The token must be signed with EdDSA, not HS256.');
		const hostile = await tokenErrorOf(check(`${b64({ alg: '<b>alg</b>' })}.${body}.`));
		expect(hostile.message).toBe('The token must be signed with EdDSA, not another algorithm.');
	});

	test('an HMAC over the public key is rejected (algorithm confusion)', async () => {
		const publicPem = createPublicKey(rsaKey).export({ type: 'spki', format: 'pem' }) as string;
		const input = `${b64({ alg: 'HS256' })}.${body}`;
		const token = `${input}.${createHmac('sha256', publicPem).update(input).digest('base64url')}`;
		for (const [alg, reason] of [
			[undefined, 'algorithm'],
			['RS256', 'algorithm'],
			['HS256', 'unsuitableKey'],
		]) {
			const key = { ...jwk(rsaKey), ...(alg && { alg }) };
			expect((await tokenErrorOf(verifyJwt(token, key, { now: NOW }))).reason).toBe(reason);
		}
		const sharedSecretKey = { kty: 'oct', k: Buffer.from(publicPem).toString('base64url') };
		expect((await tokenErrorOf(verifyJwt(token, sharedSecretKey, { now: NOW }))).reason).toBe(
			'unsuitableKey',
		);
	});

	test('an ES256 token of a foreign key that its header identifies is rejected', async () => {
		const other = await importPrivateKey(pem(keyPairFor('ES256', 'Mallory').privateKey), 'ES256');
		const token = await signJwt({}, other);
		const error = await tokenErrorOf(verifyJwt(token, jwk(ecKey), { now: NOW }));
		expect(error.reason).toBe('foreignKey');
	});

	test.each([
		['a shared secret', { kty: 'oct', k: 'c2VjcmV0' }],
		['a key for another algorithm', { ...aliceJwk, alg: 'ES256' }],
		['a key of another curve', { kty: 'OKP', crv: 'X25519', x: fingerprintOf(alice) }],
		['an empty key', {}],
		['a key of the wrong length', { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }],
		['a key without its value', { kty: 'OKP', crv: 'Ed25519' }],
	])('a token is rejected if the verification key is unsuitable: %s', async (_name, key) => {
		const error = await tokenErrorOf(verifyJwt(validToken, key, { now: NOW }));
		expect(error.reason).toBe('unsuitableKey');
	});

	test('the times of a token may differ by 60 seconds, or by the tolerance of the caller', async () => {
		const token = signRawToken(alice, 'EdDSA', { exp: NOW_SECONDS, nbf: NOW_SECONDS });
		await check(token, NOW + 59_000);
		await check(token, NOW - 60_000);
		expect((await tokenErrorOf(check(token, NOW + 60_000))).reason).toBe('expired');
		expect((await tokenErrorOf(check(token, NOW - 61_000))).reason).toBe('notYetValid');
		const strictOptions = { toleranceSeconds: 0, now: NOW + 1000 };
		expect((await tokenErrorOf(verifyJwt(token, aliceJwk, strictOptions))).reason).toBe('expired');
	});
});

describe('signJwt', () => {
	test('rejects claims that are too large or have a time that is not a number', async () => {
		const key = await importPrivateKey(pem(alice), 'EdDSA');
		const reasons: Array<[Claims, TokenError['reason']]> = [
			[{ photo: 'x'.repeat(1024 * 1024) }, 'tooLarge'],
			[{ photo: 'x'.repeat(MAX_TOKEN_LENGTH - 100) }, 'tooLarge'],
			[{ exp: 'tomorrow' }, 'badClaims'],
			[{ nbf: Number.NaN }, 'badClaims'],
		];
		for (const [claims, reason] of reasons) {
			expect((await tokenErrorOf(signJwt(claims, key))).reason).toBe(reason);
		}
	});
});

describe('a fingerprint', () => {
	test('of an Ed25519 key contains the public key', async () => {
		const key = await importPrivateKey(pem(alice), 'EdDSA');
		expect(isFingerprint(key.fingerprint)).toBe(true);
		const publicJwk = publicKeyFromFingerprint(key.fingerprint);
		const token = await signJwt({ sub: 'x' }, key);
		await verifyJwt(token, publicJwk);
		const [head, body, signature] = token.split('.') as [string, string, string];
		const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
		const bytes = Buffer.from(signature, 'base64url');
		expect(rawVerify(null, Buffer.from(`${head}.${body}`), publicKey, bytes)).toBe(true);
		expect(createPrivateKey(pem(alice)).export({ format: 'jwk' }).x).toBe(key.fingerprint);
	});

	test.each([
		['', 'this one has 0'],
		['a'.repeat(42), 'this one has 42'],
		['a'.repeat(44), 'this one has 44'],
		[`${'a'.repeat(42)}b`, 'of which the last must fit'],
		[`${'a'.repeat(42)}/`, 'letters, digits'],
	])('is not valid: %j', (text, hint) => {
		expect(isFingerprint(text)).toBe(false);
		expect(() => publicKeyFromFingerprint(text)).toThrow(hint);
	});

	test('is recognized only in a string', () => {
		for (const value of [undefined, null, 7, {}, ['a'.repeat(43)]]) {
			expect(isFingerprint(value)).toBe(false);
			expect(looksLikeToken(value)).toBe(false);
		}
	});
});
