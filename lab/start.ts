import { rm } from 'node:fs/promises';

import { readArguments, usage } from './args';
import { requireUnclaimed } from './claim';
import { followSources } from './dev';
import { oneLine } from './errors';
import { examplesFolder, startLab } from './lab';
import type { Lab } from './lab';
import { readyMessage } from './messages';
import { runFolder } from './paths';
import { terminalProgress } from './progress';

let lab: Lab | undefined;
let endingSince: number | undefined;

/** Ends everything that was started. A second call, at least a second later, exits without waiting for that. */
async function end(code: number): Promise<void> {
	if (endingSince !== undefined) {
		// One Ctrl+C may arrive twice: from the terminal, and from the program that runs this script.
		if (Date.now() - endingSince > 1000) process.exit(code);
		return;
	}
	endingSince = Date.now();
	await lab?.stop();
	if (code === 0) process.stdout.write('Stopped.\n');
	process.exit(code);
}

async function main(): Promise<void> {
	const { help, clean, dev, port, sandboxPort, examples } = readArguments(process.argv.slice(2));
	if (help) {
		process.stdout.write(usage);
		return;
	}
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void end(lab ? 0 : 130));
	}

	const progress = terminalProgress(process.stdout);
	if (clean) {
		await requireUnclaimed(runFolder);
		await rm(runFolder, { recursive: true, force: true });
	}
	lab = await startLab({
		port,
		userFolder: runFolder,
		sandbox: { port: sandboxPort, strict: false },
		examples: examples ? examplesFolder : undefined,
		progress,
		onCrash: (message) => void fail(message),
	});
	progress.line(readyMessage(lab));
	if (dev) await followSources(lab, progress);
}

async function fail(message: string): Promise<void> {
	if (endingSince !== undefined) return;
	process.stderr.write(`${message}\n`);
	await end(1);
}

main().catch(async (error: unknown) => await fail(oneLine(error)));
