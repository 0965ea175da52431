import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { runCommand } from '../../../lab/command';
import { rootFolder } from '../../../lab/paths';
import type { Registry } from './registry';

const { singles } = jest.requireActual<{ singles: Array<{ name: string; folder: string }> }>(
	'../../../scripts/singlePackages',
);
const { packInto } = jest.requireActual<{
	packInto: (
		folder: string,
		into: string,
	) => { filename: string; size: number; unpackedSize: number };
}>('../../../scripts/packInto');

/** Published packages: the pack first, then one package per service. Folders are relative to the project's root. */
export const publishedPackages = [{ name: 'n8n-nodes-gatehouse', folder: '.' }, ...singles];

/** Size of a package in bytes, packed and unpacked. */
export interface Size {
	packed: number;
	unpacked: number;
}

/** Publishes the built packages to a registry, each under all these version numbers with the same code. `editCode` may change the code. */
export async function publish(
	registry: Registry,
	names: string[],
	versions: string[],
	editCode?: (code: string) => string,
): Promise<Map<string, Size>> {
	const sizes = new Map<string, Size>();
	const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-publish-'));
	try {
		for (const { name, folder: packageFolder } of publishedPackages.filter((published) =>
			names.includes(published.name),
		)) {
			const { filename, size, unpackedSize } = packInto(
				path.join(rootFolder, packageFolder),
				folder,
			);
			sizes.set(name, { packed: size, unpacked: unpackedSize });
			await runCommand('tar', ['-xzf', filename], { cwd: folder, task: 'Unpacking' });
			const manifestFile = path.join(folder, 'package/package.json');
			const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { name: string };
			const codeFile = path.join(folder, 'package/dist/bundle.js');
			if (editCode) await writeFile(codeFile, editCode(await readFile(codeFile, 'utf8')));
			for (const version of versions) {
				await writeFile(manifestFile, JSON.stringify({ ...manifest, version }));
				await runCommand('tar', ['-czf', 'again.tgz', 'package'], { cwd: folder, task: 'Packing' });
				registry.publish({ ...manifest, version }, await readFile(path.join(folder, 'again.tgz')));
			}
			await rm(path.join(folder, 'package'), { recursive: true });
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
	return sizes;
}
