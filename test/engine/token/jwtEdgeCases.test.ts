// Protects users whose token is rejected: dates, sizes and forms are judged exactly at the limit, and the message says why.
import {
	decodeUnverified,
	fingerprintOf,
	isFingerprintOf,
	KeyError,
	looksLikeToken,
	publicKeyFromFingerprint,
	importPrivateKey,
	signJwt,
	verifyJwt,
} from '../../../nodes/engine/token/jwt';
import type { TokenError } from '../../../nodes/engine/token/jwt';
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
	pem,
	tokenErrorOf,
	NOW_SECONDS,
} from './tokens';

const validToken = signRawToken(alice, 'EdDSA', { sub: 'me' });
const [head, body, signature] = validToken.split('.') as [string, string, string];

describe('the issue date (iat) of a token', () => {
	test.each([-1_000_000, 0, 300])('may be %d seconds ahead', async (ahead) => {
		const claims = { iat: NOW_SECONDS + ahead };
		expect(await check(signRawToken(alice, 'EdDSA', claims))).toEqual({ claims });
	});

	test('is rejected if it is more than five minutes ahead, whatever the tolerance', async () => {
		const token = signRawToken(alice, 'EdDSA', { iat: NOW_SECONDS + 301 });
		const lenient = { now: NOW, toleranceSeconds: 10_000 };
		expect((await tokenErrorOf(verifyJwt(token, aliceJwk, lenient))).reason).toBe('issuedAhead');
	});
});

test.each([
	['signed', validToken],
	['unsigned', `${head}.${body}.`],
	['encrypted', `${head}..aXY.dGV4dA.dGFn`],
])('looksLikeToken recognizes a token without verification: %s', (_, token) => {
	expect(looksLikeToken(token)).toBe(true);
});

describe('a token of an invalid form', () => {
	/** Sets an unused bit. The last character has four unused bits for 64 bytes, and two for 32 bytes. */
	const setUnusedBit = (part: string) =>
		part.slice(0, -1) + String.fromCharCode(part.charCodeAt(part.length - 1) + 1);

	test('is rejected if a part uses another base64url encoding of the same bytes', async () => {
		const otherEncoding = setUnusedBit(signature);
		expect(Buffer.from(otherEncoding, 'base64url')).toEqual(Buffer.from(signature, 'base64url'));
		for (const token of [`${head}.${body}.${otherEncoding}`, `${head}.${body}=.${signature}`]) {
			expect((await tokenErrorOf(check(token))).reason).toBe('notAToken');
		}
	});

	test.each([7, null, 'text', true])('is rejected if its claims or header are %j', (value) => {
		expect(() => decodeUnverified(signRawToken(alice, 'EdDSA', value))).toThrow(
			'not a signed token',
		);
		expect(() => decodeUnverified(`${b64(value)}.${body}.${signature}`)).toThrow(
			'not a signed token',
		);
	});

	test('is no token for looksLikeToken', () => {
		const notTokens = [
			`${head}.${body}`,
			`${validToken}.${body}`,
			` ${validToken}`,
			`${validToken} `,
			`${validToken}\n`,
			'abc.def.ghi',
			`${b64({ alg: 7 })}.${body}.${signature}`,
			`${b64(null)}.${body}.${signature}`,
			`${head}..${signature}`,
			` ${head}..aXY.dGV4dA.dGFn`,
			`${head}..aXY.dGV4dA.dGFn x`,
		];
		expect(notTokens.filter(looksLikeToken)).toEqual([]);
	});

	test('is neither signed nor verified if it has more than 256 kB', async () => {
		const key = await importPrivateKey(pem(alice), 'EdDSA');
		const maxLength = 256 * 1024;
		const emptyLength = (await signJwt({ photo: '' }, key)).length;
		let letterCount = Math.floor(((maxLength - emptyLength) * 3) / 4) - 8;
		let token = '';
		while (token.length < maxLength)
			token = await signJwt({ photo: 'x'.repeat(letterCount++) }, key);
		expect(token).toHaveLength(maxLength);
		await verifyJwt(token, aliceJwk);
		const longerClaims = { photo: 'x'.repeat(letterCount) };
		const signError = await tokenErrorOf(signJwt(longerClaims, key));
		expect(signError.message).toBe(
			'The token is too large: more than 256 kB. Leave out big claims.',
		);
		const verifyError = await tokenErrorOf(
			check(signRawToken(alice, 'EdDSA', longerClaims, { typ: 'JWT', kid: key.fingerprint })),
		);
		expect(verifyError.message).toBe('The token is too large: more than 256 kB.');
	});
});

