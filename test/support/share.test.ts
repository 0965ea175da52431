// Protects the large tables of cases: rows in sequence meet every case, each row meets one, and `npm run test:random` runs all.
import { shareOf } from './share';

const cases = Array.from({ length: 11 }, (_, index) => index);
const environment = { ...process.env };
beforeEach(() => delete process.env.GATEHOUSE_RANDOM);
afterEach(() => Object.assign(process.env, environment));

it.each([1, 2, 3, 4, 11, 20])('each case is in exactly one of %i shares', (shares) => {
	const rows = Array.from({ length: Math.min(shares, cases.length) }, (_, row) => row + 5);
	const met = rows.map((row) => shareOf(cases, row, shares));
	expect(met.flat().sort((a, b) => a - b)).toEqual(cases);
	for (const share of met) expect(share.length).toBeGreaterThanOrEqual(Math.floor(11 / shares));
	expect(met).not.toContainEqual([]);
});

it('all cases run with GATEHOUSE_RANDOM', () => {
	process.env.GATEHOUSE_RANDOM = 'yes';
	expect(shareOf(cases, 1)).toEqual(cases);
});
