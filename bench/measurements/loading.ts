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

// Inside the project, so that `require` finds n8n's own package.
const BUILD_FOLDER = join(rootFolder, '.cache', 'load');
const LOADS_PER_ROUND = 3;
const MODULES = 'one file for each source';
const BUNDLE = 'one file, as it ships';

const loadedFiles = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
const buildOptions = {
	absWorkingDir: rootFolder,
	platform: 'node',
	target: 'node20',
	format: 'cjs',
} as const;

/** Builds one file per source, which is how the pack was shipped before. Only the file that uses jose contained jose. */
function buildModules(): void {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(rootFolder, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(folder, name)),
	);
	const outdir = join(BUILD_FOLDER, 'dist');
	buildSync({ ...buildOptions, entryPoints: sources, outdir, outbase: '.' });
	const tokenOptions = {
		entryPoints: ['nodes/engine/token/jwt.ts'],
		outdir: join(outdir, 'nodes/engine/token'),
	};
	buildSync({ ...buildOptions, ...tokenOptions, bundle: true, external: ['n8n-workflow'] });
}

/** Loads the files of a folder in a new process. As in n8n, this process has loaded n8n's own package before. */
function measureLoadInChild(folder: string): { time: number; memory: number } {
	const script = `require('n8n-workflow');
		gc();
		const { heapUsed } = process.memoryUsage();
		const startedAt = performance.now();
		for (const file of ${JSON.stringify(loadedFiles)}) {
			for (const Type of Object.values(require(${JSON.stringify(folder)} + '/' + file))) new Type();
		}
		const time = performance.now() - startedAt;
		gc();
		console.log(JSON.stringify({ time, memory: (process.memoryUsage().heapUsed - heapUsed) / 1e6 }));`;
	const output = execFileSync(process.execPath, ['--expose-gc', '-e', script], {
		cwd: rootFolder,
		encoding: 'utf8',
	});
	return JSON.parse(output) as { time: number; memory: number };
}

/** Loads the files several times and returns the lowest values, which other programs have disturbed least. */
function measureBestLoad(folder: string) {
	const loads = Array.from({ length: LOADS_PER_ROUND }, () => measureLoadInChild(folder));
	return {
		time: Math.min(...loads.map(({ time }) => time)),
		memory: Math.min(...loads.map(({ memory }) => memory)),
	};
}

/** Measures loading the pack into n8n. */
export const loading: Measurement = {
	name: 'loading',
	title: 'Loading the pack',
	method: `A fresh process, which has already loaded n8n's own package, loads all nodes and credentials. A round is the best of ${LOADS_PER_ROUND} processes.`,
	async run(bench) {
		mkdirSync(BUILD_FOLDER, { recursive: true });
		try {
			const shippedFolder = join(BUILD_FOLDER, 'shipped');
			await installPack(await buildPack(packCache, bench.progress), shippedFolder);
			const packFolder = join(shippedFolder, '.n8n', 'nodes', 'node_modules', manifest.name);
			buildModules();
			const rowByMetric = await interleave(
				bench,
				{ name: 'all nodes and credentials' },
				{
					[MODULES]: async () => measureBestLoad(BUILD_FOLDER),
					[BUNDLE]: async () => measureBestLoad(packFolder),
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
				{ ...sharedFields, name: 'loading', unit: 'ms', rows: [rowByMetric.time!], goals: [goal] },
				{
					...sharedFields,
					name: 'loading-memory',
					caption: 'Heap that stays in use after loading:',
					unit: 'MB',
					rows: [rowByMetric.memory!],
					display: 'table',
				},
			];
		} finally {
			rmSync(BUILD_FOLDER, { recursive: true, force: true });
		}
	},
};
