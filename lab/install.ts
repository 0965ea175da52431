import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readFile, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runNpm } from './command';
import { INSTALL_DISK_GB, LabError } from './errors';
import { labModulesFolder, modulesFolderOf, n8nScriptOf } from './installation';
import { findNode24 } from './node24';
import type { Node24 } from './node24';
import { labFolder, runFolder } from './paths';
import { ensurePrivateFolder } from './privateFolder';
import type { Progress } from './progress';

const lockFile = path.join(labFolder, 'package-lock.json');
const markerFile = path.join(labModulesFolder, '.installed');
/**
 * Folder in which n8n is installed before one rename moves it into place: other programs resolve the lab's imports meanwhile
 * and must not find an incomplete package.
 */
const stagingFolder = path.join(runFolder, 'install');
const GIGABYTE_BYTES = 1024 ** 3;
const installAdvice = 'start again';

/** Identifies an installation, which is reused while lock file, platform and architecture are the same. */
async function identifyInstallation(): Promise<string> {
	const lock = await readFile(lockFile);
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${hash} ${process.platform}-${process.arch}`;
}

async function isInstalled(): Promise<boolean> {
	const installedId = await readFile(markerFile, 'utf8').catch(() => '');
	return installedId === (await identifyInstallation()) && existsSync(n8nScriptOf());
}

/** Throws a LabError if the disk does not have enough free space. */
export async function requireDiskSpace(
	folder: string,
	requiredGb: number,
	task: string,
): Promise<void> {
	const { bavail, bsize } = await statfs(folder);
	const freeGb = (bavail * bsize) / GIGABYTE_BYTES;
	if (freeGb >= requiredGb) return;
	throw new LabError(
		`${task} needs ${requiredGb} GB of disk space in ${folder}, but only ${freeGb.toFixed(1)} GB are free.`,
	);
}

/** Counts the packages at the top level of node_modules that npm has unpacked so far. */
async function countPackages(): Promise<number> {
	const modules = modulesFolderOf(stagingFolder);
	const names = await readdir(modules).catch(() => []);
	const folders = await Promise.all(
		names.map(async (name) =>
			name.startsWith('@')
				? (await readdir(path.join(modules, name)).catch(() => [])).map(
						(scopedName) => `${name}/${scopedName}`,
					)
				: [name],
		),
	);
	return folders.flat().filter((name) => existsSync(path.join(modules, name, 'package.json')))
		.length;
}

async function countLockedPackages(): Promise<number> {
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
	await requireDiskSpace(labFolder, INSTALL_DISK_GB, 'Installing n8n');

	await rm(stagingFolder, { recursive: true, force: true });
	await ensurePrivateFolder(stagingFolder);
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(path.join(labFolder, file), path.join(stagingFolder, file));
	}

	const lockedCount = await countLockedPackages();
	const describeDetail = async () => `${await countPackages()} of about ${lockedCount} packages`;
	await progress.track(
		{ title: 'Installing n8n', note: 'once; takes a few minutes', detail: describeDetail },
		async () => {
			const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
			await runNpm(['ci', ...flags, '--loglevel=error'], {
				cwd: stagingFolder,
				task: 'Installing n8n',
				advice: installAdvice,
			});
		},
	);

	const modules = modulesFolderOf(stagingFolder);
	const { headers: headersFolder } = findNode24(modules);
	const title = "Building n8n's database driver";
	await progress.track({ title, note: 'once; takes about two minutes' }, async () => {
		// node-gyp would download the headers; the npm package with the Node.js binary includes them.
		const headerFlags = headersFolder ? [`--nodedir=${headersFolder}`] : [];
		await runNpm(
			['rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel=error', ...headerFlags],
			{
				cwd: stagingFolder,
				task: title,
				advice:
					'it needs Python 3, make and a C++ compiler; on Debian: apt install python3 make g++',
			},
		);
	});
	await writeFile(path.join(modules, path.basename(markerFile)), await identifyInstallation());
	await rm(labModulesFolder, { recursive: true, force: true });
	await rename(modules, labModulesFolder);
	await rm(stagingFolder, { recursive: true, force: true });
	return findNode24();
}
