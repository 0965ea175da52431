// Ends the processes of a run when the run itself has ended, however that happened: it holds the other end of this process's
// standard input. Each line is `+<process ID>` for a process that was started, `-<process ID>` for one that has ended.
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');

const alive = new Set();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
	const pid = Number(line.slice(1));
	if (line.startsWith('+')) alive.add(pid);
	else alive.delete(pid);
});
lines.on('close', () => {
	for (const pid of alive) end(pid);
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
