// Protects readers of docs/benchmarks.md: medians, ratios and goals follow from the measurements alone.
import fc from 'fast-check';

import {
	fitLine,
	checkGoal,
	computeMedian,
	computeRatio,
	findQuantile,
	summarize,
} from '../../bench/harness/figures';
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

describe('benchmark figures', () => {
	it('are medians with the lowest and the highest value', () => {
		expect(summarize([5, 1, 9, 3, 4])).toEqual({ median: 4, low: 1, high: 9 });
		expect(summarize([4, 1, 3, 2])).toEqual({ median: 2.5, low: 1, high: 4 });
		expect(computeMedian([7])).toBe(7);
		expect(findQuantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95)).toBe(10);
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
	])('reach the goal %j: %s', (limit, isReached) => {
		const goal = { row: '20 ms', contender: 'ours', against: 'theirs', ...limit };
		expect(checkGoal(table, goal)).toEqual({ isReached, ratio: 0.5 });
	});

	it('do not decide about a goal that was not measured', () => {
		const goal = { row: '200 ms', contender: 'ours', against: 'theirs', atMost: 1 };
		expect(checkGoal(table, goal)).toBeUndefined();
		expect(formatGoals({ ...table, goals: [goal] })).toEqual([]);
	});

	it('on a straight line give the slope of the line', () => {
		const steps = fc.integer({ min: 1, max: 1000 });
		fc.assert(
			fc.property(fc.array(steps, { minLength: 2, maxLength: 6 }), steps, fc.nat(), (xs, a, b) => {
				const distinctXs = [...new Set(xs), 2000];
				const line = fitLine(distinctXs.map((x) => [x, a * x + b]));
				expect(line.slope).toBeCloseTo(a, 3);
				expect(line.rSquared).toBeCloseTo(1, 6);
			}),
		);
	});

	it('on a curve give a low r squared', () => {
		const { rSquared } = fitLine([10, 100, 1000, 1010].map((x) => [x, x === 1010 ? 1 : x]));
		expect(rSquared).toBeLessThan(0.6);
	});
});

describe('the format of figures', () => {
	it.each([
		[1234.5, '1,235'],
		[123.4, '123'],
		[12.345, '12.3'],
		[1.2345, '1.23'],
		[0.012345, '0.012'],
		[0, '0.00'],
	])('shows %d as %s', (value, text) => expect(toSignificantDigits(value)).toBe(text));

	it('includes the unit', () => {
		expect(withUnit(2, 's')).toBe('2.00 s');
		expect(withUnit(150, '% of a core')).toBe('150 %');
	});

	it('has an empty cell in a table for a missing measurement', () => {
		expect(formatTable(table).split('\n')).toEqual([
			'Time:',
			'',
			'| service answers after | theirs | ours | absent | ratio: ours | ratio: absent |',
			'| --- | --- | --- | --- | --- | --- |',
			'| 20 ms | 3.00 s (2.00–4.00) | 1.50 s (1.00–9.00) |  | 0.50 |  |',
		]);
	});

	it('includes the reason of a missed goal', () => {
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
