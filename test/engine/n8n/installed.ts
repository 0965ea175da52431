import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { n8nFolderOf } from '../../../lab/installation';

// n8n itself is installed in the lab only. `npm run test:e2e` installs it and runs this folder, too.

const folder = n8nFolderOf();
const isInstalled = existsSync(path.join(folder, 'package.json'));

/** Loading n8n's modules takes 3 s of CPU time, and far longer on a machine that is busy. */
const LOAD_MS = 300_000;

/** A test that needs n8n itself; skipped where the lab is not installed. */
export const itWithN8n = (name: string, test: jest.ProvidesCallback): void =>
	(isInstalled ? it : it.skip)(name, test, LOAD_MS);

/** Reads a source file of n8n. */
export const readN8nSource = async (file: string): Promise<string> =>
	await readFile(path.join(folder, file), 'utf8');

/**
 * Runs a function body with n8n's own modules, in a process of its own, and returns its result, as JSON. `load` is `require`
 * from n8n's folder.
 */
export function runInN8n(body: string): unknown {
	const script = `
		const load = require('node:module').createRequire(${JSON.stringify(path.join(folder, 'package.json'))});
		load('reflect-metadata');
		(async () => { ${body} })().then(
			(result) => process.stdout.write('\\n' + JSON.stringify(result), () => process.exit(0)),
			(error) => { console.error(error); process.exit(1); },
		);`;
	const environment = { ...process.env, N8N_USER_FOLDER: path.join(folder, '.none') };
	const output = execFileSync(process.execPath, ['-e', script], { env: environment });
	return JSON.parse(output.toString().trim().split('\n').at(-1)!);
}
