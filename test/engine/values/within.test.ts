// Protects settings with limits: a number stays within its bounds, and any other value means the default.
import fc from 'fast-check';

import { clampNumber } from '../../../nodes/engine/values/convert';

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
])('clampNumber converts %j to %d with the bounds 1 and 20 and the default 4', (input, number) => {
	expect(clampNumber(input, { min: 1, max: 20, fallback: 4 })).toBe(number);
});

it('clampNumber never returns a number outside the bounds', () => {
	fc.assert(
		fc.property(fc.anything(), (input) => {
			const number = clampNumber(input, { min: 1, max: 20, fallback: 4 });
			return number >= 1 && number <= 20;
		}),
	);
});
