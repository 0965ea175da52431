// Ends the child processes of a run once the run has ended for any reason: the run owns the writing end of this process's
// standard input. Each line is `{ pid, folder }` for a process that was started, or `{ pid, ended: true }` for one that has
// ended. A folder is removed with its process.
const { spawn } = require('node:child_process');
const { rmSync } = require('node:fs');
const { createInterface } = require('node:readline');

const folderByPid = new Map();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
	const { pid, folder, ended } = JSON.parse(line);
	if (ended) folderByPid.delete(pid);
	else folderByPid.set(pid, folder);
});
lines.on('close', () => {
	for (const pid of folderByPid.keys()) killProcess(pid);
	for (const folder of folderByPid.values()) {
		// Descendants of the process may still write for a moment.
		if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
	}
});

function killProcess(pid) {
	if (process.platform === 'win32') {
		spawn('taskkill', ['/pid', `${pid}`, '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	// The negative ID signals the process group, if the process leads one.
	for (const target of [-pid, pid]) {
		try {
			process.kill(target, 'SIGKILL');
		} catch {
			// The process leads no group, or it has ended.
		}
	}
}
