import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';

/** The other end of the standard input of the process that ends ours; there as long as there is something to end. */
let reaper: Socket | undefined;
let children = 0;

function startReaper(): Socket {
	const child = spawn(process.execPath, [path.join(__dirname, 'reaperProcess.cjs')], {
		stdio: ['pipe', 'ignore', 'ignore'],
		// A group of its own: Ctrl+C must not end it before us.
		detached: true,
	});
	const input = child.stdin as Socket;
	// Without it, children merely outlive us when we are killed.
	child.once('error', () => undefined);
	input.on('error', () => undefined);
	child.unref();
	input.unref();
	return input;
}

/**
 * Ends a child, with its process group if it leads one, and removes its folder, when this process ends. That works for SIGKILL too,
 * and inside Jest, where no handler of a signal or of `exit` is called: tests get a copy of `process`. Call it right after spawn.
 */
export function endWithUs(child: ChildProcess, folder?: string): void {
	const { pid } = child;
	if (pid === undefined) return;
	reaper ??= startReaper();
	children++;
	reaper.write(`${JSON.stringify({ pid, folder })}\n`);
	child.once('exit', () => {
		reaper!.write(`${JSON.stringify({ pid, ended: true })}\n`);
		if (--children > 0) return;
		reaper!.end();
		reaper = undefined;
	});
}
