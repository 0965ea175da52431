import axios from 'axios';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { cleanEnvironment, signalProcessGroup } from './command';
import { createEnvironment } from './environment';
import { LabError } from './errors';
import { commandLine } from './installation';
import type { N8nCommand } from './installation';
import type { Node24 } from './node24';
import { findFreePort } from './ports';
import { ensurePrivateFolder } from './privateFolder';
import { killWithParent } from './reaper';

export interface N8nOptions {
	node: Node24;
	port: number;
	userFolder: string;
	/** Start script of another n8n than the lab's own. */
	script?: string;
	/** File for n8n's output; default: a file in the user folder. */
	logFile?: string;
	/** Further settings; they override the lab's own. */
	env?: Record<string, string>;
	/** Default: `start`. Queue mode adds workers and webhook processors. */
	command?: N8nCommand;
	/** How long n8n may take to become ready; default: three minutes. */
	readyTimeoutMs?: number;
	/** Called with a one-line message if n8n ends after it was ready and without a call of `stop`. */
	onCrash?: (message: string) => void;
}

export interface N8nProcess {
	url: string;
	pid: number;
	/** Resolves with the exit code or signal. */
	ended: Promise<number | NodeJS.Signals | null>;
	/** Ends the process and its children: with SIGTERM by default, and with SIGKILL after 15 seconds. */
	stop(signal?: NodeJS.Signals): Promise<void>;
	/** File with all output of the process. */
	logFile: string;
}

const READY_TIMEOUT_MS = 180_000;
const SIGTERM_TIMEOUT_MS = 15_000;

/** Returns the last error in n8n's log, or its last line, to explain why it ended. */
async function readLastError(logFile: string): Promise<string> {
	const text = await readFile(logFile, 'utf8').catch(() => '');
	// n8n warns about a missing Python at every start; the lab does not need it.
	const lines = text
		.split('\n')
		.filter((line) => line.trim() && !line.includes('Python task runner'));
	const lastLine = lines.findLast((line) => /error|fail|cannot/i.test(line)) ?? lines.at(-1);
	return lastLine?.trim().slice(0, 300) ?? 'it said nothing';
}

async function isReady(url: string, command: string): Promise<boolean> {
	const requestPath = async (path: string) =>
		await axios.get(url + path, { timeout: 5000, proxy: false, validateStatus: () => true });
	try {
		if ((await requestPath('/healthz/readiness')).status !== 200) return false;
		// Only the main process has the REST interface, which becomes available last.
		if (command !== 'start') return true;
		const { status, data } = await requestPath('/rest/settings');
		return status === 200 && typeof data === 'object';
	} catch {
		return false;
	}
}

async function waitUntilReady(
	url: string,
	command: string,
	child: ChildProcess,
	{ logFile, timeoutMs }: { logFile: string; timeoutMs: number },
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (!(await isReady(url, command))) {
		if (child.exitCode !== null || child.signalCode !== null) {
			throw new LabError(
				`n8n stopped while starting (${child.exitCode ?? child.signalCode}): ${await readLastError(logFile)} (full log: ${logFile})`,
			);
		}
		if (Date.now() > deadline) {
			throw new LabError(`n8n was not ready after ${timeoutMs / 1000} s; see ${logFile}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

/** Starts n8n on loopback and resolves when it is ready. */
export async function startN8n(options: N8nOptions): Promise<N8nProcess> {
	const { node, port, userFolder, script, command = 'start' } = options;
	const { readyTimeoutMs = READY_TIMEOUT_MS } = options;
	const url = `http://127.0.0.1:${port}`;
	const { logFile = path.join(userFolder, `n8n-${command}.log`) } = options;
	await ensurePrivateFolder(userFolder);
	const log = createWriteStream(logFile);

	const { program, args } = commandLine(node, command, script);
	const child = spawn(program, args, {
		cwd: userFolder,
		env: {
			...cleanEnvironment(),
			...createEnvironment({ port, userFolder, brokerPort: await findFreePort() }),
			...options.env,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: process.platform !== 'win32',
	});
	killWithParent(child);
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
		child.once('error', () => resolve(null));
		child.once('close', (code, signal) => log.end(() => resolve(code ?? signal)));
	});

	let isStopRequested = false;
	const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
		isStopRequested = true;
		signalProcessGroup(child, signal);
		const killTimer = setTimeout(() => signalProcessGroup(child, 'SIGKILL'), SIGTERM_TIMEOUT_MS);
		await ended;
		clearTimeout(killTimer);
	};

	try {
		await waitUntilReady(url, command, child, { logFile, timeoutMs: readyTimeoutMs });
	} catch (error) {
		await stop('SIGKILL');
		throw error;
	}
	void ended.then(async (code) => {
		if (isStopRequested) return;
		const reason =
			typeof code === 'string' ? `by ${code}` : `(${code}): ${await readLastError(logFile)}`;
		options.onCrash?.(`n8n was ended ${reason} (its log: ${logFile})`);
	});
	return { url, pid: child.pid!, ended, stop, logFile };
}
