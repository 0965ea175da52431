// Protects values sent as text: a number keeps its digits and gets no exponent, and a list or object is rejected.
import fc from 'fast-check';
import { tryToParseDateTime } from 'n8n-workflow';

import {
	readIdText,
	isBlank,
	isNonDateObject,
	plainText,
	readText,
	readTrimmedText,
} from '../../../nodes/engine/values/texts';
import { errorFrom } from '../../support/errorFrom';
import { scaleRunCount } from '../../support/scaleRunCount';

const EIGHT_UTC = '2026-11-30T08:00:00.000Z';
const invalidDate = new Date(NaN);

describe('plain text', () => {
	it.each<[unknown, string | undefined]>([
		['', ''],
		[' a ', ' a '],
		[204, '204'],
		[-0.5, '-0.5'],
		[1e21, '1000000000000000000000'],
		[-1.25e22, '-12500000000000000000000'],
		[1e-7, '0.0000001'],
		[-1.25e-9, '-0.00000000125'],
		[true, 'true'],
		[false, 'false'],
		[12345678901234567890n, '12345678901234567890'],
		[new Date(EIGHT_UTC), EIGHT_UTC],
		[tryToParseDateTime(EIGHT_UTC, 'UTC'), EIGHT_UTC],
		[{ toISO: () => 'a moment' }, 'a moment'],
		[{ toISO: () => null }, undefined],
		[{ toISO: 'a moment' }, undefined],
		[NaN, undefined],
		[-Infinity, undefined],
		[invalidDate, undefined],
		[undefined, undefined],
		[null, undefined],
		[{}, undefined],
		[['a'], undefined],
		[Symbol('a'), undefined],
		[() => 'a', undefined],
		[Object.assign(() => 'a', { toISO: () => 'a moment' }), undefined],
	])('plainText converts %p to %p', (input, expectedText) => {
		expect(plainText(input)).toBe(expectedText);
	});

	it('isBlank accepts undefined, null and white space only', () => {
		expect([undefined, null, '', ' \t'].every(isBlank)).toBe(true);
		expect([0, false, 'a', ' a ', {}, []].some(isBlank)).toBe(false);
	});

	it('isNonDateObject accepts objects and lists, except dates', () => {
		expect([{}, [], new Map()].every(isNonDateObject)).toBe(true);
		const others = [
			null,
			undefined,
			'a',
			7,
			new Date(EIGHT_UTC),
			tryToParseDateTime(EIGHT_UTC, 'UTC'),
		];
		expect(others.some(isNonDateObject)).toBe(false);
	});
});

describe('readText and readTrimmedText', () => {
	it('return the value as a string, or undefined for no value', () => {
		expect([undefined, null].map((input) => readText(input, 'Room'))).toEqual([
			undefined,
			undefined,
		]);
		expect(['', ' a ', 7].map((input) => readText(input, 'Room'))).toEqual(['', ' a ', '7']);
		expect([' a ', 7, null].map((input) => readTrimmedText(input, {}, 'Room'))).toEqual([
			'a',
			'7',
			undefined,
		]);
	});

	it.each<[unknown, RegExp, RegExp]>([
		[['secret'], /^'Room' must be text, not a list$/, /in 'Room': pick one entry/],
		[{ a: 'secret' }, /^'Room' must be text, not an object$/, /in 'Room': pick one property/],
		[
			NaN,
			/^'Room' must be text, and its value can't be read/,
			/in 'Room': its number or date is not/,
		],
		[
			invalidDate,
			/^'Room' must be text, and its value can't be read/,
			/in 'Room': its number or date is not/,
		],
	])('reject %p with advice, without the value', (value, message, advice) => {
		for (const read of [
			readText,
			readIdText,
			(value: unknown) => readTrimmedText(value, {}, 'Room'),
		]) {
			const error = errorFrom(() => read(value, 'Room'));
			expect(error.message).toMatch(message);
			expect(error.advice).toMatch(advice);
			expect(`${error.message} ${error.advice}`).not.toContain('secret');
		}
	});
});

describe('readIdText', () => {
	it.each<[unknown, string | undefined]>([
		[7, '7'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		[0.5, '0.5'],
		['12345678901234567890', '12345678901234567890'],
		[12345678901234567890n, '12345678901234567890'],
		[null, undefined],
	])('converts %p to %p', (input, id) => {
		expect(readIdText(input, 'Room')).toBe(id);
	});

	it('rejects a number that has lost digits', () => {
		const error = errorFrom(() => readIdText(Number.MAX_SAFE_INTEGER + 1, 'Room'));
		expect(error.message).toBe("'Room' is too long for a number");
		expect(error.advice).toMatch(/^Pass 'Room' as text/);
	});
});

describe('plainText of numbers', () => {
	it('contains no exponent, and parses to the original number', () => {
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
				const text = plainText(number)!;
				expect(text).toMatch(/^-?\d+(\.\d+)?$/);
				expect(Number(text) === number).toBe(true);
			}),
			{ numRuns: scaleRunCount(700) },
		);
	});

	it('contains all digits of a whole number of any size', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (whole) => {
				expect(plainText(whole)).toBe(`${whole}`);
				const safe = BigInt.asIntN(53, whole);
				expect(plainText(Number(safe))).toBe(`${safe}`);
			}),
		);
	});
});
