// Protects developers who look for the cause of a crash: a restart of n8n does not overwrite its earlier output.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startN8n } from '../../lab/n8n';
import { findFreePort } from '../../lab/ports';

test("n8n's output from before a restart is kept if each start has a separate log file", async () => {
	const userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-log-'));
	const script = path.join(__dirname, 'killed', 'fakeN8n.cjs');
	const files = ['main-1.log', 'main-2.log'].map((name) => path.join(userFolder, name));
	for (const logFile of files) {
		const node = { binary: process.execPath };
		const n8n = await startN8n({ node, script, userFolder, port: await findFreePort(), logFile });
		expect(n8n.logFile).toBe(logFile);
		await n8n.stop('SIGKILL');
	}
	const texts = await Promise.all(files.map(async (file) => await readFile(file, 'utf8')));
	expect(texts).toEqual(['n8n is ready\n', 'n8n is ready\n']);
	await rm(userFolder, { recursive: true, force: true });
}, 120_000);
