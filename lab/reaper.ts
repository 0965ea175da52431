import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';

/** Writes to the standard input of the reaper process, which ends our children. Defined while there are children. */
let reaperInput: Socket | undefined;
let childCount = 0;

function startReaper(): Socket {
	const child = spawn(process.execPath, [path.join(__dirname, 'reaperProcess.cjs')], {
		stdio: ['pipe', 'ignore', 'ignore'],
		// The reaper gets its own process group: Ctrl+C must not end it before this process.
		detached: true,
	});
	const input = child.stdin as Socket;
	// Without the reaper, children outlive this process if it is killed; nothing else fails.
	child.once('error', () => undefined);
	input.on('error', () => undefined);
	child.unref();
	input.unref();
	return input;
}

/**
 * Ends a child when this process ends, with its process group if it leads one, and removes its folder. This works for
 * SIGKILL too, and inside Jest, where no handler of a signal or of `exit` is called, because tests get a copy of `process`.
 * Call it right after spawn.
 */
export function killWithParent(child: ChildProcess, folder?: string): void {
	const { pid } = child;
	if (pid === undefined) return;
	reaperInput ??= startReaper();
	childCount++;
	reaperInput.write(`${JSON.stringify({ pid, folder })}\n`);
	child.once('exit', () => {
		reaperInput!.write(`${JSON.stringify({ pid, ended: true })}\n`);
		if (--childCount > 0) return;
		reaperInput!.end();
		reaperInput = undefined;
	});
}
