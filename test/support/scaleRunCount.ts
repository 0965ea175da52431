/** Returns how many cases a property test draws: `count`, and four times as many with `npm run test:random`. */
export const scaleRunCount = (count: number): number =>
	process.env.GATEHOUSE_RANDOM === undefined ? count : 4 * count;
