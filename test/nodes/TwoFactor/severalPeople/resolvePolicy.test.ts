import { BadInput } from '../../../../nodes/engine/errors';
import { resolvePolicy } from '../../../../nodes/TwoFactor/approvalRequest/severalPeople/resolvePolicy';
import type { PolicyInput } from '../../../../nodes/TwoFactor/approvalRequest/severalPeople/resolvePolicy';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = Date.parse('2026-03-02T09:00:00Z');

type Row = Record<string, unknown>;

const resolve = (rows: Row[], overrides: Partial<PolicyInput> = {}) =>
	resolvePolicy(
		{
			levels: { level: rows },
			oneDenialEnds: true,
			expiresAfterMs: DAY,
			neverExpires: false,
			...overrides,
		},
		NOW,
	);

const levelsOf = (...args: Parameters<typeof resolve>) => resolve(...args).policy.levels;

function problemOf(...args: Parameters<typeof resolve>): { message: string; advice?: string } {
	try {
		resolve(...args);
	} catch (error) {
		if (error instanceof BadInput) return error;
		throw error;
	}
	throw new Error('It was accepted');
}

const finance = { name: 'Finance', people: '1,2,3', needed: 'all' };

describe('resolved policies', () => {
	test('people are separated by commas or line breaks', () => {
		expect(levelsOf([{ ...finance, people: '11, 12\n13 ,14' }])[0]?.people).toEqual([
			'11',
			'12',
			'13',
			'14',
		]);
	});

	test.each<[string, unknown]>([
		['one number', 11],
		['a list of numbers and texts', [11, '12']],
		['one object', { id: 11, name: 'Ada' }],
		['objects', [{ id: 11, name: 'Ada' }, { id: '12' }]],
	])('people can be %s', (_, people) => {
		const ids = [people].flat().length === 1 ? ['11'] : ['11', '12'];
		expect(levelsOf([{ ...finance, people }])[0]?.people).toEqual(ids);
	});

	test('names of people and deputies are known by User ID', () => {
		const rows = [
			{
				people: [{ id: 11, name: ' Ada ' }, 12, { id: 14, name: '' }],
				deputies: [{ id: 13, name: 'Grace' }],
				deputiesAfter: 5,
			},
		];
		expect(resolve(rows).names).toEqual({ 11: 'Ada', 13: 'Grace' });
	});

	test.each<[string, Row, number]>([
		['all', { needed: 'all' }, 3],
		['all, if nothing is chosen', { needed: undefined }, 3],
		['any one', { needed: 'any' }, 1],
		['a number', { needed: 'number', neededNumber: 2 }, 2],
		['a number as text', { needed: 'number', neededNumber: '3' }, 3],
		['not the number, if another choice is made', { needed: 'any', neededNumber: 3 }, 1],
	])('approvals needed: %s', (_, row, needed) => {
		expect(levelsOf([{ ...finance, ...row }])[0]?.needed).toBe(needed);
	});

	test('a level without a name is called by its place in the list, skipped ones included', () => {
		const rows = [
			{ ...finance, skipIf: true },
			{ name: '', people: '4' },
			{ name: '  Two\n lines ', people: '5' },
		];
		expect(levelsOf(rows).map(({ name }) => name)).toEqual(['Level 2', 'Two lines']);
	});

	test('the requester is left out everywhere, and does not count', () => {
		const rows = [
			{ ...finance, deputies: '4', deputiesAfter: 5 },
			{ people: '5,1', deputies: '6', deputiesAfter: 5 },
		];
		const levels = levelsOf(rows, { requester: '1' });
		expect(levels.map(({ people, needed }) => [people, needed])).toEqual([
			[['2', '3'], 2],
			[['5'], 1],
		]);
		const asDeputy = levelsOf([{ ...finance, deputies: '4' }], { requester: '4' });
		expect(asDeputy[0]).toEqual({
			name: 'Finance',
			people: ['1', '2', '3'],
			needed: 3,
			deputies: [],
		});
	});

	test.each<[string, unknown, boolean]>([
		['true', true, true],
		['false', false, false],
		['missing', undefined, false],
		['the text true', 'true', false],
		['1', 1, false],
		['an empty text', '', false],
	])('Skip If skips a level only if it is the boolean true: %s', (_, skipIf, isSkipped) => {
		const levels = levelsOf([{ ...finance, skipIf }, { people: '4' }]);
		expect(levels).toHaveLength(isSkipped ? 1 : 2);
	});

	test('a skipped level is not checked', () => {
		const rows = [{ people: 'someone', skipIf: true }, finance];
		expect(levelsOf(rows).map(({ name }) => name)).toEqual(['Finance']);
	});

	test.each<[unknown, unknown, number]>([
		[10, 'minutes', 10 * MINUTE],
		['2', 'hours', 120 * MINUTE],
		[0.5, 'days', DAY / 2],
		[7, undefined, 7 * MINUTE],
	])('deputies after %p %p', (deputiesAfter, deputiesAfterUnit, ms) => {
		const row = { ...finance, deputies: '4', deputiesAfter, deputiesAfterUnit };
		expect(levelsOf([row])[0]).toMatchObject({ deputies: ['4'], deputiesAfterMs: ms });
	});

	test('the time for deputies is ignored without deputies', () => {
		expect(levelsOf([{ ...finance, deputiesAfter: 0 }])[0]).not.toHaveProperty('deputiesAfterMs');
	});

	test('the time limit counts from now', () => {
		const { policy } = resolve([finance], { limitMs: 5 * MINUTE, oneDenialEnds: false });
		expect(policy).toMatchObject({ limitAt: NOW + 5 * MINUTE, oneDenialEnds: false });
		expect(resolve([finance]).policy.limitAt).toBeUndefined();
	});
});

