import { watch } from 'node:fs';
import path from 'node:path';
import { oneLine } from './errors';
import { packCache, type Lab } from './lab';
import { buildPack } from './pack';
import { rootFolder } from './paths';
import type { Progress } from './progress';

const sources = ['nodes', 'credentials', 'contracts'];
const quietFor = 300;

/** Builds the pack and restarts n8n with it whenever a source file changes. Ends when the process does. */
export function watchSources(lab: Lab, progress: Progress): void {
	let timer: NodeJS.Timeout | undefined;
	let working = Promise.resolve();
	let installed = '';

	const renew = async () => {
		try {
			const tarball = await buildPack(packCache, progress);
			if (tarball === installed) return;
			await progress.during(
				{ title: 'Restarting n8n' },
				async () => await lab.replacePack(tarball),
			);
			installed = tarball;
			progress.line('Reload the page in the browser to see the change.');
		} catch (error) {
			progress.line(oneLine(error));
		}
	};
	for (const folder of sources) {
		watch(path.join(rootFolder, folder), { recursive: true }, () => {
			clearTimeout(timer);
			timer = setTimeout(() => (working = working.then(renew)), quietFor);
		});
	}
	progress.line(`Watching ${sources.join(', ')}: a change is built and n8n restarted with it.`);
}
