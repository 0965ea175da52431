// Protects approvals by several people: a policy is accepted only if it can be met, and the requester never decides.
import { BadInput } from '../../../../nodes/engine/errors';
import { resolvePolicy } from '../../../../nodes/TwoFactor/approvalRequest/severalPeople/resolvePolicy';
import type { PolicyInput } from '../../../../nodes/TwoFactor/approvalRequest/severalPeople/resolvePolicy';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-03-02T09:00:00Z');

/** A level as the user enters it in the node. */
type LevelRow = Record<string, unknown>;

const resolveRows = (rows: LevelRow[], overrides: Partial<PolicyInput> = {}) =>
	resolvePolicy(
		{
			levels: { level: rows },
			oneDenialEnds: true,
			expiresAfterMs: DAY_MS,
			neverExpires: false,
			...overrides,
		},
		NOW_MS,
	);

const resolveLevels = (...args: Parameters<typeof resolveRows>) =>
	resolveRows(...args).policy.levels;

/** Returns the error of rows that must be rejected. */
function getRejection(...args: Parameters<typeof resolveRows>): {
	message: string;
	advice?: string;
} {
	try {
		resolveRows(...args);
	} catch (error) {
		if (error instanceof BadInput) return error;
		throw error;
	}
	throw new Error('The rows were accepted');
}

const finance = { name: 'Finance', people: '1,2,3', needed: 'all' };

