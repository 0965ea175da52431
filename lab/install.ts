import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readFile, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { npm } from './command';
import { INSTALL_DISK_GB, LabError } from './errors';
import { privateFolder } from './folder';
import { labModules, modulesIn, n8nScript } from './installation';
import { findNode24 } from './node24';
import type { Node24 } from './node24';
import { labFolder, runFolder } from './paths';
import type { Progress } from './progress';

const lockFile = path.join(labFolder, 'package-lock.json');
const marker = path.join(labModules, '.installed');
/**
 * Folder in which n8n is installed before one rename moves it into place: other programs resolve the lab's imports meanwhile
 * and must not find an incomplete package.
 */
const stagingFolder = path.join(runFolder, 'install');
const gigabyte = 1024 ** 3;
const advice = 'start again';

/** Identifies an installation: it is reused while lock file, platform and architecture are the same. */
async function fingerprint(): Promise<string> {
	const lock = await readFile(lockFile);
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${hash} ${process.platform}-${process.arch}`;
}

async function isInstalled(): Promise<boolean> {
	const seen = await readFile(marker, 'utf8').catch(() => '');
	return seen === (await fingerprint()) && existsSync(n8nScript());
}

/** Throws a LabError if the disk has not enough free space. */
export async function requireDisk(folder: string, gigabytes: number, what: string): Promise<void> {
	const { bavail, bsize } = await statfs(folder);
	const free = (bavail * bsize) / gigabyte;
	if (free >= gigabytes) return;
	throw new LabError(
		`${what} needs ${gigabytes} GB of disk space in ${folder}, but only ${free.toFixed(1)} GB are free.`,
	);
}

/** Counts the packages at the top level of node_modules that npm has unpacked so far. */
async function countPackages(): Promise<number> {
	const modules = modulesIn(stagingFolder);
	const names = await readdir(modules).catch(() => []);
	const folders = await Promise.all(
		names.map(async (name) =>
			name.startsWith('@')
				? (await readdir(path.join(modules, name)).catch(() => [])).map((part) => `${name}/${part}`)
				: [name],
		),
	);
	return folders.flat().filter((name) => existsSync(path.join(modules, name, 'package.json')))
		.length;
}

async function countLocked(): Promise<number> {
	const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as {
		packages: Record<string, { os?: string | string[]; optional?: boolean }>;
	};
	return Object.entries(packages).filter(
		([name, { os }]) =>
			name.split('node_modules/').length === 2 && (!os || os.includes(process.platform)),
	).length;
}

/** Installs n8n unless the same lock file was installed before, and returns the Node.js to run it on. */
export async function ensureN8n(progress: Progress): Promise<Node24> {
	if (await isInstalled()) return findNode24();
	await requireDisk(labFolder, INSTALL_DISK_GB, 'Installing n8n');

	await rm(stagingFolder, { recursive: true, force: true });
	await privateFolder(stagingFolder);
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(path.join(labFolder, file), path.join(stagingFolder, file));
	}

	const wanted = await countLocked();
	const detail = async () => `${await countPackages()} of about ${wanted} packages`;
	await progress.during(
		{ title: 'Installing n8n', note: 'once; takes a few minutes', detail },
		async () => {
			const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
			await npm(['ci', ...flags, '--loglevel=error'], {
				cwd: stagingFolder,
				task: 'Installing n8n',
				advice,
			});
		},
	);

	const modules = modulesIn(stagingFolder);
	const { headers: given } = findNode24(modules);
	const title = "Building n8n's database driver";
	await progress.during({ title, note: 'once; takes about two minutes' }, async () => {
		// node-gyp would download the headers; the npm package with the Node.js binary includes them.
		const headers = given ? [`--nodedir=${given}`] : [];
		await npm(['rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel=error', ...headers], {
			cwd: stagingFolder,
			task: title,
			advice: 'it needs Python 3, make and a C++ compiler; on Debian: apt install python3 make g++',
		});
	});
	await writeFile(path.join(modules, path.basename(marker)), await fingerprint());
	await rm(labModules, { recursive: true, force: true });
	await rename(modules, labModules);
	await rm(stagingFolder, { recursive: true, force: true });
	return findNode24();
}
