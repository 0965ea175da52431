// Protects developers who change how n8n is installed: only lab/installation.ts knows its path.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { typeScriptFilesBelow, root } from './files';

/** The module that knows where n8n is installed and how it is started. */
const INSTALLATION_MODULE = path.join('lab', 'installation.ts');
const THIS_FILE = path.relative(root, __filename);

/** Ways to name the folder of n8n or its start script: as one path, as parts of one, or as a package of the lab. */
const N8N_PATHS = [
	/\bbin['", /]+n8n(?![\w-])/,
	/node_modules['", ]+n8n(?![\w-])/,
	/node_modules\/n8n\//,
	/packageOf\(['"]n8n['"]/,
	/labFolder, ['"]node_modules/,
];

const hasN8nPath = (text: string) => N8N_PATHS.some((pattern) => pattern.test(text));

it.each([
	"path.join(folder, 'node_modules', 'n8n', 'bin', 'n8n')",
	'lab/node_modules/n8n/dist/webhooks',
	"packageOf('n8n')",
	'node lab/.n8n/2.20.12/bin/n8n start',
])('the check finds a path of n8n in %s', (line) => {
	expect(hasN8nPath(line)).toBe(true);
});

it.each([
	"'node_modules/@n8n/node-cli/bin/n8n-node.mjs'",
	"path.join(root, 'bin', 'gatehouse.mjs')",
])('the check finds no path of n8n in %s', (line) => {
	expect(hasN8nPath(line)).toBe(false);
});

it('only lab/installation.ts contains a path of n8n', () => {
	const files = ['lab', 'bench', 'test']
		.flatMap(typeScriptFilesBelow)
		.filter((file) => file !== THIS_FILE);
	expect(files.filter((file) => hasN8nPath(readFileSync(path.join(root, file), 'utf8')))).toEqual([
		INSTALLATION_MODULE,
	]);
});
