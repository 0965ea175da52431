// Protects the machine of a developer who stops the lab: no process and no server folder stays behind, whatever the signal.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { rootFolder } from '../../lab/paths';
import { kinds } from './killed/startAll';

const WITHIN_MS = 60_000;

interface ProcessEntry {
	pid: number;
	command: string;
}

/** Lists all processes with this value in their environment, including processes that they started. */
function listProcessesWith(value: string): ProcessEntry[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => {
			try {
				const readProcFile = (file: string) => readFileSync(path.join('/proc', pid, file), 'utf8');
				if (!readProcFile('environ').includes(value)) return [];
				return [{ pid: Number(pid), command: readProcFile('cmdline').replaceAll('\0', ' ') }];
			} catch {
				// The process has ended meanwhile.
				return [];
			}
		});
}

/** Lists processes until the list meets the condition or the time is over, and returns the last list. */
async function listUntil(
	isExpected: (list: ProcessEntry[]) => boolean,
	value: string,
): Promise<ProcessEntry[]> {
	for (const deadlineMs = Date.now() + WITHIN_MS; ; await delay(50)) {
		const list = listProcessesWith(value);
		if (isExpected(list) || Date.now() > deadlineMs) return list;
	}
}

const scriptArguments = (folder: string) => ['--import', 'tsx', 'test/lab/killed/run.ts', folder];
const jestArguments = () => [
	'node_modules/jest/bin/jest.js',
	'--runInBand',
	'--testMatch=**/killed/underJest.ts',
];

// Processes are distinguished by their environment, which only Linux shows.
(process.platform === 'linux' ? describe : describe.skip)('a lab', () => {
	const value = randomUUID();
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-killed-'));
	});
	afterEach(() => {
		for (const { pid } of listProcessesWith(value)) process.kill(pid, 'SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	});

	test.each([
		['a script', 'SIGINT', scriptArguments],
		['a script', 'SIGTERM', scriptArguments],
		['a script', 'SIGKILL', scriptArguments],
		['a test', 'SIGINT', jestArguments],
		['a test', 'SIGTERM', jestArguments],
	] as const)(
		'that %s started leaves no process and no server folder behind after %s',
		async (_kind, signal, command) => {
			const env = { ...process.env, GATEHOUSE_TEST_FOLDER: folder, GATEHOUSE_TEST_RUN: value };
			const run = spawn(process.execPath, command(folder), { cwd: rootFolder, env });
			let output = '';
			const areAllUp = new Promise<boolean>((resolve) => {
				const collectOutput = (text: Buffer) => {
					output += text.toString();
					if (output.includes('all are up')) resolve(true);
				};
				run.stdout.on('data', collectOutput);
				run.stderr.on('data', collectOutput);
				run.once('exit', () => resolve(false));
			});
			expect([await areAllUp, output]).toEqual([true, expect.anything()]);
			const findMissingKinds = (list: ProcessEntry[]) =>
				kinds.filter((kind) => !list.some(({ command: line }) => line.includes(kind)));
			expect(
				findMissingKinds(await listUntil((list) => findMissingKinds(list).length === 0, value)),
			).toEqual([]);

			run.kill(signal);
			expect(await listUntil((list) => list.length === 0, value)).toEqual([]);
			expect(readdirSync(folder)).toEqual([expect.stringMatching(/^n8n-/)]);
		},
		3 * WITHIN_MS,
	);
});