describe('the error for a rejected token', () => {
	const rsa = jwk(keyPairFor('RS256').privateKey);
	const key = aliceJwk;
	const signWith = (claims: object, header: object = {}) =>
		signRawToken(alice, 'EdDSA', claims, header);

	test.each<[RegExp, string, object]>([
		[/^The token has expired\.$/, signWith({ exp: NOW_SECONDS - 100 }), key],
		[
			/more than five minutes ahead\. Check that the clock/,
			signWith({ iat: NOW_SECONDS + 301 }),
			key,
		],
		[/^The token is not valid yet\.$/, signWith({ nbf: NOW_SECONDS + 100 }), key],
		[/^The token's claims hold a time that is not a number\.$/, signWith({ exp: 'soon' }), key],
		[
			/signed by a different key than expected/,
			signRawToken(mallory, 'EdDSA', { iss: jwk(mallory).x }),
			key,
		],
		[
			/^The signature does not match: the token was changed/,
			signRawToken(mallory, 'EdDSA', {}),
			key,
		],
		[/demands an extension that is not supported/, signWith({}, { crit: ['x'], x: 1 }), key],
		[/^The token has a form that is not allowed/, signWith({}, { crit: [] }), key],
		[/^The token is not signed/, `${b64({ alg: 'none' })}.${body}.`, key],
		[/^The token is encrypted, and only signed ones/, `${head}..aXY.dGV4dA.dGFn`, key],
		[/^This is not a signed token/, 'words', key],
		[/^The key to verify the token with is damaged/, validToken, { ...key, x: 'AAAA' }],
		[
			/^The key to verify the token with is not one for that/,
			validToken,
			{ kty: 'oct', k: 'AAAA' },
		],
		[/with is unsafe: it is one of the few/, validToken, { ...key, x: 'A'.repeat(43) }],
		[/must be signed with RS256 or PS256, not EdDSA\.$/, validToken, rsa],
		[/not another algorithm\.$/, `${b64({ alg: '<HS256' })}.${body}.`, key],
		[/not another algorithm\.$/, `${b64({ alg: 'HS256>' })}.${body}.`, key],
		[/not another algorithm\.$/, `${b64({ alg: 'A'.repeat(13) })}.${body}.`, key],
		[/not A{12}\.$/, `${b64({ alg: 'A'.repeat(12) })}.${body}.`, key],
	])('has a message that matches %s', async (message, token, publicKey) => {
		const error = await tokenErrorOf(verifyJwt(token, publicKey, { now: NOW }));
		expect(error.message).toMatch(message);
		expect(error.name).toBe('TokenError');
	});

	test('is also thrown by signJwt for an invalid iat or claims that cannot be written as JSON', async () => {
		const signingKey = await importPrivateKey(pem(alice), 'EdDSA');
		const signAndReadError = async (claims: Record<string, unknown>) =>
			await tokenErrorOf(signJwt(claims, signingKey));
		expect(await signAndReadError({ iat: 'now' })).toMatchObject({
			reason: 'badClaims',
			message: `The token's claims hold an "iat" that is not a number.`,
		});
		const circularClaims: Record<string, unknown> = {};
		circularClaims.loop = circularClaims;
		expect(await signAndReadError(circularClaims)).toMatchObject({
			reason: 'badClaims',
			message: `The token's claims cannot be written as JSON.`,
		});
	});

	test('names no foreign key as the reason if the token does not identify one', async () => {
		const token = signRawToken(keyPairFor('ES256', 'Mallory').privateKey, 'ES256', {});
		const error: TokenError = await tokenErrorOf(
			verifyJwt(token, jwk(keyPairFor('ES256').privateKey), { now: NOW }),
		);
		expect(error.reason).toBe('badSignature');
	});
});

describe('a fingerprint', () => {
	const ecKey = jwk(keyPairFor('ES256').privateKey);

	test('matches a key by its thumbprint or, for Ed25519, by its public key', async () => {
		const thumbprint = await fingerprintOf(ecKey);
		expect(await isFingerprintOf(thumbprint, { ...ecKey, use: 'sig' })).toBe(true);
		expect(await isFingerprintOf(aliceJwk.x!, aliceJwk)).toBe(true);
		const otherFingerprint = await fingerprintOf({ ...aliceJwk, crv: 'Ed448' });
		expect(otherFingerprint).not.toBe(aliceJwk.x);
		expect(await isFingerprintOf(thumbprint, aliceJwk)).toBe(false);
		expect(await isFingerprintOf(aliceJwk.x!, ecKey)).toBe(false);
		expect(await isFingerprintOf('undefined', {})).toBe(false);
	});

	test('is rejected with a KeyError if it is invalid', () => {
		const readFingerprint = () => publicKeyFromFingerprint('short');
		expect(readFingerprint).toThrow(KeyError);
		expect(readFingerprint).toThrow(
			expect.objectContaining({ reason: 'fingerprint', name: 'KeyError' }),
		);
	});
});
