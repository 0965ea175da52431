// Protects values of a user or a service: numbers, IDs and JSON are read without loss, and others are rejected with advice.
import fc from 'fast-check';

import {
	normalizeId,
	booleanReader,
	firstText,
	idNumberReader,
	integerReader,
	isOn,
	isSameId,
	jsonObjectReader,
	membersOf,
	numberReader,
	shorten,
	clampNumber,
} from '../../../nodes/engine/values/convert';
import { isRecord } from '../../../nodes/engine/values/isRecord';
import { errorFrom } from '../../support/errorFrom';

const readers = {
	integer: { read: integerReader('Seats'), rule: "'Seats' must be a whole number" },
	number: { read: numberReader('Seats'), rule: "'Seats' must be a number" },
	boolean: { read: booleanReader('Seats'), rule: "'Seats' must be true or false" },
	idNumber: { read: idNumberReader('Seats'), rule: "'Seats' must be a number" },
};
type Reader = keyof typeof readers;

it.each<[Reader, unknown, unknown]>([
	['integer', 5, 5],
	['integer', ' 5 ', 5],
	['integer', '-5', -5],
	['integer', 0, 0],
	['number', 5.5, 5.5],
	['number', ' 5.5 ', 5.5],
	['number', '-0.5', -0.5],
	['boolean', true, true],
	['boolean', false, false],
	['boolean', ' TRUE ', true],
	['boolean', 'Yes', true],
	['boolean', '1', true],
	['boolean', 1, true],
	['boolean', 'false', false],
	['boolean', ' No', false],
	['boolean', '0', false],
	['boolean', 0, false],
	['idNumber', 7, 7],
	['idNumber', ' 7 ', 7],
	['idNumber', 7n, 7],
	['idNumber', '9007199254740991', 9007199254740991],
	['idNumber', '9007199254740993', 9007199254740993n],
	['idNumber', '1234567890123456789', 1234567890123456789n],
	['idNumber', 1234567890123456789n, 1234567890123456789n],
])('the reader of type %s converts %p to %p', (name, input, expected) => {
	expect(readers[name].read(input)).toBe(expected);
});

it.each<[Reader, unknown, string]>([
	['integer', 5.5, '5.5'],
	['integer', '5.5', '5.5'],
	['integer', 'many', 'many'],
	['integer', '  ', '  '],
	['integer', null, 'null'],
	['integer', true, 'true'],
	['integer', ['5'], '["5"]'],
	['integer', 2 ** 53, '9007199254740992'],
	['number', 'many', 'many'],
	['number', '', ''],
	['number', ' ', ' '],
	['number', 'Infinity', 'Infinity'],
	['number', NaN, 'null'],
	['number', undefined, 'undefined'],
	['number', [5], '[5]'],
	['boolean', 'maybe', 'maybe'],
	['boolean', '', ''],
	['boolean', 2, '2'],
	['boolean', null, 'null'],
	['boolean', undefined, 'undefined'],
	['boolean', [true], '[true]'],
	['idNumber', 'a7', 'a7'],
	['idNumber', '7a', '7a'],
	['idNumber', '', ''],
	['idNumber', -7, '-7'],
	['idNumber', '0', '0'],
	['idNumber', 0.5, '0.5'],
	['idNumber', '12345678901234567890', '12345678901234567890'],
	['idNumber', null, 'null'],
])('the reader of type %s rejects %p', (name, input, quoted) => {
	const { read, rule } = readers[name];
	const { message, advice } = errorFrom(() => read(input));
	expect(message).toBe(`${rule}, not "${quoted}"`);
	expect(advice).toMatch(name === 'idNumber' ? /^Choose it from the list, / : /^Check 'Seats'[.:]/);
});

it('idNumberReader rejects a number that has lost digits, with advice to pass text', () => {
	const { message, advice } = errorFrom(() => idNumberReader('Seats')(2 ** 53));
	expect(message).toBe("'Seats' is too long for a number");
	expect(advice).toMatch(/^Pass 'Seats' as text: a number/);
});

it('isOn accepts only true', () => {
	expect([true, false, 'true', 1, undefined].map(isOn)).toEqual([true, false, false, false, false]);
});

