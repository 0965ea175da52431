import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import { toOneLine } from './errors';
import { packCache } from './lab';
import type { Lab } from './lab';
import { buildPack } from './pack';
import { rootFolder } from './paths';
import type { Progress } from './progress';

const sourceFolders = ['nodes', 'credentials', 'contracts'];
const POLL_INTERVAL_MS = 500;

/** Lists all source files with their modification times. File watchers lose files that editors replace; this does not. */
export async function readSourceStamp(root = rootFolder): Promise<string> {
	const lists = await Promise.all(
		sourceFolders.map(async (folder) => {
			const entries = await readdir(path.join(root, folder), {
				withFileTypes: true,
				recursive: true,
			});
			const files = entries.filter((entry) => entry.isFile());
			return await Promise.all(
				files.map(async ({ parentPath, name }) => {
					const file = path.join(parentPath, name);
					// A file may be deleted between `readdir` and `stat`.
					return `${file} ${await stat(file).then(
						({ mtimeMs }) => mtimeMs,
						() => 'gone',
					)}`;
				}),
			);
		}),
	);
	return lists.flat().sort().join('\n');
}

/**
 * Rebuilds the pack and restarts n8n whenever the source files have changed and then stayed the same for one interval. Never
 * returns.
 */
export async function rebuildOnChange(lab: Lab, progress: Progress): Promise<void> {
	progress.print(
		`Watching ${sourceFolders.join(', ')}: a change is built and n8n restarted with it.`,
	);
	let builtStamp = await readSourceStamp();
	let previousStamp = builtStamp;
	for (;;) {
		await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
		const currentStamp = await readSourceStamp();
		const isStable = currentStamp === previousStamp;
		previousStamp = currentStamp;
		if (!isStable || currentStamp === builtStamp) continue;
		builtStamp = currentStamp;
		try {
			const tarball = await buildPack(packCache, progress);
			await progress.track({ title: 'Restarting n8n' }, async () => await lab.replacePack(tarball));
			progress.print('Reload the page in the browser to see the change.');
		} catch (error) {
			progress.print(toOneLine(error));
		}
	}
}
