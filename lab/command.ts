import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

import { LabError, findKnownReason } from './errors';
import { killWithParent } from './reaper';

export interface CommandOptions {
	cwd: string;
	/** Purpose of the command, as in "Installing n8n failed: …". */
	task: string;
	/** Advice for a failure without a known reason, such as "delete lab/node_modules and start again". */
	advice?: string;
	env?: NodeJS.ProcessEnv;
}

/** Signals a child process and everything that it started. */
export function signalProcessGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	try {
		if (process.platform === 'win32') {
			spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
		} else {
			process.kill(-child.pid, signal);
		}
	} catch {
		// The process has ended in the meantime.
	}
}

/** Returns the environment without npm's script variables, which would bind the child to our own package. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) =>
				!/^npm_(package|lifecycle)_|^npm_config_(ignore_scripts|local_prefix|prefix)$/i.test(name),
		),
	);
}

/** Runs a command to its end and returns its standard output. Throws a LabError with the reason in one line if it fails. */
export async function runCommand(
	command: string,
	args: string[],
	{ cwd, task, advice, env = cleanEnvironment() }: CommandOptions,
): Promise<string> {
	const child = spawn(command, args, {
		cwd,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
		// The command gets its own process group. Ctrl+C then reaches it only through this process, which ends the whole
		// group.
		detached: process.platform !== 'win32',
		shell: process.platform === 'win32' && command === 'npm',
	});
	killWithParent(child);
	let stdout = '';
	let combinedOutput = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		combinedOutput += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => (combinedOutput += text));
	try {
		const exitStatus = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
			child.once('error', reject);
			child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
		});
		if (exitStatus === 0) return stdout;
		const knownReason = findKnownReason(combinedOutput);
		if (knownReason) throw new LabError(`${task} failed: ${knownReason}.`);
		const reason = findErrorLine(combinedOutput) ?? `it ended with ${exitStatus}`;
		throw new LabError(`${task} failed: ${reason}${advice ? ` (${advice})` : ''}`);
	} catch (error) {
		if (error instanceof LabError) throw error;
		throw new LabError(`${task} failed: ${(error as Error).message}`);
	}
}

/** Returns the line of an output that most likely explains the failure: a thrown error, else any error, else the last line. */
function findErrorLine(text: string): string | undefined {
	const lines = text
		.split('\n')
		.map((line) => line.replaceAll(/\u001b\[[0-9;]*m/g, '').trim())
		.filter((line) => line && !/^npm (error|warn) (A complete log|Log files|code|$)/.test(line));
	return (
		lines.find((line) => /\berror TS\d+|\b([A-Z]\w*)?Error:/.test(line)) ??
		lines.findLast((line) => /error/i.test(line)) ??
		lines.at(-1)
	);
}

/** Runs the npm that started this process, or else the first npm on the path. */
export async function runNpm(args: string[], options: CommandOptions): Promise<string> {
	const script = process.env.npm_execpath;
	return script && /npm-cli\.c?js$/.test(script)
		? await runCommand(process.execPath, [script, ...args], options)
		: await runCommand('npm', args, options);
}
