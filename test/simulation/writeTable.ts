import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const page = path.join(__dirname, '../../docs/reliability.md');
const PLANTED = 'planted bugs found';

/**
 * Writes rows into the table of the simulator in docs/reliability.md. Planted bugs are counted by another command than the rest:
 * each writes its own columns, and leaves the others as they are. Subjects that were not simulated keep their rows.
 */
export function writeTable(rows: Record<string, Record<string, string>>, isPlanted: boolean): void {
	const text = readFileSync(page, 'utf8');
	const marks = /(<!-- simulator: [^>]*-->\n\n)(.*?)(\n\n<!-- end of simulator -->)/s;
	const [, , table = ''] = marks.exec(text) ?? [];
	const former = readRows(table);
	const merged = Object.keys({ ...former, ...rows }).map((name) => {
		const formerRow = former[name] ?? {};
		const row = rows[name] ?? formerRow;
		const own = Object.entries(row).map(([title, cell]) => [
			title,
			(title === PLANTED) === isPlanted ? cell : (formerRow[title] ?? ''),
		]);
		return { subject: name, ...(Object.fromEntries(own) as Record<string, string>) };
	});
	const written = text.replace(
		marks,
		(_, begin, __, end) => `${begin}${formatTable(merged)}${end}`,
	);
	writeFileSync(page, written);
}

/** Reads the cells of a table, by the first cell of their row and the title of their column. */
function readRows(table: string): Record<string, Record<string, string>> {
	const [titles = [], , ...rows] = table.split('\n').map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
	return Object.fromEntries(
		rows.map((cells) => [
			cells[0]!,
			Object.fromEntries(cells.map((cell, index) => [titles[index]!, cell])),
		]),
	);
}

/** Formats a table with columns of equal width, as Prettier does. */
function formatTable(rows: Array<Record<string, string>>): string {
	const titles = Object.keys(rows[0]!);
	const widths = titles.map((title) =>
		Math.max(title.length, 3, ...rows.map((row) => row[title]!.length)),
	);
	const format = (cells: string[]) =>
		`| ${cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' | ')} |`;
	return [
		format(titles),
		format(widths.map((width) => '-'.repeat(width))),
		...rows.map((row) => format(titles.map((title) => row[title]!))),
	].join('\n');
}
