import { buildSync } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { packCache } from '../../lab/lab';
import { buildPack, installPack } from '../../lab/pack';
import { rootFolder } from '../../lab/paths';
import manifest from '../../package.json';
import { interleave } from '../harness/measurement';
import type { Measurement } from '../harness/measurement';

// Inside the project, so that n8n's own package is found.
const FOLDER = join(rootFolder, '.cache', 'load');
const LOADS_PER_ROUND = 3;
const MODULES = 'one file for each source';
const BUNDLE = 'one file, as it ships';

const files = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
const buildOptions = {
	absWorkingDir: rootFolder,
	platform: 'node',
	target: 'node20',
	format: 'cjs',
} as const;

/** Builds one file per source, which is how the pack was shipped before. Only the file that uses jose had jose built in. */
function buildModules(): void {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(rootFolder, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(folder, name)),
	);
	const outdir = join(FOLDER, 'dist');
	buildSync({ ...buildOptions, entryPoints: sources, outdir, outbase: '.' });
	const token = {
		entryPoints: ['nodes/engine/token/jwt.ts'],
		outdir: join(outdir, 'nodes/engine/token'),
	};
	buildSync({ ...buildOptions, ...token, bundle: true, external: ['n8n-workflow'] });
}

/** Loads the files of a folder in a fresh process that has n8n's own package already, as n8n does. */
function loadInChild(folder: string): { time: number; memory: number } {
	const script = `require('n8n-workflow');
		gc();
		const { heapUsed } = process.memoryUsage();
		const began = performance.now();
		for (const file of ${JSON.stringify(files)}) {
			for (const Type of Object.values(require(${JSON.stringify(folder)} + '/' + file))) new Type();
		}
		const time = performance.now() - began;
		gc();
		console.log(JSON.stringify({ time, memory: (process.memoryUsage().heapUsed - heapUsed) / 1e6 }));`;
	const output = execFileSync(process.execPath, ['--expose-gc', '-e', script], {
		cwd: rootFolder,
		encoding: 'utf8',
	});
	return JSON.parse(output) as { time: number; memory: number };
}

/** Loads the files several times and returns the lowest values, which other programs have disturbed least. */
function loadFastest(folder: string) {
	const loads = Array.from({ length: LOADS_PER_ROUND }, () => loadInChild(folder));
	return {
		time: Math.min(...loads.map(({ time }) => time)),
		memory: Math.min(...loads.map(({ memory }) => memory)),
	};
}

/** Measures loading the pack into n8n. */
export const loading: Measurement = {
	name: 'loading',
	title: 'Loading the pack',
	method: `All nodes and credentials, loaded in a fresh process that has n8n's own package already. A round is the best of ${LOADS_PER_ROUND} processes.`,
	async run(bench) {
		mkdirSync(FOLDER, { recursive: true });
		try {
			const shipped = join(FOLDER, 'shipped');
			await installPack(await buildPack(packCache, bench.progress), shipped);
			const bundle = join(shipped, '.n8n', 'nodes', 'node_modules', manifest.name);
			buildModules();
			const rows = await interleave(
				bench,
				{ name: 'all nodes and credentials' },
				{
					[MODULES]: async () => loadFastest(FOLDER),
					[BUNDLE]: async () => loadFastest(bundle),
				},
			);
			const sharedFields = { rowHeader: 'loaded', contenders: [MODULES, BUNDLE] };
			const goal = {
				row: 'all nodes and credentials',
				contender: BUNDLE,
				against: MODULES,
				atMost: 0.45,
			};
			return [
				{ ...sharedFields, name: 'loading', unit: 'ms', rows: [rows.time!], goals: [goal] },
				{
					...sharedFields,
					name: 'loading-memory',
					caption: 'Memory of the n8n process that stays in use after loading:',
					unit: 'MB',
					rows: [rows.memory!],
					display: 'table',
				},
			];
		} finally {
			rmSync(FOLDER, { recursive: true, force: true });
		}
	},
};
