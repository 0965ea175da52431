import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';

import manifest from '../../package.json';
import { root } from './files';

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const operationFile = 'nodes/EventData/session/delete.ts';

it('names files and folders that exist, except the one that the example creates', () => {
	const named = page.match(
		/(?<=[`\s])(contracts|docs|nodes|sandbox|test|\.ci)\/[\w./]*\w(?=[`\s])/g,
	)!;
	expect(named.length).toBeGreaterThan(20);
	const absent = named.filter((file) => !existsSync(join(root, file)));
	expect(absent.filter((file) => file !== operationFile)).toEqual([]);
});

it('names commands that exist', () => {
	const named = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script!);
	expect(named.length).toBeGreaterThan(5);
	expect(named.filter((script) => !(script in manifest.scripts))).toEqual([]);
});

it('has an example of an operation that loads as it is written', () => {
	const [, code = ''] = /```ts\n(\s+import [\s\S]*?)```/.exec(page) ?? [];
	const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	const loaded: Record<string, unknown> = {};
	const load = createRequire(join(root, operationFile));
	new Function('exports', 'require', ts.transpile(code, options))(loaded, load);
	expect(loaded.remove).toMatchObject({
		name: 'Delete',
		request: { method: 'DELETE', path: '/sessions/{sessionId}' },
	});
});
