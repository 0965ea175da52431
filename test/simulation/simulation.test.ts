// Protects the promises of the pack in random histories, and developers who repeat a run: its seed gives the same histories.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs the simulator in a process of its own and returns what it prints. */
async function simulate(...options: string[]): Promise<string> {
	const { stdout } = await run(
		process.execPath,
		['--import', 'tsx', path.join(__dirname, 'main.ts'), ...options],
		{ env: { ...process.env, N8N_LOG_LEVEL: 'silent' } },
	);
	return stdout;
}

const readHash = (output: string) => /hash of all histories: (.+)/.exec(output)?.[1];

it('random histories break no promise, and the same seed gives the same histories', async () => {
	const [first, second] = await Promise.all(
		[1, 2].map(async () => await simulate('--random-only', '--seed', '7', '--runs', '4')),
	);
	expect(readHash(first!)).toMatch(/^[0-9a-f ]{64,}$/);
	expect(readHash(second!)).toBe(readHash(first!));
});
