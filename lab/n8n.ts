import axios from 'axios';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { cleanEnvironment, endGroup } from './command';
import { environment } from './environment';
import { LabError } from './errors';
import { privateFolder } from './folder';
import { n8nScript } from './install';
import type { Node24 } from './node24';
import { freePort } from './ports';
import { endWithUs } from './reaper';

export interface N8nOptions {
	node: Node24;
	port: number;
	userFolder: string;
	/** The start script of another n8n than the lab's own. */
	script?: string;
	/** Where its output is written: a file in the user folder unless told. */
	logFile?: string;
	/** Further settings; they win over the lab's own. */
	env?: Record<string, string>;
	/** `start` unless told; queue mode adds workers and webhook processors. */
	command?: 'start' | 'worker' | 'webhook';
	/** Called with one clear line if it ends, once it was ready, without being asked to. */
	onCrash?: (message: string) => void;
}

/** One n8n process. */
export interface N8nProcess {
	url: string;
	pid: number;
	/** Resolves with the exit code or signal. */
	ended: Promise<number | NodeJS.Signals | null>;
	/** Ends it and what it started: kindly by default, which turns rough after 15 seconds. */
	stop(signal?: NodeJS.Signals): Promise<void>;
	/** Where everything it says is written. */
	logFile: string;
}

const READY_WITHIN = 180_000;
const KIND_FOR = 15_000;

/** What n8n said last, to explain why it ended. */
async function lastWords(logFile: string): Promise<string> {
	const text = await readFile(logFile, 'utf8').catch(() => '');
	// Its complaint about a missing Python comes at every start and means nothing here.
	const lines = text
		.split('\n')
		.filter((line) => line.trim() && !line.includes('Python task runner'));
	const last = lines.findLast((line) => /error|fail|cannot/i.test(line)) ?? lines.at(-1);
	return last?.trim().slice(0, 300) ?? 'it said nothing';
}

async function isReady(url: string, command: string): Promise<boolean> {
	const check = async (address: string) =>
		await axios.get(url + address, { timeout: 5000, proxy: false, validateStatus: () => true });
	try {
		if ((await check('/healthz/readiness')).status !== 200) return false;
		// Only the main process has the REST interface, and it comes up last.
		if (command !== 'start') return true;
		const { status, data } = await check('/rest/settings');
		return status === 200 && typeof data === 'object';
	} catch {
		return false;
	}
}

async function waitUntilReady(
	url: string,
	command: string,
	child: ChildProcess,
	logFile: string,
): Promise<void> {
	const deadline = Date.now() + READY_WITHIN;
	while (!(await isReady(url, command))) {
		if (child.exitCode !== null || child.signalCode !== null) {
			throw new LabError(
				`n8n stopped while starting (${child.exitCode ?? child.signalCode}): ${await lastWords(logFile)} (full log: ${logFile})`,
			);
		}
		if (Date.now() > deadline) {
			throw new LabError(`n8n was not ready after ${READY_WITHIN / 1000} s; see ${logFile}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

/** Starts n8n on loopback and resolves when it answers. */
export async function startN8n(options: N8nOptions): Promise<N8nProcess> {
	const { node, port, userFolder, script = n8nScript(), command = 'start' } = options;
	const url = `http://127.0.0.1:${port}`;
	const { logFile = path.join(userFolder, `n8n-${command}.log`) } = options;
	await privateFolder(userFolder);
	const log = createWriteStream(logFile);

	const child = spawn(node.binary, [script, command], {
		cwd: userFolder,
		env: {
			...cleanEnvironment(),
			...environment({ port, userFolder, brokerPort: await freePort() }),
			...options.env,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: process.platform !== 'win32',
	});
	endWithUs(child);
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
		child.once('error', () => resolve(null));
		child.once('close', (code, signal) => log.end(() => resolve(code ?? signal)));
	});

	let asked = false;
	const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
		asked = true;
		endGroup(child, signal);
		const impatient = setTimeout(() => endGroup(child, 'SIGKILL'), KIND_FOR);
		await ended;
		clearTimeout(impatient);
	};

	try {
		await waitUntilReady(url, command, child, logFile);
	} catch (error) {
		await stop('SIGKILL');
		throw error;
	}
	void ended.then(async (code) => {
		if (asked) return;
		const why = typeof code === 'string' ? `by ${code}` : `(${code}): ${await lastWords(logFile)}`;
		options.onCrash?.(`n8n was ended ${why} (its log: ${logFile})`);
	});
	return { url, pid: child.pid!, ended, stop, logFile };
}
