import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { faults } from '../../support/faults/catalog';
import { packServices } from '../../support/pack';
import { labelOf } from '../../support/samples/sample';
import type { End, CaseResult } from './evaluateCase';
import { ITEMS } from './repeats';
import type { RepeatResult } from './repeats';

const file = path.join(__dirname, '../../../docs/reliability.md');

/** The marks around each kind of counts in the page. */
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

/** Formats how many cases ended in which way, by fault and by node, in a fixed order. */
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
	return [title, results.length, ...columns.map(([, columnEnd]) => count(columnEnd))].map((cell) =>
		cell.toLocaleString('en'),
	);
}

/** Formats a table with columns of equal width, as Prettier does. */
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

/** Formats how many repeated runs ended in which way, by fault. */
export function formatRepeatTable(results: readonly RepeatResult[]): string {
	const operations = new Set(
		results.map(({ repeatCase }) => labelOf({ ...repeatCase.baseline.sample, variant: undefined })),
	);
	const counts = (title: string, selectedResults: readonly RepeatResult[]) => {
		const done = selectedResults.filter((result) => result.end === 'done').length;
		return [title, selectedResults.length, done, selectedResults.length - done].map((cell) =>
			cell.toLocaleString('en'),
		);
	};
	const occurringFaults = faults.filter(({ name }) =>
		results.some(({ repeatCase }) => repeatCase.fault.name === name),
	);
	return [
		`Last complete run: ${operations.size} operations that must not be done twice, each with ${ITEMS} items and _Retry On Fail_, ${results.length.toLocaleString('en')} cases.`,
		formatTable(
			['what fails once', 'cases', 'all items done, each once', 'clear error, not sent again'],
			[
				...occurringFaults.map(({ name, description }) =>
					counts(
						description,
						results.filter(({ repeatCase }) => repeatCase.fault.name === name),
					),
				),
				counts('all', results),
			],
		),
	].join('\n\n');
}

/** Writes counts into the page about reliability, between their two marks. */
export function writeReport(text: string, kind: keyof typeof MARKS = 'matrix'): void {
	const [begin, end] = MARKS[kind];
	const page = readFileSync(file, 'utf8');
	const [before, pageAfterBegin] = page.split(begin);
	const after = pageAfterBegin?.split(end)[1];
	if (after === undefined) throw new Error(`docs/reliability.md has no lines ${begin} and ${end}`);
	writeFileSync(file, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