describe('policies that are rejected before anything is sent', () => {
	const eleven = Array.from({ length: 11 }, (_, index) => index + 1);
	const deputy = { ...finance, deputies: '4', deputiesAfterUnit: 'minutes' };

	test.each<[string, Row[], Partial<PolicyInput>, string]>([
		['no levels', [], {}, "'Levels' is empty"],
		[
			'only skipped levels',
			[{ ...finance, skipIf: true }],
			{},
			'No level applies to this item, so no one would be asked',
		],
		['never expires', [finance], { neverExpires: true }, "'Never Expires' can't be used"],
		['no people', [{ name: 'Finance', people: ' ' }], {}, "'Finance: People' is empty"],
		['an empty list', [{ people: [] }], {}, "'Level 1' has no one left to ask"],
		['the requester alone', [{ people: '7' }], { requester: '7' }, "'Level 1' has no one left"],
		['too many people', [{ people: eleven }], {}, "'Level 1: People' has 11 User IDs"],
		['too many deputies', [{ people: '20', deputies: eleven }], {}, "'Level 1: Deputies' has 11"],
		['leading zeros', [{ people: '1,007' }], {}, 'starts with 0: "007"'],
		['zero', [{ people: '0' }], {}, 'starts with 0'],
		['a name', [{ people: 'Ada' }], {}, 'which are numbers, not "Ada"'],
		['a negative number', [{ people: -5 }], {}, 'which are numbers, not "-5"'],
		['a fraction', [{ people: [1.5] }], {}, 'not "1.5"'],
		['21 digits', [{ people: '123456789012345678901' }], {}, 'which are numbers'],
		[
			'a number that lost digits',
			[{ people: [12345678901234567890] }],
			{},
			'too long for a number',
		],
		['an empty entry', [{ people: '1,,2' }], {}, "'Level 1: People' has an empty entry"],
		['an empty entry at the end', [{ people: '1,' }], {}, 'has an empty entry'],
		['nothing in a list', [{ people: [1, null] }], {}, 'has an empty entry'],
		[
			'an object without id',
			[{ people: [{ name: 'Ada' }] }],
			{},
			"'Level 1: People: id' has an empty",
		],
		['a person twice', [{ people: '1,2,1' }], {}, "User ID 1 is twice in 'Level 1'"],
		['a person as text and number', [{ people: ['1', 1] }], {}, 'User ID 1 is twice'],
		[
			'a person in two levels',
			[finance, { people: '3' }],
			{},
			"User ID 3 is in 'Finance' and in 'Level 2'",
		],
		[
			'a person as deputy',
			[{ ...deputy, deputies: '2', deputiesAfter: 1 }],
			{},
			"User ID 2 is twice in 'Finance'",
		],
		[
			'a deputy in two levels',
			[{ ...deputy, deputiesAfter: 1 }, { people: '4' }],
			{},
			"User ID 4 is in 'Finance' and in",
		],
		[
			'more than there are',
			[{ ...finance, needed: 'number', neededNumber: 4 }],
			{},
			"'Finance: Approvals Needed' is 4, but only 3 people are left",
		],
		[
			'more than are left without the requester',
			[{ people: '1,2', needed: 'number', neededNumber: 2 }],
			{ requester: '2' },
			'is 2, but only one person is left',
		],
		['no approval', [{ ...finance, needed: 'number', neededNumber: 0 }], {}, 'must be at least 1'],
		[
			'half an approval',
			[{ ...finance, needed: 'number', neededNumber: 1.5 }],
			{},
			'must be a whole number',
		],
		['no number', [{ ...finance, needed: 'number' }], {}, 'must be a whole number'],
		[
			'another choice',
			[{ ...finance, needed: 'most' }],
			{},
			"'Finance: Approvals Needed' is not known",
		],
		[
			'deputies without a time',
			[deputy],
			{},
			"'Finance: Ask Deputies After' must be longer than 0",
		],
		['deputies after 0', [{ ...deputy, deputiesAfter: 0 }], {}, 'must be longer than 0'],
		[
			'deputies after an unknown unit',
			[{ ...deputy, deputiesAfter: 1, deputiesAfterUnit: 'weeks' }],
			{},
			'must be longer than 0',
		],
		[
			'deputies at the expiry',
			[{ ...deputy, deputiesAfter: 60 }],
			{ expiresAfterMs: 60 * MINUTE },
			"'Finance: Ask Deputies After' must be shorter than 'Expires After'",
		],
		[
			'deputies at the limit',
			[{ ...deputy, deputiesAfter: 60 }],
			{ limitMs: 60 * MINUTE },
			"must be shorter than 'Limit Wait Time'",
		],
		[
			'a reminder at the expiry',
			[finance],
			{ remindAfterMs: DAY },
			"'Remind After' must be shorter than 'Expires After'",
		],
		[
			'a reminder after the limit',
			[finance],
			{ remindAfterMs: 2, limitMs: 1 },
			"'Remind After' must be shorter than 'Limit Wait Time'",
		],
	])('%s', (_, rows, times, message) => {
		const problem = problemOf(rows, times);
		expect(problem.message).toContain(message);
		expect(problem.advice).toMatch(/\.$/);
	});

	test.each<[string, unknown]>([
		['an ID instead of a level', ['3', finance]],
		['an empty entry', [finance, null]],
		['a list in the list', [finance, [finance]]],
	])('%s: no entry is dropped', (_, level) => {
		const rows = level as Row[];
		expect(problemOf(rows).message).toBe("'Levels' has an entry that is not a level");
	});

	test.each(['Two must approve', 'MUST\u200b  APPROVE', 'ｍｕｓｔ approve'])(
		'a name that imitates the rows of the decision is rejected: %j',
		(name) => {
			expect(problemOf([{ ...finance, name }]).message).toContain('must approve');
		},
	);

	test('deputies just before the expiry and the limit are accepted', () => {
		const times = { expiresAfterMs: 61 * MINUTE, limitMs: 61 * MINUTE };
		expect(levelsOf([{ ...deputy, deputiesAfter: 60 }], times)).toHaveLength(1);
	});

	test('ten people are accepted', () => {
		expect(levelsOf([{ people: eleven.slice(1) }])[0]?.people).toHaveLength(10);
	});
});
