import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

import { dependencies as ofLab } from '../../lab/package.json';
import { rootFolder } from '../../lab/paths';
import type { Table } from './figures';
import { goalTexts, tableText } from './format';
import type { Measurement } from './measurement';
import { plot, themes } from './plots';

/** Results of a run by measurement, and the machine that it ran on. */
export interface Results {
	machine: Machine;
	measurements: Record<string, { at: string; rounds: number; minutes: number; tables: Table[] }>;
}

interface Machine {
	processor: string;
	cores: number;
	memory: string;
	node: string;
	n8n: string;
}

/** Where results, pages and pictures are written. */
export interface OutputPaths {
	results: string;
	page: string;
	images: string;
}

/** Where a full run writes: files of the repository. */
export const committed: OutputPaths = {
	results: path.join(rootFolder, 'bench', 'results'),
	page: path.join(rootFolder, 'docs', 'benchmarks.md'),
	images: path.join(rootFolder, 'docs', 'images', 'bench'),
};

/** Where a quick run writes: files that are not committed. */
const tried = path.join(rootFolder, '.cache', 'bench');
export const uncommitted: OutputPaths = {
	results: tried,
	page: path.join(tried, 'benchmarks.md'),
	images: path.join(tried, 'images', 'bench'),
};

const fileOf = ({ results }: OutputPaths) =>
	path.join(results, `${process.arch}-${cpus().length}-cores.json`);

export async function readResults(places: OutputPaths): Promise<Results> {
	const text = await readFile(fileOf(places), 'utf8').catch(() => '{}');
	const { measurements = {} } = JSON.parse(text) as Partial<Results>;
	return {
		machine: {
			processor: cpus()[0]?.model ?? process.arch,
			cores: cpus().length,
			memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
			node: process.version,
			n8n: ofLab.n8n,
		},
		measurements,
	};
}

async function write(file: string, text: string): Promise<void> {
	await mkdir(path.dirname(file), { recursive: true });
	const config = await resolveConfig(file);
	const isSvg = file.endsWith('.svg');
	await writeFile(file, isSvg ? text : await format(text, { ...config, filepath: file }));
}

/** Writes results, the parts of the page that are about them, and their pictures. */
export async function report(
	results: Results,
	measurements: Measurement[],
	places: OutputPaths,
): Promise<void> {
	await write(fileOf(places), JSON.stringify(results));
	let page = await readFile(committed.page, 'utf8');
	page = replaceBetween(page, 'machine', machineText(results.machine));
	for (const measurement of measurements) {
		const found = results.measurements[measurement.name];
		if (!found) continue;
		const parts = [
			`## ${measurement.title} (\`npm run bench -- ${measurement.name}\`)`,
			measurement.about,
		];
		for (const table of found.tables) {
			parts.push(tableText(table));
			const goals = goalTexts(table);
			if (goals.length > 0) parts.push(goals.join('\n'));
			parts.push(...(table.notes ?? []));
			if (table.shown !== 'table') parts.push(await picture(table, measurement, places));
		}
		page = replaceBetween(page, measurement.name, parts.join('\n\n'));
	}
	await write(places.page, page);
}

const machineText = ({ processor, cores, memory, node, n8n }: Machine) =>
	`The figures below are from ${cores} cores of ${processor.trim()} with ${memory} of memory, n8n ${n8n}, and Node.js ${node} for what runs beside it.`;

/** Puts a text in place of what lies between two markers, or behind all others if they are not there yet. */
function replaceBetween(page: string, name: string, text: string): string {
	const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
	const [from, to] = [page.indexOf(begin), page.indexOf(end)];
	const part = `${begin}\n\n${text}\n\n${end}`;
	if (from < 0 || to < from) return `${page.trimEnd()}\n\n${part}\n`;
	return page.slice(0, from) + part + page.slice(to + end.length);
}

/** Draws a table for light and for dark pages, and gives what shows the one that fits. */
async function picture(
	table: Table,
	{ title }: Measurement,
	{ images }: OutputPaths,
): Promise<string> {
	const heading = table.caption?.replaceAll(/[*_`]|[:.]$/g, '') ?? title;
	for (const theme of themes) {
		await write(path.join(images, `${table.name}-${theme}.svg`), plot(table, heading, theme));
	}
	const image = (theme: string) => `images/bench/${table.name}-${theme}.svg`;
	return [
		'<picture>',
		`  <source media="(prefers-color-scheme: dark)" srcset="${image('dark')}">`,
		`  <img alt="${heading}, as in the table" src="${image('light')}">`,
		'</picture>',
	].join('\n');
}
