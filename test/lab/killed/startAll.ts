import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';

import { receiveMessage, startChild } from '../../../bench/harness/processes';
import { runCommand } from '../../../lab/command';
import { startN8n } from '../../../lab/n8n';
import { findFreePort } from '../../../lab/ports';
import { superviseServer } from '../../../lab/queue/servers';

/** Names by which a process of each kind is recognized in the list of processes. */
export const kinds = ['fakeN8n', 'taskRunner', 'aServer', 'aCommand', 'registrationService'];

/** Starts one process of each kind that the lab and the benchmarks start, in a folder, and prints a line when all are up. */
export async function startAll(folder: string): Promise<void> {
	const node = { binary: process.execPath };
	const userFolder = mkdtempSync(path.join(folder, 'n8n-'));
	const script = path.join(__dirname, 'fakeN8n.cjs');
	await startN8n({ node, script, userFolder, port: await findFreePort() });

	const port = await findFreePort();
	const listen = `require('node:net').createServer().listen(${port}, '127.0.0.1')`;
	const server = spawn(process.execPath, ['-e', listen, 'aServer'], { stdio: 'ignore' });
	await superviseServer(
		'A server',
		mkdtempSync(path.join(folder, 'server-')),
		port,
		server,
		'SIGTERM',
	);

	const idleArguments = ['-e', 'setInterval(() => {}, 1000)', 'aCommand'];
	void runCommand(process.execPath, idleArguments, { cwd: folder, task: 'Idling' });

	await receiveMessage(startChild(require.resolve('../../../bench/registrationService'), '[1]'));
	process.stdout.write('all are up\n');
}
