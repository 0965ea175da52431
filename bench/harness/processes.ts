import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Starts a script again as a process of its own, in another role. */
export const start = (script: string, role: string): ChildProcess =>
	fork(script, [role], { execArgv: ['--import', 'tsx'] });

/** What a process says next; fails if it ends instead. */
export async function result<T>(child: ChildProcess): Promise<T> {
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`A process ended with ${code as number}`);
	});
	const [value] = (await Promise.race([once(child, 'message'), ended])) as [T];
	ended.catch(() => undefined);
	return value;
}

/** Does what a process is for; what goes wrong ends it with one line. */
export function play(work: Promise<void>): void {
	work.catch((error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
		process.disconnect();
	});
}