describe('clampNumber', () => {
	it.each<[unknown, number]>([
		[5, 5],
		['5', 5],
		[' 5.5 ', 5.5],
		[0, 1],
		[-3, 1],
		[99, 20],
		[Infinity, 20],
		[undefined, 4],
		[null, 4],
		['', 4],
		['  ', 4],
		['many', 4],
		[NaN, 4],
		[{}, 4],
		[true, 4],
		[[3], 4],
	])('converts %j to %d with the bounds 1 and 20 and the default 4', (input, number) => {
		expect(clampNumber(input, { min: 1, max: 20, fallback: 4 })).toBe(number);
	});

	it('keeps a number within narrow bounds', () => {
		const clampTo = (min: number, max: number) =>
			[1, 2, 3, 4].map((input) => clampNumber(input, { min, max, fallback: 7 }));
		expect(clampTo(2, 3)).toEqual([2, 2, 3, 3]);
		expect(clampTo(2, 2)).toEqual([2, 2, 2, 2]);
	});

	it('never returns a number outside the bounds', () => {
		fc.assert(
			fc.property(fc.anything(), (input) => {
				const number = clampNumber(input, { min: 1, max: 20, fallback: 4 });
				return number >= 1 && number <= 20;
			}),
		);
	});
});

it('isRecord recognizes objects that are not lists, and membersOf returns their members', () => {
	const record = { id: 1 };
	expect([record, {}].every(isRecord)).toBe(true);
	expect([null, undefined, [record], 'text', 7].some(isRecord)).toBe(false);
	expect(membersOf(record)).toBe(record);
	expect(membersOf([record])).toEqual({});
});

describe('jsonObjectReader', () => {
	const read = jsonObjectReader('Profile');

	it('accepts an object, or its JSON as a string', () => {
		const input = { name: 'Ada' };
		expect(read(input)).toBe(input);
		expect(read('{"name": "Ada"}')).toEqual(input);
		expect(read('{}')).toEqual({});
	});

	it.each(['[]', 'null', '7', '"text"', [], null, 7, undefined])(
		'rejects %p, which is not an object',
		(input) => {
			const { message, advice } = errorFrom(() => read(input));
			expect(message).toBe("'Profile' must be a JSON object");
			expect(advice).toContain("Write 'Profile' as names and values in braces");
		},
	);

	it.each(['', '{', "{'name': 1}", 'name'])('rejects %p, which is not valid JSON', (input) => {
		const { message, advice } = errorFrom(() => read(input));
		expect(message).toBe("'Profile' is not valid JSON");
		expect(advice).toContain("Check 'Profile': quotes, commas and braces");
	});
});

it('shorten quotes values in at most sixty characters', () => {
	expect(shorten('a'.repeat(60))).toBe('a'.repeat(60));
	expect(shorten('a'.repeat(61))).toBe(`${'a'.repeat(57)}…`);
	expect(shorten({ a: 1 })).toBe('{"a":1}');
	expect(shorten(undefined)).toBe('undefined');
});

describe('firstText', () => {
	const names = ['message', 'error', 'code'];

	it.each<[unknown, string | undefined]>([
		[{ error: 'no', message: 'Not now' }, 'Not now'],
		[{ code: 7 }, '7'],
		[{ message: 0 }, '0'],
		[{ message: '', error: 'no' }, 'no'],
		[{ message: { text: 'no' }, error: ['no'], code: 7 }, '7'],
		[{ message: true, error: null }, undefined],
		[{ other: 'no' }, undefined],
		['no', undefined],
		[null, undefined],
	])('returns for %j the text %j', (body, expectedText) => {
		expect(firstText(body, names)).toBe(expectedText);
	});
});

describe('normalizeId', () => {
	it.each([
		['100001', 100_001],
		[' 7003 ', 7003],
		['0', 0],
		[42, 42],
		[42n, 42],
		['9007199254740991', 9_007_199_254_740_991],
		['9007199254740992', '9007199254740992'],
		['12345678901234567890', '12345678901234567890'],
		[12345678901234567890n, '12345678901234567890'],
		['007', '007'],
		['-1', '-1'],
		['1e3', '1e3'],
		['0x1f', '0x1f'],
		['1.0', '1.0'],
		['evt_1004', 'evt_1004'],
		['', ''],
	])('converts %p to %p', (input, expected) => {
		expect(normalizeId(input)).toBe(expected);
	});
});

it.each<[unknown, unknown, boolean]>([
	['6F1C-aa', '6f1c-AA', true],
	[' 6f1c ', '6f1c', true],
	[17, '17', true],
	['6f1c', '6f1d', false],
	['6f1c', '6f-1c', false],
])('the IDs %j and %j are the same: %s', (a, b, expected) => {
	expect(isSameId(a, b)).toBe(expected);
	expect(isSameId(b, a)).toBe(expected);
});
