// Protects users who choose a record by its name: case, accents and kinds of spaces make no difference; signs and digits do.
import fc from 'fast-check';

import { normalizeName } from '../../../nodes/engine/values/normalize';
import { scaleRunCount } from '../../support/scaleRunCount';

const haveEqualNames = (a: string, b: string) => normalizeName(a) === normalizeName(b);

describe('normalizeName', () => {
	it.each([
		['case', 'VIP Guest', 'vip GUEST'],
		['accents', 'Présidente', 'presidente'],
		['the difference between combining and precomposed accents', 'Pre\u0301sidente', 'Présidente'],
		['surrounding and repeated spaces', '  VIP \t  Guest\n', 'VIP Guest'],
		['the kind of a space', 'VIP\u00a0Guest', 'VIP Guest'],
		['direction marks', '\u200fכנס האביב\u200e', 'כנס האביב'],
		['zero-width spaces', 'VIP\u200b Guest\ufeff', 'VIP Guest'],
		['the form of an apostrophe', 'Speakers’ Dinner', "Speakers' Dinner"],
		['the final form of a Greek letter', 'ΟΔΟΣ', 'οδοσ'],
		['the upper-case form of a ligature', 'Straße', 'STRASSE'],
	])('ignores %s', (_, a, b) => {
		expect(normalizeName(a)).not.toBe('');
		expect(haveEqualNames(a, b)).toBe(true);
	});

	it.each([
		['signs', 'VIP +1', 'VIP 1'],
		['digits', 'Forum 2026', 'Forum 2027'],
		['spaces between words', 'VIP Guest', 'VIPGuest'],
		['vowel signs of scripts without case', 'कि', 'की'],
		['voicing marks', 'がく', 'かく'],
	])('distinguishes %s', (_, a, b) => {
		expect(haveEqualNames(a, b)).toBe(false);
	});

	it.each(['', ' \t\n', '\u200b\u00a0\u200f'])(
		'returns an empty string for a name without visible characters (%j)',
		(input) => {
			expect(normalizeName(input)).toBe('');
		},
	);
});

it('normalizeName ignores the case, the Unicode form and the spacing of any name', () => {
	const anyWords = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 });
	const space = fc.constantFrom(' ', '  ', '\u00a0', '\t', ' \u200e ');
	fc.assert(
		fc.property(anyWords, space, (parts, gap) => {
			const name = parts.join(' ');
			expect(normalizeName(normalizeName(name))).toBe(normalizeName(name));
			for (const other of [
				name.toUpperCase(),
				name.toLowerCase(),
				name.normalize('NFD'),
				name.normalize('NFC'),
				`${gap}${parts.join(gap)}${gap}`,
			]) {
				expect([other, normalizeName(other)]).toEqual([other, normalizeName(name)]);
			}
		}),
		{ numRuns: scaleRunCount(500) },
	);
});

it('normalizeName ignores any accents of a Latin name', () => {
	const accent = fc
		.integer({ min: 0x300, max: 0x36f })
		// The iota below Greek vowels is a letter of its own in upper case.
		.filter((code) => code !== 0x345)
		.map((code) => String.fromCodePoint(code));
	const letter = fc.constantFrom(
		...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-&',
	);
	fc.assert(
		fc.property(fc.array(fc.tuple(letter, fc.array(accent, { maxLength: 3 }))), (letters) => {
			const plain = letters.map(([base]) => base).join('');
			const accented = letters.map(([base, marks]) => base + marks.join('')).join('');
			expect(normalizeName(accented)).toBe(plain.toLowerCase());
			expect(normalizeName(accented.normalize('NFC'))).toBe(plain.toLowerCase());
		}),
		{ numRuns: scaleRunCount(500) },
	);
});
