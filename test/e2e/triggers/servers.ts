import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort } from '../../../lab/ports';

/** A server that a test started for itself. */
export interface Server {
	port: number;
	stop(): Promise<void>;
}

const missing = (what: string) =>
	new Error(`${what} is not installed. On Debian: apt-get install -y redis-server postgresql`);

/** Where a program is; PostgreSQL on Debian is in a folder of its own. */
function find(program: string): string {
	const debian = '/usr/lib/postgresql';
	const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
	const folders = [
		...(process.env.PATH ?? '').split(path.delimiter),
		...versions.map((version) => path.join(debian, version, 'bin')),
	];
	const found = folders
		.map((folder) => path.join(folder, program))
		.find((file) => existsSync(file));
	if (!found) throw missing(program);
	return found;
}

/** Whom PostgreSQL runs as: it refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
	if (process.getuid?.() !== 0) return {};
	const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
	return { uid: id('-u'), gid: id('-g') };
}

async function reachable(port: number, child: ChildProcess, name: string): Promise<void> {
	for (const until = Date.now() + 60_000; Date.now() < until; await delay(100)) {
		if (child.exitCode !== null) throw new Error(`${name} ended at once (${child.exitCode})`);
		const open = await new Promise<boolean>((resolve) => {
			const socket = connect({ host: '127.0.0.1', port });
			socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
			socket.once('connect', () => socket.destroy());
		});
		if (open) return;
	}
	throw new Error(`${name} did not come up`);
}

async function serve(
	name: string,
	folder: string,
	port: number,
	child: ChildProcess,
	signal: NodeJS.Signals,
): Promise<Server> {
	const ended = new Promise((resolve) => child.once('close', resolve));
	const endAtOnce = () => child.kill('SIGKILL');
	process.once('exit', endAtOnce);
	const stop = async () => {
		child.kill(signal);
		await ended;
		process.off('exit', endAtOnce);
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		await reachable(port, child, name);
	} catch (error) {
		await stop();
		throw error;
	}
	return { port, stop };
}

/** Starts an empty Redis that keeps nothing. */
export async function startRedis(): Promise<Server> {
	const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-redis-'));
	const port = await freePort();
	const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder];
	const child = spawn(find('redis-server'), [...options, '--save', '', '--appendonly', 'no'], {
		stdio: 'ignore',
	});
	return await serve('Redis', folder, port, child, 'SIGTERM');
}

/** Asks PostgreSQL for rows of texts. */
export function query({ port }: Server, sql: string): string[][] {
	const options = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-At', '-F', '\t'];
	const output = execFileSync(find('psql'), [...options, '-c', sql]).toString();
	const lines = output.split('\n').filter(Boolean);
	return lines.map((line) => line.split('\t'));
}

/** Starts an empty PostgreSQL that lets everybody on this machine in as `postgres`. */
export async function startPostgres(): Promise<Server> {
	const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-postgres-'));
	const who = unprivileged();
	if (who.uid !== undefined) chownSync(folder, who.uid, who.gid!);
	const as = { ...who, cwd: folder, stdio: 'ignore' } as const;
	const data = path.join(folder, 'data');
	execFileSync(find('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'], as);
	const port = await freePort();
	const options = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', folder];
	const child = spawn(find('postgres'), [...options, '-c', 'max_connections=100'], as);
	return await serve('PostgreSQL', folder, port, child, 'SIGINT');
}
