import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { killWithParent } from '../../lab/reaper';

/** Starts a script as a process of its own, with its role as the first argument. The process ends with this one at the latest. */
export function startChild(
	script: string,
	role: string,
	{
		nodeBinary = process.execPath,
		flags = [],
		args = [],
	}: { nodeBinary?: string; flags?: string[]; args?: string[] } = {},
): ChildProcess {
	const execArgv = ['--import', 'tsx', ...flags];
	const child = fork(script, [role, ...args], { execPath: nodeBinary, execArgv });
	killWithParent(child);
	return child;
}

/** Returns the next message of a process. Fails if the process ends first. */
export async function receiveMessage<T>(child: ChildProcess): Promise<T> {
	const settled = new AbortController();
	const { signal } = settled;
	const ended = once(child, 'exit', { signal }).then(([code]) => {
		throw new Error(`A process ended with ${code as number}`);
	});
	try {
		const [value] = (await Promise.race([once(child, 'message', { signal }), ended])) as [T];
		return value;
	} finally {
		ended.catch(() => undefined);
		settled.abort();
	}
}

/** Runs the work of a child process. An error prints one line and ends the process. */
export function runChild(work: Promise<void>): void {
	work.catch((error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
		process.disconnect();
	});
}
