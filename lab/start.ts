import { rm } from 'node:fs/promises';

import { parseArguments, usage } from './arguments';
import { requireUnclaimed } from './claim';
import { toOneLine } from './errors';
import { examplesFolder, startLab } from './lab';
import type { Lab } from './lab';
import { formatReadyMessage } from './messages';
import { runFolder } from './paths';
import { terminalProgress } from './progress';
import { rebuildOnChange } from './rebuildOnChange';

let lab: Lab | undefined;
let endingSinceMs: number | undefined;

/** Ends everything that was started. A second call, at least a second later, exits without waiting for that. */
async function endLab(code: number): Promise<void> {
	if (endingSinceMs !== undefined) {
		// One Ctrl+C may arrive twice: from the terminal, and from the program that runs this script.
		if (Date.now() - endingSinceMs > 1000) process.exit(code);
		return;
	}
	endingSinceMs = Date.now();
	await lab?.stop();
	if (code === 0) process.stdout.write('Stopped.\n');
	process.exit(code);
}

async function main(): Promise<void> {
	const { help, clean, dev, port, sandboxPort, examples } = parseArguments(process.argv.slice(2));
	if (help) {
		process.stdout.write(usage);
		return;
	}
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void endLab(lab ? 0 : 130));
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
	progress.print(formatReadyMessage(lab));
	if (dev) await rebuildOnChange(lab, progress);
}

async function fail(message: string): Promise<void> {
	if (endingSinceMs !== undefined) return;
	process.stderr.write(`${message}\n`);
	await endLab(1);
}

main().catch(async (error: unknown) => await fail(toOneLine(error)));
