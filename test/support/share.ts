/** Number of shares into which `npm test` divides a large table of cases, unless a test says otherwise. */
const SHARES = 3;

/**
 * Returns one share of the cases in a row of a large table: another one in each row, so that as many rows as there are shares
 * meet every case. Returns at least one case, and all cases with `npm run test:random`.
 */
export function shareOf<T>(cases: readonly T[], row: number, shares = SHARES): T[] {
	if (process.env.GATEHOUSE_RANDOM !== undefined) return [...cases];
	const step = Math.min(shares, cases.length);
	return cases.filter((_, index) => (index + row) % step === 0);
}
