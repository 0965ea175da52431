// Protects workflows that rely on a verified token: its claims are those that were signed, and a changed token is rejected.
import fc from 'fast-check';

import {
	decodeUnverified,
	looksLikeToken,
	importPrivateKey,
	signJwt,
	verifyJwt,
} from '../../../nodes/engine/token/jwt';
import type { Algorithm, Claims, SigningKey } from '../../../nodes/engine/token/jwt';
import { scaleRunCount } from '../../support/scaleRunCount';
import { alice, check, NOW, pairs, pem, tokenErrorOf, NOW_SECONDS } from './tokens';

describe('verifyJwt for random input', () => {
	let key: SigningKey;
	beforeAll(async () => {
		key = await importPrivateKey(pem(alice), 'EdDSA');
	});

	const anyClaims = fc.dictionary(fc.string(), fc.jsonValue()).map((claims) => {
		for (const time of ['exp', 'nbf', 'iat']) delete claims[time];
		return JSON.parse(JSON.stringify(claims)) as Claims;
	});

	test('returns the claims that were signed', async () => {
		await fc.assert(
			fc.asyncProperty(anyClaims, async (claims) => {
				const token = await signJwt(claims, key);
				expect(looksLikeToken(token)).toBe(true);
				expect(await check(token)).toEqual({ claims });
				expect(decodeUnverified(token).claims).toEqual(claims);
			}),
			{ numRuns: scaleRunCount(100) },
		);
	});

	test('rejects a token in which anything was changed', async () => {
		const anyCharacter = fc.constantFrom(
			...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n',
		);
		const anyPosition = fc.double({ min: 0, max: 1, noNaN: true });
		const anyChange = fc.record({
			place: anyPosition,
			length: fc.nat(3),
			text: fc.array(anyCharacter, { maxLength: 3 }),
		});
		for (const algorithm of ['EdDSA', 'ES256'] as Algorithm[]) {
			const { privateKey } = pairs[algorithm]!;
			const signingKey = await importPrivateKey(pem(privateKey), algorithm);
			const token = await signJwt({ sub: 'x', iat: NOW_SECONDS }, signingKey);
			await fc.assert(
				fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 3 }), async (changes) => {
					let text = token;
					for (const { place: position, length, text: insertedText } of changes) {
						const offset = Math.floor(position * text.length);
						text = text.slice(0, offset) + insertedText.join('') + text.slice(offset + length);
					}
					fc.pre(text !== token);
					await tokenErrorOf(verifyJwt(text, signingKey.publicJwk, { now: NOW }));
				}),
				{ numRuns: scaleRunCount(200) },
			);
		}
	});

	test('rejects every other last character of the signature, even if it decodes to the same bytes', async () => {
		const token = await signJwt({ sub: 'x' }, key);
		const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
		for (const last of alphabet.replace(token.at(-1)!, '')) {
			await tokenErrorOf(check(token.slice(0, -1) + last));
		}
	});

	test('rejects any string with a TokenError', async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
				expect(looksLikeToken(text)).toBe(false);
				expect((await tokenErrorOf(check(text))).reason).toBe('notAToken');
			}),
		);
	});
});
