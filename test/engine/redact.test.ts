// Protects secrets in error messages: each is masked in every usual encoding, and other text stays unchanged.
import fc from 'fast-check';

import { redact } from '../../nodes/engine/errors';
import { scaleRunCount } from '../support/scaleRunCount';
import { secretEncodings } from '../support/secretEncodings';

const KEY = `sk&live"K3Y'<7>+/=%41é\\n7_#`;

it('redact masks the whole of a secret that contains another secret, in any order of the secrets', () => {
	const secrets = ['abcd', 'abcd-1234'];
	expect(redact('key abcd-1234, code abcd', secrets)).toBe('key •••, code •••');
	expect(redact('key abcd-1234, code abcd', secrets.reverse())).toBe('key •••, code •••');
});

describe.each(Object.entries(secretEncodings))('%s', (name, encode) => {
	it('is recognized, and the rest of the message stays', () => {
		const redacted = redact(`Not accepted: "${encode(KEY)}". Check it.`, [KEY]);
		expect(redacted).toMatch(/^Not accepted: .*•••/s);
		expect(redacted).toMatch(/Check it\.$/);
		expect(redacted).not.toContain(encode(KEY));
		// No long part of the encoded secret is left beside the mask.
		for (const word of redacted.match(/\S{8,}/g) ?? []) expect(encode(KEY)).not.toContain(word);
	});

	it('is recognized inside every other encoding', () => {
		for (const [outerName, encodeAgain] of Object.entries(secretEncodings)) {
			const encoded = encodeAgain(`{"key":"${encode(KEY)}"}`);
			const redacted = redact(`Not accepted: ${encoded}`, ['another secret', KEY]);
			expect([outerName, name, redacted.includes('•••')]).toEqual([outerName, name, true]);
			expect(redacted).not.toContain(encoded);
		}
	});
});

describe('any secret', () => {
	const drawSecret = fc
		.oneof(
			fc.string({ minLength: 8, maxLength: 40 }),
			fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
			fc.string({ unit: fc.constantFrom(...'aZ7+/=_-%&\\"\'<; u4125x#'), minLength: 12 }),
			fc.base64String({ minLength: 16, maxLength: 64 }),
		)
		.filter((secret) => secret.trim().length >= 8);
	const drawEncode = fc.constantFrom(...Object.values(secretEncodings));

	it('is masked in each encoding, and in one encoding inside the other', () => {
		fc.assert(
			fc.property(drawSecret, drawEncode, drawEncode, (secret, encode, encodeAgain) => {
				const sent = secret.trim();
				for (const encoded of [encode(sent), encodeAgain(encode(sent))]) {
					const redacted = redact(`Header "${encoded}" is not valid`, [secret]);
					expect(redacted).toContain('•••');
					expect(redacted).not.toContain(encoded);
				}
			}),
			{ numRuns: scaleRunCount(1000) },
		);
	});

	it('does not change a text that does not contain it', () => {
		const drawText = fc.string({ unit: fc.constantFrom(...'abcdef %&\\;"=+/\n'), maxLength: 200 });
		fc.assert(
			fc.property(drawText, drawEncode, (text, encode) => {
				expect(redact(encode(text), ['ZYXW-98765'])).toBe(encode(text));
			}),
			{ numRuns: scaleRunCount(500) },
		);
	});

	it.each(['\ud800abcdefgh', 'abcd\udfff'])('may be malformed Unicode: %j', (secret) => {
		expect(redact(`key ${secret}`, [secret])).toBe('key •••');
	});
});

it('redact skips secrets with fewer than four characters, which are parts of ordinary words', () => {
	expect(redact('an error', ['err', '', ' or '])).toBe('an error');
	// Its decoded form has only one character.
	expect(redact('A &#65; in base64: QQ==', ['%41 '])).toBe('A &#65; in base64: QQ==');
});

it('redact cuts a very long text, and leaves no part of an encoded secret at the end', () => {
	for (let length = 99_900; length <= 100_000; length += 10) {
		const redacted = redact(`${'a '.repeat(length / 2)}${'&#115;'.repeat(30)} end`, [
			's'.repeat(30),
		]);
		expect(redacted.length).toBeLessThanOrEqual(100_001);
		expect(redacted).toMatch(/ a (?:••• end|•••|)…?$/);
	}
});

it('redact masks an encoded secret in a long text that repeats itself', () => {
	const base64 = Buffer.from(`Basic ${KEY}`).toString('base64');
	for (const part of ['%25', '&amp;', '\\\\', 'QUJD', 'abc-', 'A\n', '&#']) {
		const text = part.repeat(15_000);
		// A failure must not print the texts.
		expect([part, redact(text, [KEY]) === text]).toEqual([part, true]);
		expect([part, redact(`${text} ${base64}`, [KEY]) === `${text} •••`]).toEqual([part, true]);
	}
});
