import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { rootFolder } from '../../lab/paths';
import { kinds } from './killed/startAll';

const WITHIN_MS = 60_000;

interface Listed {
	pid: number;
	command: string;
}

/** All processes that were started with a variable of this value, at whatever depth. */
function processesWith(value: string): Listed[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => {
			try {
				const readProcFile = (file: string) => readFileSync(path.join('/proc', pid, file), 'utf8');
				if (!readProcFile('environ').includes(value)) return [];
				return [{ pid: Number(pid), command: readProcFile('cmdline').replaceAll('\0', ' ') }];
			} catch {
				// It has ended meanwhile.
				return [];
			}
		});
}

/** Lists processes until the list is as it should be, or time is up, and gives the last list. */
async function listUntil(right: (list: Listed[]) => boolean, value: string): Promise<Listed[]> {
	for (const until = Date.now() + WITHIN_MS; ; await delay(50)) {
		const list = processesWith(value);
		if (right(list) || Date.now() > until) return list;
	}
}

const scriptArguments = (folder: string) => ['--import', 'tsx', 'test/lab/killed/run.ts', folder];
const jestArguments = () => [
	'node_modules/jest/bin/jest.js',
	'--runInBand',
	'--testMatch=**/killed/underJest.ts',
];

// Processes are distinguished by their environment, which only Linux shows.
(process.platform === 'linux' ? describe : describe.skip)('a run that is killed', () => {
	const value = randomUUID();
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-killed-'));
	});
	afterEach(() => {
		for (const { pid } of processesWith(value)) process.kill(pid, 'SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	});

	test.each([
		['a script', 'SIGINT', scriptArguments],
		['a script', 'SIGTERM', scriptArguments],
		['a script', 'SIGKILL', scriptArguments],
		['a test', 'SIGINT', jestArguments],
		['a test', 'SIGTERM', jestArguments],
	] as const)(
		'the lab started as %s and ended by %s leaves no process and no server folder behind',
		async (_kind, signal, command) => {
			const env = { ...process.env, GATEHOUSE_TEST_FOLDER: folder, GATEHOUSE_TEST_RUN: value };
			const run = spawn(process.execPath, command(folder), { cwd: rootFolder, env });
			let output = '';
			const up = new Promise<boolean>((resolve) => {
				const hear = (text: Buffer) => {
					output += text.toString();
					if (output.includes('all are up')) resolve(true);
				};
				run.stdout.on('data', hear);
				run.stderr.on('data', hear);
				run.once('exit', () => resolve(false));
			});
			expect([await up, output]).toEqual([true, expect.anything()]);
			const missing = (list: Listed[]) =>
				kinds.filter((kind) => !list.some(({ command: line }) => line.includes(kind)));
			expect(missing(await listUntil((list) => missing(list).length === 0, value))).toEqual([]);

			run.kill(signal);
			expect(await listUntil((list) => list.length === 0, value)).toEqual([]);
			expect(readdirSync(folder)).toEqual([expect.stringMatching(/^n8n-/)]);
		},
		3 * WITHIN_MS,
	);
});
