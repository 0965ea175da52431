import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

import { dependencies as labDependencies } from '../../lab/package.json';
import { rootFolder } from '../../lab/paths';
import type { Table } from './figures';
import { formatGoals, formatTable } from './format';
import type { Measurement } from './measurement';
import { renderPlot, themes } from './plots';

/** The result of one measurement, and the machine that it ran on. */
interface MeasurementResult {
	at: string;
	rounds: number;
	minutes: number;
	tables: Table[];
	machine: Machine;
}

/** Results by the name of their measurement. They come from several runs, so the machine or the version of n8n can differ. */
export interface Results {
	resultByName: Record<string, MeasurementResult>;
}

interface Machine {
	processor: string;
	cores: number;
	memory: string;
	node: string;
	n8n: string;
}

/** Paths to which results, pages and pictures are written. */
export interface OutputPaths {
	results: string;
	page: string;
	images: string;
}

/** Paths of a full run: files of the repository. */
export const committedPaths: OutputPaths = {
	results: path.join(rootFolder, 'bench', 'results'),
	page: path.join(rootFolder, 'docs', 'benchmarks.md'),
	images: path.join(rootFolder, 'docs', 'images', 'bench'),
};

/** Folder of a quick run, whose files are not committed. */
const trialFolder = path.join(rootFolder, '.cache', 'bench');
export const trialPaths: OutputPaths = {
	results: trialFolder,
	page: path.join(trialFolder, 'benchmarks.md'),
	images: path.join(trialFolder, 'images', 'bench'),
};

const locateResultsFile = ({ results }: OutputPaths) =>
	path.join(results, `${process.arch}-${cpus().length}-cores.json`);

export async function readResults(paths: OutputPaths): Promise<Results> {
	const text = await readFile(locateResultsFile(paths), 'utf8').catch(() => '{}');
	const { resultByName = {} } = JSON.parse(text) as Partial<Results>;
	return { resultByName };
}

/** Returns the machine and the versions that a measurement runs on now. */
export const readMachine = (): Machine => ({
	processor: cpus()[0]?.model ?? process.arch,
	cores: cpus().length,
	memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
	node: process.version,
	n8n: labDependencies.n8n,
});

async function writeFormatted(file: string, text: string): Promise<void> {
	await mkdir(path.dirname(file), { recursive: true });
	const config = await resolveConfig(file);
	const isSvg = file.endsWith('.svg');
	await writeFile(file, isSvg ? text : await format(text, { ...config, filepath: file }));
}

/** Writes the results, their sections of the page, and their pictures. */
export async function writeReport(
	results: Results,
	measurements: Measurement[],
	paths: OutputPaths,
): Promise<void> {
	await writeFormatted(locateResultsFile(paths), JSON.stringify(results));
	// A trial run also starts from the committed page, for its prose.
	let page = await readFile(committedPaths.page, 'utf8');
	const pageMachine = describeMachine(readMachine());
	page = replaceBetween(page, 'machine', `The figures below were measured on ${pageMachine}`);
	for (const measurement of measurements) {
		const result = results.resultByName[measurement.name];
		if (!result) continue;
		const parts = [
			`## ${measurement.title} (\`npm run bench -- ${measurement.name}\`)`,
			measurement.method,
		];
		const machine = describeMachine(result.machine);
		if (machine !== pageMachine) parts.push(`These figures were measured on ${machine}`);
		for (const table of result.tables) {
			parts.push(formatTable(table));
			const goals = formatGoals(table);
			if (goals.length > 0) parts.push(goals.join('\n'));
			parts.push(...(table.notes ?? []));
			if (table.display !== 'table') parts.push(await writePictures(table, measurement, paths));
		}
		page = replaceBetween(page, measurement.name, parts.join('\n\n'));
	}
	await writeFormatted(paths.page, page);
}

const describeMachine = ({ processor, cores, memory, node, n8n }: Machine) =>
	`${cores} cores of ${processor.trim()} with ${memory} of memory. n8n has version ${n8n}; the sandbox and the benchmark itself run on Node.js ${node}.`;

/** Replaces the text between the two markers of a name. Appends the text and its markers to a page without them. */
function replaceBetween(page: string, name: string, text: string): string {
	const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
	const [beginIndex, endIndex] = [page.indexOf(begin), page.indexOf(end)];
	const section = `${begin}\n\n${text}\n\n${end}`;
	if (beginIndex < 0 || endIndex < beginIndex) return `${page.trimEnd()}\n\n${section}\n`;
	return page.slice(0, beginIndex) + section + page.slice(endIndex + end.length);
}

/** Draws a table for light and for dark pages. Returns the HTML that shows the picture for the reader's color scheme. */
async function writePictures(
	table: Table,
	{ title }: Measurement,
	{ images }: OutputPaths,
): Promise<string> {
	const heading = table.caption?.replaceAll(/[*_`]|[:.]$/g, '') ?? title;
	for (const theme of themes) {
		await writeFormatted(
			path.join(images, `${table.name}-${theme}.svg`),
			renderPlot(table, heading, theme),
		);
	}
	const formatImagePath = (theme: string) => `images/bench/${table.name}-${theme}.svg`;
	return [
		'<picture>',
		`  <source media="(prefers-color-scheme: dark)" srcset="${formatImagePath('dark')}">`,
		`  <img alt="${heading}, as in the table" src="${formatImagePath('light')}">`,
		'</picture>',
	].join('\n');
}
