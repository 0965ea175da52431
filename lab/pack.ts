import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runNpm, runCommand } from './command';
import { LabError } from './errors';
import { rootFolder } from './paths';
import { ensurePrivateFolder } from './privateFolder';
import type { Progress } from './progress';

/** All inputs of a build. The tarball's name is their hash, so that an unchanged pack is not built twice. */
const buildInputs = [
	'nodes',
	'credentials',
	'contracts',
	'scripts',
	'package.json',
	'package-lock.json',
	'gulpfile.js',
	'index.js',
	'bin',
	'tsconfig.json',
	'tsconfig.build.json',
	'README.md',
	'LICENSE',
];

async function listFiles(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { withFileTypes: true, recursive: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
		.sort();
}

async function hashBuildInputs(source: string): Promise<string> {
	const hash = createHash('sha256');
	for (const input of buildInputs) {
		const inputPath = path.join(source, input);
		// `listFiles` fails for an input that is a file; the input itself is then read.
		for (const file of await listFiles(inputPath).catch(() => [''])) {
			const content = await readFile(path.join(inputPath, file)).catch(() => undefined);
			if (content) hash.update(`${input}/${file}\0${content.length}\0`).update(content);
		}
	}
	return hash.digest('hex').slice(0, 16);
}

/**
 * Builds and packs the pack as publishing would, and returns the tarball's path. Unchanged sources are not built again;
 * `isBuilt` means that `npm run build` has just built them.
 */
export async function buildPack(
	cache: string,
	progress: Progress,
	{ source = rootFolder, isBuilt = false } = {},
): Promise<string> {
	const tarball = path.join(cache, `${await hashBuildInputs(source)}.tgz`);
	if (existsSync(tarball)) return tarball;
	return await progress.track({ title: 'Building the pack' }, async () => {
		const options = { cwd: source, task: 'Building the pack' };
		if (!isBuilt) {
			await runNpm(['run', 'build'], { ...options, advice: "'npm run build' shows it all" });
		}
		await rm(cache, { recursive: true, force: true });
		// The run folder, in which the cache is, may not exist yet.
		await ensurePrivateFolder(cache);
		const output = await runNpm(['pack', '--json', '--pack-destination', cache], options);
		const [{ filename }] = JSON.parse(output) as [{ filename: string }];
		await rename(path.join(cache, filename), tarball);
		return tarball;
	});
}

/**
 * Unpacks the tarball into n8n's folder for community packages, without the manifest fields that n8n's installer removes.
 */
export async function installPack(tarball: string, userFolder: string): Promise<PackManifest> {
	const nodesFolder = path.join(userFolder, '.n8n', 'nodes');
	const unpackedFolder = path.join(nodesFolder, 'unpacked');
	await rm(unpackedFolder, { recursive: true, force: true });
	await mkdir(unpackedFolder, { recursive: true });
	await runCommand('tar', ['-xzf', tarball, '-C', unpackedFolder, '--strip-components=1'], {
		cwd: nodesFolder,
		task: 'Unpacking the pack',
	});

	const file = path.join(unpackedFolder, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8')) as PackManifest;
	if (Object.keys(manifest.dependencies ?? {}).length > 0) {
		throw new LabError(
			`${manifest.name} has run-time dependencies, which 'npm start' does not install.`,
		);
	}
	const { devDependencies, peerDependencies, optionalDependencies, ...installedManifest } =
		manifest;
	void [devDependencies, peerDependencies, optionalDependencies];
	await writeFile(file, JSON.stringify(installedManifest, null, 2));

	const packFolder = path.join(nodesFolder, 'node_modules', manifest.name);
	await rm(path.join(nodesFolder, 'node_modules'), { recursive: true, force: true });
	await mkdir(path.dirname(packFolder), { recursive: true });
	await rename(unpackedFolder, packFolder);
	const nodesManifest = {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: manifest.version },
	};
	await writeFile(path.join(nodesFolder, 'package.json'), JSON.stringify(nodesManifest, null, 2));
	return manifest;
}

/** The parts of the pack's package.json that n8n and the lab read. */
export interface PackManifest {
	name: string;
	version: string;
	author?: { name?: string; email?: string };
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
	peerDependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
}
