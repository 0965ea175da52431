/** Values of several contenders, measured in the same run. The first contender is the baseline. */
export interface Table {
	/** Distinguishes the tables of a measurement. */
	name: string;
	/** Text above the table. */
	caption?: string;
	unit: Unit;
	/** Heading of the first column, and label of a curve's axis. */
	rowHeader: string;
	contenders: string[];
	rows: Row[];
	goals?: Goal[];
	/** `bars` by default. A curve needs rows with a `size`; `table` has no picture. */
	display?: 'bars' | 'curve' | 'table';
	/** Paragraphs below the table. */
	notes?: string[];
}

export type Unit =
	's' | 'ms' | 'µs' | 'MB' | 'per second' | '% of a core' | 'requests' | 'executions';

export interface Row {
	name: string;
	size?: number;
	/** Value of each round, by contender. A contender that was left out has none. */
	values: Record<string, number[]>;
}

/** Target ratio between the medians of two contenders. */
export interface Goal {
	row: string;
	contender: string;
	against: string;
	atMost?: number;
	atLeast?: number;
	/** Reason for missing the goal. */
	reason?: string;
}

const sortAscending = (values: number[]) => [...values].sort((a, b) => a - b);

/** Returns the median: the mean of the two middle values if their number is even. */
export function computeMedian(values: number[]): number {
	const sorted = sortAscending(values);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 0 ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[middle]!;
}

/** Returns a quantile without interpolation, for example the 95th percentile for the fraction 0.95. */
export const findQuantile = (values: number[], fraction: number): number =>
	sortAscending(values)[Math.min(values.length - 1, Math.floor(values.length * fraction))]!;

/** Returns the median, the lowest and the highest value of all rounds. */
export function summarize(values: number[]): { median: number; low: number; high: number } {
	return { median: computeMedian(values), low: Math.min(...values), high: Math.max(...values) };
}

/** Returns the ratio of the contender's median to the median of the baseline. */
export function computeRatio(
	{ values }: Row,
	contender: string,
	baseline: string,
): number | undefined {
	const [contenderValues, baselineValues] = [values[contender], values[baseline]];
	if (!contenderValues?.length || !baselineValues?.length) return undefined;
	return computeMedian(contenderValues) / computeMedian(baselineValues);
}

/** Returns whether a goal was reached and the ratio, or `undefined` if it was not measured. */
export function checkGoal(
	{ rows }: Table,
	goal: Goal,
): { isReached: boolean; ratio: number } | undefined {
	const row = rows.find(({ name }) => name === goal.row);
	const measuredRatio = row && computeRatio(row, goal.contender, goal.against);
	if (measuredRatio === undefined) return undefined;
	const { atMost = Infinity, atLeast = -Infinity } = goal;
	return { isReached: measuredRatio <= atMost && measuredRatio >= atLeast, ratio: measuredRatio };
}

/** Fits a line by least squares. `rSquared` is the coefficient of determination (R²). */
export function fitLine(points: Array<[x: number, y: number]>): {
	slope: number;
	rSquared: number;
} {
	const computeMean = (values: number[]) =>
		values.reduce((sum, value) => sum + value, 0) / values.length;
	const [meanX, meanY] = [
		computeMean(points.map(([x]) => x)),
		computeMean(points.map(([, y]) => y)),
	];
	const sumTerms = (term: (x: number, y: number) => number) =>
		points.reduce((total, [x, y]) => total + term(x - meanX, y - meanY), 0);
	const slope = sumTerms((x, y) => x * y) / sumTerms((x) => x * x);
	const residual = sumTerms((x, y) => (y - slope * x) ** 2);
	return { slope, rSquared: 1 - residual / sumTerms((_x, y) => y * y) };
}