describe('a policy that is accepted', () => {
	test('people in a text are separated by commas or line breaks', () => {
		expect(resolveLevels([{ ...finance, people: '11, 12\n13 ,14' }])[0]?.people).toEqual([
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
		const expectedIds = [people].flat().length === 1 ? ['11'] : ['11', '12'];
		expect(resolveLevels([{ ...finance, people }])[0]?.people).toEqual(expectedIds);
	});

	test('names of people and deputies are returned by User ID', () => {
		const rows = [
			{
				people: [{ id: 11, name: ' Ada ' }, 12, { id: 14, name: '' }],
				deputies: [{ id: 13, name: 'Grace' }],
				deputiesAfter: 5,
			},
		];
		expect(resolveRows(rows).names).toEqual({ 11: 'Ada', 13: 'Grace' });
	});

	test.each<[string, LevelRow, number]>([
		['all', { needed: 'all' }, 3],
		['all if nothing is chosen', { needed: undefined }, 3],
		['any one person', { needed: 'any' }, 1],
		['a number', { needed: 'number', neededNumber: 2 }, 2],
		['a number as text', { needed: 'number', neededNumber: '3' }, 3],
		['any one person although a number is set', { needed: 'any', neededNumber: 3 }, 1],
	])('the number of approvals needed is read: %s', (_, row, expectedNeeded) => {
		expect(resolveLevels([{ ...finance, ...row }])[0]?.needed).toBe(expectedNeeded);
	});

	test('a level without a name is named by its place in the list, in which skipped levels count', () => {
		const rows = [
			{ ...finance, skipIf: true },
			{ name: '', people: '4' },
			{ name: '  Two\n lines ', people: '5' },
		];
		expect(resolveLevels(rows).map(({ name }) => name)).toEqual(['Level 2', 'Two lines']);
	});

	test('the requester is removed from people and deputies of all levels', () => {
		const rows = [
			{ ...finance, deputies: '4', deputiesAfter: 5 },
			{ people: '5,1', deputies: '6', deputiesAfter: 5 },
		];
		const levels = resolveLevels(rows, { requester: '1' });
		expect(levels.map(({ people, needed }) => [people, needed])).toEqual([
			[['2', '3'], 2],
			[['5'], 1],
		]);
		const asDeputy = resolveLevels([{ ...finance, deputies: '4' }], { requester: '4' });
		expect(asDeputy[0]).toEqual({
			name: 'Finance',
			people: ['1', '2', '3'],
			needed: 3,
			deputies: [],
		});
	});

	test.each<[string, boolean, unknown]>([
		['true', true, true],
		['false', false, false],
		['missing', false, undefined],
		['the text true', false, 'true'],
		['1', false, 1],
		['an empty text', false, ''],
	])('Skip If is %s: the level is skipped: %s', (_, isSkipped, skipIf) => {
		const levels = resolveLevels([{ ...finance, skipIf }, { people: '4' }]);
		expect(levels).toHaveLength(isSkipped ? 1 : 2);
	});

	test('a skipped level is not validated', () => {
		const rows = [{ people: 'someone', skipIf: true }, finance];
		expect(resolveLevels(rows).map(({ name }) => name)).toEqual(['Finance']);
	});

	test.each<[unknown, unknown, number]>([
		[10, 'minutes', 10 * MINUTE_MS],
		['2', 'hours', 120 * MINUTE_MS],
		[0.5, 'days', DAY_MS / 2],
		[7, undefined, 7 * MINUTE_MS],
	])('deputies are asked after %p %p (%i ms)', (deputiesAfter, deputiesAfterUnit, ms) => {
		const row = { ...finance, deputies: '4', deputiesAfter, deputiesAfterUnit };
		expect(resolveLevels([row])[0]).toMatchObject({ deputies: ['4'], deputiesAfterMs: ms });
	});

	test('the time for deputies is ignored if there are no deputies', () => {
		expect(resolveLevels([{ ...finance, deputiesAfter: 0 }])[0]).not.toHaveProperty(
			'deputiesAfterMs',
		);
	});

	test('the time limit is counted from the current time', () => {
		const { policy } = resolveRows([finance], { limitMs: 5 * MINUTE_MS, oneDenialEnds: false });
		expect(policy).toMatchObject({ limitAt: NOW_MS + 5 * MINUTE_MS, oneDenialEnds: false });
		expect(resolveRows([finance]).policy.limitAt).toBeUndefined();
	});
});

describe('a policy that is rejected', () => {
	const elevenIds = Array.from({ length: 11 }, (_, index) => index + 1);
	const withDeputy = { ...finance, deputies: '4', deputiesAfterUnit: 'minutes' };

	/** Expects an error with this message, and with advice that is a sentence. */
	const expectRejection = (message: string, ...args: Parameters<typeof resolveRows>) => {
		const rejection = getRejection(...args);
		expect(rejection.message).toContain(message);
		expect(rejection.advice).toMatch(/\.$/);
	};

	test.each<[string, LevelRow[], string]>([
		['no levels', [], "'Levels' is empty"],
		[
			'only skipped levels',
			[{ ...finance, skipIf: true }],
			'No level applies to this item, so no one would be asked',
		],
		['no people', [{ name: 'Finance', people: ' ' }], "'Finance: People' is empty"],
		['an empty list', [{ people: [] }], "'Level 1' has no one left to ask"],
		['too many people', [{ people: elevenIds }], "'Level 1: People' has 11 User IDs"],
		['too many deputies', [{ people: '20', deputies: elevenIds }], "'Level 1: Deputies' has 11"],
		['leading zeros', [{ people: '1,007' }], 'starts with 0: "007"'],
		['zero', [{ people: '0' }], 'starts with 0'],
		['a name', [{ people: 'Ada' }], 'which are numbers, not "Ada"'],
		['a negative number', [{ people: -5 }], 'which are numbers, not "-5"'],
		['a fraction', [{ people: [1.5] }], 'not "1.5"'],
		['21 digits', [{ people: '123456789012345678901' }], 'which are numbers'],
		['a number that lost digits', [{ people: [12345678901234567890] }], 'too long for a number'],
		['an empty entry', [{ people: '1,,2' }], "'Level 1: People' has an empty entry"],
		['an empty entry at the end', [{ people: '1,' }], 'has an empty entry'],
		['null in a list', [{ people: [1, null] }], 'has an empty entry'],
		['an object without id', [{ people: [{ name: 'Ada' }] }], "'Level 1: People: id' has an empty"],
		['a person twice', [{ people: '1,2,1' }], "User ID 1 is twice in 'Level 1'"],
		['a person as text and number', [{ people: ['1', 1] }], 'User ID 1 is twice'],
		[
			'a person in two levels',
			[finance, { people: '3' }],
			"User ID 3 is in 'Finance' and in 'Level 2'",
		],
		[
			'a person as deputy',
			[{ ...withDeputy, deputies: '2', deputiesAfter: 1 }],
			"User ID 2 is twice in 'Finance'",
		],
		[
			'a deputy in two levels',
			[{ ...withDeputy, deputiesAfter: 1 }, { people: '4' }],
			"User ID 4 is in 'Finance' and in",
		],
		[
			'more approvals than people',
			[{ ...finance, needed: 'number', neededNumber: 4 }],
			"'Finance: Approvals Needed' is 4, but only 3 people are left",
		],
		['0 approvals', [{ ...finance, needed: 'number', neededNumber: 0 }], 'must be at least 1'],
		[
			'1.5 approvals',
			[{ ...finance, needed: 'number', neededNumber: 1.5 }],
			'must be a whole number',
		],
		['no number of approvals', [{ ...finance, needed: 'number' }], 'must be a whole number'],
		[
			'an unknown number of approvals',
			[{ ...finance, needed: 'most' }],
			"'Finance: Approvals Needed' is not known",
		],
		[
			'deputies without a time',
			[withDeputy],
			"'Finance: Ask Deputies After' must be longer than 0",
		],
		['deputies after 0', [{ ...withDeputy, deputiesAfter: 0 }], 'must be longer than 0'],
		[
			'deputies after an unknown unit',
			[{ ...withDeputy, deputiesAfter: 1, deputiesAfterUnit: 'weeks' }],
			'must be longer than 0',
		],
	])('the error names the reason and has advice: %s', (_, rows, message) =>
		expectRejection(message, rows),
	);

	test.each<[string, LevelRow[], Partial<PolicyInput>, string]>([
		['never expires', [finance], { neverExpires: true }, "'Never Expires' can't be used"],
		['the requester alone', [{ people: '7' }], { requester: '7' }, "'Level 1' has no one left"],
		[
			'more approvals than people without the requester',
			[{ people: '1,2', needed: 'number', neededNumber: 2 }],
			{ requester: '2' },
			'is 2, but only one person is left',
		],
		[
			'deputies at the expiry',
			[{ ...withDeputy, deputiesAfter: 60 }],
			{ expiresAfterMs: 60 * MINUTE_MS },
			"'Finance: Ask Deputies After' must be shorter than 'Expires After'",
		],
		[
			'deputies at the limit',
			[{ ...withDeputy, deputiesAfter: 60 }],
			{ limitMs: 60 * MINUTE_MS },
			"must be shorter than 'Limit Wait Time'",
		],
		[
			'a reminder at the expiry',
			[finance],
			{ remindAfterMs: DAY_MS },
			"'Remind After' must be shorter than 'Expires After'",
		],
		[
			'a reminder after the limit',
			[finance],
			{ remindAfterMs: 2, limitMs: 1 },
			"'Remind After' must be shorter than 'Limit Wait Time'",
		],
	])('the error names the reason and has advice: %s', (_, rows, overrides, message) =>
		expectRejection(message, rows, overrides),
	);

	test.each<[string, unknown]>([
		['an ID instead of a level', ['3', finance]],
		['an empty entry', [finance, null]],
		['a list in the list', [finance, [finance]]],
	])('the error says that an entry is not a level: %s', (_, level) => {
		const rows = level as LevelRow[];
		expect(getRejection(rows).message).toBe("'Levels' has an entry that is not a level");
	});

	test.each(['Two must approve', 'MUST\u200b  APPROVE', 'ｍｕｓｔ approve'])(
		'the error names the text of a level name that imitates a row of the node: %j',
		(name) => {
			expect(getRejection([{ ...finance, name }]).message).toContain('must approve');
		},
	);

	test('deputies who are asked before the expiry and the limit are not a reason to reject', () => {
		const times = { expiresAfterMs: 61 * MINUTE_MS, limitMs: 61 * MINUTE_MS };
		expect(resolveLevels([{ ...withDeputy, deputiesAfter: 60 }], times)).toHaveLength(1);
	});

	test('ten people in a level are not a reason to reject', () => {
		expect(resolveLevels([{ people: elevenIds.slice(1) }])[0]?.people).toHaveLength(10);
	});
});
