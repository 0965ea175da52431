import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { faults } from '../../support/faults/catalog';
import { packServices } from '../../support/pack';
import { labelOf } from '../../support/samples/sample';
import type { End, CaseResult } from './evaluateCase';
import { ITEMS } from './repeats';
import type { RepeatResult } from './repeats';

const file = path.join(__dirname, '../../../docs/reliability.md');

/** The marks between which each kind of counts stands. */
const MARKS = {
	matrix: ['<!-- matrix: written by the end-to-end run -->', '<!-- end of matrix -->'],
	repeats: ['<!-- repeats: written by the end-to-end run -->', '<!-- end of repeats -->'],
} as const;

const columns: Array<[title: string, end: End]> = [
	['as without a fault', 'correct'],
	['done, no details', 'incomplete'],
	['clear error', 'error'],
	['uncertain, says so', 'uncertain'],
	['still waiting, says why', 'waiting'],
];

/** Counts how cases ended: by fault and by node, in an order that never changes. */
export function formatMatrixTables(results: readonly CaseResult[]): string {
	const names = packServices.map(({ Node }) => new Node().description);
	const operations = new Set(
		results.map(({ testCase: { sample } }) =>
			[sample.node, sample.resource, sample.operation].join(' '),
		),
	);
	return [
		`Last complete run: ${operations.size} operations, ${faults.length} faults, ${results.length.toLocaleString('en')} cases.`,
		formatTable(
			['what fails', 'cases', ...columns.map(([title]) => title)],
			[
				...faults.map(({ name, description }) =>
					formatRow(
						description,
						results.filter(({ testCase }) => testCase.fault.name === name),
					),
				),
				formatRow('all', results),
			],
		),
		formatTable(
			['node', 'cases', ...columns.map(([title]) => title)],
			names.map(({ name, displayName }) =>
				formatRow(
					displayName,
					results.filter(({ testCase }) => testCase.sample.node === name),
				),
			),
		),
	].join('\n\n');
}

function formatRow(title: string, results: readonly CaseResult[]): string[] {
	const count = (end: End) => results.filter((result) => result.end === end).length;
	return [title, results.length, ...columns.map(([, wanted]) => count(wanted))].map((cell) =>
		cell.toLocaleString('en'),
	);
}

/** A table with columns of equal width, as the formatter wants it. */
function formatTable(titles: string[], rows: string[][]): string {
	const allRows = [titles, ...rows];
	const widths = allRows[0]!.map((_, column) =>
		Math.max(...allRows.map((cells) => cells[column]!.length)),
	);
	const line = (cells: string[], filler: string) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column]!, filler)).join(' | ')} |`;
	const [head = [], ...body] = allRows;
	return [
		line(head, ' '),
		line(
			head.map(() => '-'),
			'-',
		),
		...body.map((cells) => line(cells, ' ')),
	].join('\n');
}

/** Counts how repeated runs ended, by fault. */
export function formatRepeatTable(verdicts: readonly RepeatResult[]): string {
	const operations = new Set(
		verdicts.map(({ repeatCase }) =>
			labelOf({ ...repeatCase.baseline.sample, variant: undefined }),
		),
	);
	const counts = (title: string, some: readonly RepeatResult[]) => {
		const done = some.filter((result) => result.end === 'done').length;
		return [title, some.length, done, some.length - done].map((cell) => cell.toLocaleString('en'));
	};
	const occurringFaults = faults.filter(({ name }) =>
		verdicts.some(({ repeatCase }) => repeatCase.fault.name === name),
	);
	return [
		`Last complete run: ${operations.size} operations that must not be done twice, each with ${ITEMS} items and _Retry On Fail_, ${verdicts.length.toLocaleString('en')} cases.`,
		formatTable(
			['what fails once', 'cases', 'all items done, each once', 'clear error, not sent again'],
			[
				...occurringFaults.map(({ name, description }) =>
					counts(
						description,
						verdicts.filter(({ repeatCase }) => repeatCase.fault.name === name),
					),
				),
				counts('all', verdicts),
			],
		),
	].join('\n\n');
}

/** Puts counts into the page about reliability, between the two marks that are there for them. */
export function writeReport(text: string, kind: keyof typeof MARKS = 'matrix'): void {
	const [begin, end] = MARKS[kind];
	const page = readFileSync(file, 'utf8');
	const [before, rest] = page.split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) throw new Error(`docs/reliability.md has no lines ${begin} and ${end}`);
	writeFileSync(file, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
