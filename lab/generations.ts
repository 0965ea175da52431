import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runNpm } from './command';
import { ensureN8n, requireDiskSpace } from './install';
import { modulesFolderOf, n8nScriptOf, packageFolderOf } from './installation';
import { dependencies } from './package.json';
import { labFolder } from './paths';
import type { Progress } from './progress';

/** An n8n version that the pack is tested on besides the lab's own. */
export interface Generation {
	version: string;
	/**
	 * Versions for packages that the registry lacks or has removed, or whose newest version no longer fits the others; below a
	 * package, for its dependencies alone.
	 */
	overrides: Record<string, string | Record<string, string>>;
	/** Peer dependencies: without n8n's lock file npm would install an older version of them. */
	peers?: Record<string, string>;
}

/** The newest versions of `langchain`'s dependencies need packages that the registry lacks. */
const LANGCHAIN_DEPENDENCIES = {
	'@langchain/langgraph': '1.4.18',
	'@langchain/langgraph-sdk': '1.12.0',
};

/**
 * The last release of n8n 1, the first version that has everything the triggers need, the first that parks executions, and
 * the minor version before `newestVersion`.
 */
export const olderGenerations: Generation[] = [
	{
		version: '1.123.81',
		overrides: { xlsx: '0.18.5', '@langchain/langgraph-checkpoint': '1.0.4' },
	},
	{
		version: '2.20.12',
		overrides: {
			xlsx: '0.18.5',
			linkedom: '0.18.13',
			'msgpackr-extract': '3.0.4',
			'@langchain/langgraph': '1.0.2',
			'@langchain/langgraph-checkpoint': '1.0.4',
			'@langchain/langgraph-sdk': '1.0.3',
		},
		peers: { '@opentelemetry/core': '2.10.0' },
	},
	{
		version: '2.33.7',
		overrides: {
			xlsx: '0.18.5',
			linkedom: '0.18.13',
			'msgpackr-extract': '3.0.4',
			langchain: LANGCHAIN_DEPENDENCIES,
		},
	},
	{
		version: '2.40.7',
		overrides: {
			xlsx: '0.18.5',
			linkedom: '0.18.13',
			'msgpackr-extract': '3.0.4',
			langchain: LANGCHAIN_DEPENDENCIES,
		},
	},
];

/** The lab's own n8n, the newest that the pack is tested on. */
export const newestVersion = dependencies.n8n;

/** Folder of a version, kept between runs; each takes about 2 GB. */
const locateGenerationFolder = (version: string) => path.join(labFolder, '.n8n', version);

const DRIVER_PATH = path.join('build', 'Release', 'node_sqlite3.node');

/** Installs an older n8n unless it is installed already, and returns its start script. */
export async function ensureGeneration(
	{ version, overrides, peers }: Generation,
	progress: Progress,
): Promise<string> {
	const folder = locateGenerationFolder(version);
	const script = n8nScriptOf(modulesFolderOf(folder));
	const marker = path.join(folder, 'installed');
	if (existsSync(marker)) return script;
	await ensureN8n(progress);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await requireDiskSpace(folder, 4, `Installing n8n ${version}`);
	const manifest = { private: true, dependencies: { n8n: version, ...peers }, overrides };
	await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
	const title = `Installing n8n ${version}`;
	await progress.track({ title, note: 'once; some minutes' }, async () => {
		const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
		await runNpm(['install', ...flags, '--no-package-lock', '--loglevel=error'], {
			cwd: folder,
			task: title,
			advice: `delete ${folder} and start again`,
		});
	});
	await copyDriver(folder);
	await writeFile(marker, version);
	return script;
}

/** Copies the database driver that was compiled for the lab's n8n. Throws if the older n8n needs another version of it. */
async function copyDriver(folder: string): Promise<void> {
	const labDriverFolder = packageFolderOf('sqlite3');
	const olderDriverFolder = packageFolderOf('sqlite3', modulesFolderOf(folder));
	const [labVersion, olderVersion] = await Promise.all(
		[labDriverFolder, olderDriverFolder].map(readVersion),
	);
	if (labVersion !== olderVersion)
		throw new Error(
			`The older n8n needs sqlite3 ${olderVersion}, but sqlite3 ${labVersion} was compiled`,
		);
	await mkdir(path.dirname(path.join(olderDriverFolder, DRIVER_PATH)), { recursive: true });
	await copyFile(
		path.join(labDriverFolder, DRIVER_PATH),
		path.join(olderDriverFolder, DRIVER_PATH),
	);
}

async function readVersion(folder: string): Promise<string> {
	const text = await readFile(path.join(folder, 'package.json'), 'utf8');
	return (JSON.parse(text) as { version: string }).version;
}

/** Installs the lab's own n8n and returns its start script. */
export async function ensureNewest(progress: Progress): Promise<string> {
	await ensureN8n(progress);
	return n8nScriptOf();
}
