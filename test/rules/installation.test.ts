import { readFileSync } from 'node:fs';
import path from 'node:path';

import { filesBelow, root } from './files';

/** The module that knows where n8n is installed and how it is started. */
const OWNER = path.join('lab', 'installation.ts');
const THIS = path.relative(root, __filename);

/** Ways to name the folder of n8n or its start script: as one path, as parts of one, or as a package of the lab. */
const NAMES = [
	/\bbin['", /]+n8n(?![\w-])/,
	/node_modules['", ]+n8n(?![\w-])/,
	/node_modules\/n8n\//,
	/packageOf\(['"]n8n['"]/,
	/labFolder, ['"]node_modules/,
];

const namesN8n = (text: string) => NAMES.some((name) => name.test(text));

it.each([
	"path.join(folder, 'node_modules', 'n8n', 'bin', 'n8n')",
	'lab/node_modules/n8n/dist/webhooks',
	"packageOf('n8n')",
	'node lab/.n8n/2.20.12/bin/n8n start',
])('a line such as %s names the path of n8n', (line) => {
	expect(namesN8n(line)).toBe(true);
});

it.each([
	"'node_modules/@n8n/node-cli/bin/n8n-node.mjs'",
	"path.join(root, 'bin', 'gatehouse.mjs')",
])('a line such as %s does not name the path of n8n', (line) => {
	expect(namesN8n(line)).toBe(false);
});

it('only one module names the path of n8n', () => {
	const files = ['lab', 'bench', 'test'].flatMap(filesBelow).filter((file) => file !== THIS);
	expect(files.filter((file) => namesN8n(readFileSync(path.join(root, file), 'utf8')))).toEqual([
		OWNER,
	]);
});
