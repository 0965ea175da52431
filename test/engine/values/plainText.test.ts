import fc from 'fast-check';
import { tryToParseDateTime } from 'n8n-workflow';

import { BadInput } from '../../../nodes/engine/errors';
import {
	readIdText,
	isBlank,
	isNonDateObject,
	plainText,
	readText,
	readTrimmedText,
} from '../../../nodes/engine/values/texts';
import { scaleRunCount } from '../../support/scaleRunCount';

const EIGHT = '2026-11-30T08:00:00.000Z';
const never = new Date(NaN);

/** Returns the error that a value causes. */
function complaint(read: (given: unknown, label: string) => unknown, given: unknown): BadInput {
	try {
		read(given, 'Room');
	} catch (error) {
		expect(error).toBeInstanceOf(BadInput);
		return error as BadInput;
	}
	throw new Error('Nothing was said');
}

describe('plainText', () => {
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
		[new Date(EIGHT), EIGHT],
		[tryToParseDateTime(EIGHT, 'UTC'), EIGHT],
		[{ toISO: () => 'a moment' }, 'a moment'],
		[{ toISO: () => null }, undefined],
		[{ toISO: 'a moment' }, undefined],
		[NaN, undefined],
		[-Infinity, undefined],
		[never, undefined],
		[undefined, undefined],
		[null, undefined],
		[{}, undefined],
		[['a'], undefined],
		[Symbol('a'), undefined],
		[() => 'a', undefined],
		[Object.assign(() => 'a', { toISO: () => 'a moment' }), undefined],
	])('converts %p to %p', (given, read) => {
		expect(plainText(given)).toBe(read);
	});

	it('isBlank recognizes a value that was not set', () => {
		expect([undefined, null, '', ' \t'].every(isBlank)).toBe(true);
		expect([0, false, 'a', ' a ', {}, []].some(isBlank)).toBe(false);
	});

	it('isNonDateObject recognizes objects other than dates', () => {
		expect([{}, [], new Map()].every(isNonDateObject)).toBe(true);
		const others = [null, undefined, 'a', 7, new Date(EIGHT), tryToParseDateTime(EIGHT, 'UTC')];
		expect(others.some(isNonDateObject)).toBe(false);
	});
});

describe('text and trimmed', () => {
	it('return the value as a string, or undefined', () => {
		expect([undefined, null].map((given) => readText(given, 'Room'))).toEqual([
			undefined,
			undefined,
		]);
		expect(['', ' a ', 7].map((given) => readText(given, 'Room'))).toEqual(['', ' a ', '7']);
		expect([' a ', 7, null].map((given) => readTrimmedText(given, {}, 'Room'))).toEqual([
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
			never,
			/^'Room' must be text, and its value can't be read/,
			/in 'Room': its number or date is not/,
		],
	])('reject %p', (value, message, advice) => {
		for (const read of [
			readText,
			readIdText,
			(value: unknown) => readTrimmedText(value, {}, 'Room'),
		]) {
			const expectedMessage = complaint(read, value);
			expect(expectedMessage.message).toMatch(message);
			expect(expectedMessage.advice).toMatch(advice);
			expect(`${expectedMessage.message} ${expectedMessage.advice}`).not.toContain('secret');
		}
	});
});

describe('idText', () => {
	it.each<[unknown, string | undefined]>([
		[7, '7'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		[0.5, '0.5'],
		['12345678901234567890', '12345678901234567890'],
		[12345678901234567890n, '12345678901234567890'],
		[null, undefined],
	])('converts %p to %p', (given, id) => {
		expect(readIdText(given, 'Room')).toBe(id);
	});

	it('rejects a number that has lost digits', () => {
		const message = complaint(readIdText, Number.MAX_SAFE_INTEGER + 1);
		expect(message.message).toBe("'Room' is too long for a number");
		expect(message.advice).toMatch(/^Pass 'Room' as text/);
	});
});

describe('plainText of numbers', () => {
	it('has digits only, and parses to the same number', () => {
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
				const text = plainText(number)!;
				expect(text).toMatch(/^-?\d+(\.\d+)?$/);
				expect(Number(text) === number).toBe(true);
			}),
			{ numRuns: scaleRunCount(700) },
		);
	});

	it('writes whole numbers of any size without an exponent', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (whole) => {
				expect(plainText(whole)).toBe(`${whole}`);
				const safe = BigInt.asIntN(53, whole);
				expect(plainText(Number(safe))).toBe(`${safe}`);
			}),
		);
	});
});
