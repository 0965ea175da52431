import { judge, ratio, summary } from './figures';
import type { Goal, Table, Unit } from './figures';

/** Significant digits of a median. */
const DIGITS = 3;

/** A number as people write it: three digits that count. */
export function toSignificantDigits(value: number): string {
	if (value >= 10 ** (DIGITS - 1)) return Math.round(value).toLocaleString('en');
	const shown = Number(value.toPrecision(DIGITS));
	const places = Math.max(0, DIGITS - 1 - Math.floor(Math.log10(Math.abs(shown) || 1)));
	return shown.toFixed(Math.min(places, 3));
}

const signs: Record<Unit, string> = {
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
	toSignificantDigits(value) + signs[unit];

/** The median, and in brackets the best and the worst round. */
function cell(values: number[] | undefined, unit: Unit): string {
	if (!values?.length) return '';
	const { median, low, high } = summary(values);
	const spread = low === high ? '' : ` (${toSignificantDigits(low)}–${toSignificantDigits(high)})`;
	return withUnit(median, unit) + spread;
}

/** A table in Markdown: a column for each contender, and its ratio to the first. */
export function tableText(table: Table): string {
	const { rowHeader, contenders, rows, unit, caption } = table;
	const [rival, ...others] = contenders;
	const head = [rowHeader, ...contenders, ...others.map((name) => `ratio: ${name}`)];
	const lines = rows.map((row) => [
		row.name,
		...contenders.map((name) => cell(row.values[name], unit)),
		...others.map((name) => {
			const found = ratio(row, name, rival!);
			return found === undefined ? '' : found.toFixed(2);
		}),
	]);
	const text = [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`);
	return [...(caption ? [caption, ''] : []), ...text].join('\n');
}

const wanted = ({ atMost, atLeast }: Goal) =>
	atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;

/** One line per goal: whether it was reached. */
export function goalTexts(table: Table): string[] {
	return (table.goals ?? []).flatMap((goal) => {
		const verdict = judge(table, goal);
		if (!verdict) return [];
		const { reached, ratio: found } = verdict;
		const what = `${goal.row}: ${goal.contender} ${table.unit === 'per second' ? 'reaches' : 'takes'} ${found.toFixed(2)} of ${goal.against}; the goal is ${wanted(goal)}`;
		return [
			reached
				? `- Goal reached. ${what}.`
				: `- **Goal missed.** ${what}. ${goal.why ?? ''}`.trimEnd(),
		];
	});
}
