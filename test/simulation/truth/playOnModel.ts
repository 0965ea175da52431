import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import type { Result } from './stage';

const run = promisify(execFile);

/**
 * Plays the named histories, or all, with the simulated n8n. They run in a process of their own, in which clocks and timers
 * are virtual.
 */
export async function playOnModel(names: string[] = []): Promise<Record<string, Result>> {
	const { stdout } = await run(
		process.execPath,
		['--import', 'tsx', path.join(__dirname, 'main.ts'), ...names],
		{ env: { ...process.env, N8N_LOG_LEVEL: 'silent' } },
	);
	return JSON.parse(stdout) as Record<string, Result>;
}
