import fc from 'fast-check';

import { fitLine, checkGoal, quantile, computeRatio, summarize } from '../../bench/harness/figures';
import type { Table } from '../../bench/harness/figures';
import {
	toSignificantDigits,
	formatGoals,
	formatTable,
	withUnit,
} from '../../bench/harness/format';

const row = { name: '20 ms', values: { theirs: [4, 2, 3], ours: [1, 1.5, 9] } };
const table: Table = {
	name: 'items',
	caption: 'Time:',
	unit: 's',
	rowHeader: 'service answers after',
	contenders: ['theirs', 'ours', 'absent'],
	rows: [row],
};

describe('figures', () => {
	it('are medians, with the best and the worst round', () => {
		expect(summarize([5, 1, 9, 3, 4])).toEqual({ median: 4, low: 1, high: 9 });
		expect(quantile([7])).toBe(7);
		expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95)).toBe(10);
	});

	it('are compared by their medians, and only if both were measured', () => {
		expect(computeRatio(row, 'ours', 'theirs')).toBe(0.5);
		expect(computeRatio(row, 'absent', 'theirs')).toBeUndefined();
		expect(computeRatio(row, 'ours', 'absent')).toBeUndefined();
	});

	it.each([
		[{ atMost: 0.5 }, true],
		[{ atMost: 0.49 }, false],
		[{ atLeast: 0.5 }, true],
		[{ atLeast: 0.51 }, false],
	])('reach a goal of %j: %s', (wanted, isReached) => {
		const goal = { row: '20 ms', contender: 'ours', against: 'theirs', ...wanted };
		expect(checkGoal(table, goal)).toEqual({ isReached, ratio: 0.5 });
	});

	it('are undecided about a goal that was not measured', () => {
		const goal = { row: '200 ms', contender: 'ours', against: 'theirs', atMost: 1 };
		expect(checkGoal(table, goal)).toBeUndefined();
		expect(formatGoals({ ...table, goals: [goal] })).toEqual([]);
	});

	it('on a straight line fit that line', () => {
		const steps = fc.integer({ min: 1, max: 1000 });
		fc.assert(
			fc.property(fc.array(steps, { minLength: 2, maxLength: 6 }), steps, fc.nat(), (xs, a, b) => {
				const different = [...new Set(xs), 2000];
				const found = fitLine(different.map((x) => [x, a * x + b]));
				expect(found.slope).toBeCloseTo(a, 3);
				expect(found.rSquared).toBeCloseTo(1, 6);
			}),
		);
	});

	it('on a curve do not fit a line', () => {
		const { rSquared } = fitLine([10, 100, 1000, 1010].map((x) => [x, x === 1010 ? 1 : x]));
		expect(rSquared).toBeLessThan(0.6);
	});
});

describe('formatting', () => {
	it.each([
		[1234.5, '1,235'],
		[123.4, '123'],
		[12.345, '12.3'],
		[1.2345, '1.23'],
		[0.012345, '0.012'],
		[0, '0.00'],
	])('writes %d as %s', (value, text) => expect(toSignificantDigits(value)).toBe(text));

	it('adds the unit', () => {
		expect(withUnit(2, 's')).toBe('2.00 s');
		expect(withUnit(150, '% of a core')).toBe('150 %');
	});

	it('creates a table, with a gap for missing measurements', () => {
		expect(formatTable(table).split('\n')).toEqual([
			'Time:',
			'',
			'| service answers after | theirs | ours | absent | ratio: ours | ratio: absent |',
			'| --- | --- | --- | --- | --- | --- |',
			'| 20 ms | 3.00 s (2.00–4.00) | 1.50 s (1.00–9.00) |  | 0.50 |  |',
		]);
	});

	it('reports a missed goal, and why', () => {
		const goals = [0.5, 0.4].map((atMost) => ({
			row: '20 ms',
			contender: 'ours',
			against: 'theirs',
			atMost,
			reason: 'Because.',
		}));
		expect(formatGoals({ ...table, goals })).toEqual([
			'- Goal reached. 20 ms: ours takes 0.50 of theirs; the goal is at most 0.5.',
			'- **Goal missed.** 20 ms: ours takes 0.50 of theirs; the goal is at most 0.4. Because.',
		]);
	});
});
