// Protects sums of money from rounding errors: they are exact, and a value that is no number is not accepted.
import fc from 'fast-check';

import { fromUnits, toUnits } from '../../../nodes/EventRegistration/reports/decimals';
import { scaleRunCount } from '../../support/scaleRunCount';

const sum = (...amounts: unknown[]) =>
	fromUnits(
		amounts.map((amount) => toUnits(amount)!).reduce((total, amount) => total + amount, 0n),
	);

it.each([
	[[0.1, 0.2], 0.3],
	[[780.5, -780.5], 0],
	[['1.10', 2], 3.1],
	[[1e-7, 1e-7], 2e-7],
	[['-0.05', 0], -0.05],
	[[1e21, 1], '1000000000000000000001'],
	[['9007199254740993'], '9007199254740993'],
	[['0.1234567890123456789'], '0.1234567890123456789'],
	[[100, '1500.00', -600], 1000],
	[[], 0],
])('the sum of %j is %j', (amounts, expected) => {
	expect(sum(...amounts)).toBe(expected);
});

it.each([
	undefined,
	null,
	'',
	' ',
	'free',
	'1,5',
	'1.2.3',
	'12 EUR',
	'.5',
	'0.123456789012345678901',
	NaN,
	Infinity,
	true,
	{},
	[],
])('%p is not accepted as a number', (value) => {
	expect(toUnits(value)).toBeUndefined();
});

it('sums of any amounts equal the sums of whole cents, in any order', () => {
	const cents = fc.array(fc.integer({ min: -99_999_999, max: 99_999_999 }));
	fc.assert(
		fc.property(cents, (amounts) => {
			const total = amounts.reduce((subtotal, amount) => subtotal + amount, 0);
			expect(sum(...amounts.map((cent) => cent / 100))).toBe(total === 0 ? 0 : total / 100);
			expect(sum(...amounts.toReversed().map((cent) => cent / 100))).toBe(
				total === 0 ? 0 : total / 100,
			);
		}),
		{ numRuns: scaleRunCount(200) },
	);
});
