import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { LabError } from '../errors';
import { findFreePort } from '../ports';
import { superviseServer } from './servers';
import type { Server } from './servers';

function findRedisProgram(): string {
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	const found = folders
		.map((folder) => path.join(folder, 'redis-server'))
		.find((file) => existsSync(file));
	if (found) return found;
	throw new LabError('Redis is not installed. On Debian: apt-get install -y redis-server');
}

/** Starts an empty Redis that stores nothing on disk. */
export async function startRedis(logFolder: string): Promise<Server> {
	const redisProgram = findRedisProgram();
	const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-redis-'));
	const port = await findFreePort();
	const log = path.join(logFolder, 'redis.log');
	const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--logfile', log];
	const child = spawn(redisProgram, [...args, '--save', '', '--appendonly', 'no'], {
		stdio: 'ignore',
	});
	return await superviseServer('Redis', folder, port, child, 'SIGTERM');
}
