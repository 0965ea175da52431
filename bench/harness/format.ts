import { checkGoal, computeRatio, summarize } from './figures';
import type { Goal, Table, Unit } from './figures';

/** Significant digits of a median. */
const DIGITS = 3;

/** Formats a number with three significant digits, and from 100 on as a whole number. */
export function toSignificantDigits(value: number): string {
	if (value >= 10 ** (DIGITS - 1)) return Math.round(value).toLocaleString('en');
	const rounded = Number(value.toPrecision(DIGITS));
	const decimals = Math.max(0, DIGITS - 1 - Math.floor(Math.log10(Math.abs(rounded) || 1)));
	return rounded.toFixed(Math.min(decimals, 3));
}

const unitSuffixes: Record<Unit, string> = {
	s: ' s',
	ms: ' ms',
	µs: ' µs',
	MB: ' MB',
	'per second': ' /s',
	'% of a core': ' %',
	requests: '',
	executions: '',
};

export const withUnit = (value: number, unit: Unit): string =>
	toSignificantDigits(value) + unitSuffixes[unit];

/** Formats the median, followed by the lowest and the highest round in brackets. */
function formatCell(values: number[] | undefined, unit: Unit): string {
	if (!values?.length) return '';
	const { median, low, high } = summarize(values);
	const spread = low === high ? '' : ` (${toSignificantDigits(low)}–${toSignificantDigits(high)})`;
	return withUnit(median, unit) + spread;
}

/** Formats a table in Markdown: a column for each contender, and the ratios to the first contender. */
export function formatTable(table: Table): string {
	const { rowHeader, contenders, rows, unit, caption } = table;
	const [baseline, ...others] = contenders;
	const headings = [rowHeader, ...contenders, ...others.map((name) => `ratio: ${name}`)];
	const bodyRows = rows.map((row) => [
		row.name,
		...contenders.map((name) => formatCell(row.values[name], unit)),
		...others.map((name) => {
			const ratioToBaseline = computeRatio(row, name, baseline!);
			return ratioToBaseline === undefined ? '' : ratioToBaseline.toFixed(2);
		}),
	]);
	const lines = [headings, headings.map(() => '---'), ...bodyRows].map(
		(cells) => `| ${cells.join(' | ')} |`,
	);
	return [...(caption ? [caption, ''] : []), ...lines].join('\n');
}

const formatTarget = ({ atMost, atLeast }: Goal) =>
	atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;

/** Returns one line per goal that says whether it was reached. */
export function formatGoals(table: Table): string[] {
	return (table.goals ?? []).flatMap((goal) => {
		const result = checkGoal(table, goal);
		if (!result) return [];
		const { isReached, ratio: measuredRatio } = result;
		const summaryText = `${goal.row}: ${goal.contender} ${table.unit === 'per second' ? 'reaches' : 'takes'} ${measuredRatio.toFixed(2)} of ${goal.against}; the goal is ${formatTarget(goal)}`;
		return [
			isReached
				? `- Goal reached. ${summaryText}.`
				: `- **Goal missed.** ${summaryText}. ${goal.reason ?? ''}`.trimEnd(),
		];
	});
}
