// Ends the processes of a run when the run itself has ended, however that happened: it holds the other end of this process's
// standard input. Each line is `{ pid, folder }` for a process that was started, `{ pid, ended: true }` for one that has ended. A
// folder is removed with its process.
const { spawn } = require('node:child_process');
const { rmSync } = require('node:fs');
const { createInterface } = require('node:readline');

const folders = new Map();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
	const { pid, folder, ended } = JSON.parse(line);
	if (ended) folders.delete(pid);
	else folders.set(pid, folder);
});
lines.on('close', () => {
	for (const pid of folders.keys()) end(pid);
	for (const folder of folders.values()) {
		// What the process started may write for a moment after it.
		if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
	}
});

function end(pid) {
	if (process.platform === 'win32') {
		spawn('taskkill', ['/pid', `${pid}`, '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	// Where it leads a process group, all of that.
	for (const target of [-pid, pid]) {
		try {
			process.kill(target, 'SIGKILL');
		} catch {
			// It leads no group, or has ended meanwhile.
		}
	}
}
