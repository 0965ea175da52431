// Protects readers of the documentation: every path that a page names exists.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { allFilesBelow, root } from './files';

/** Paths that the build, n8n or the steps of CONTRIBUTING.md create. */
const CREATED_PATHS = [
	'dist/',
	'lab/.run',
	'test/e2e/artifacts/',
	'scanner/scanner.mjs',
	'nodes/EventData/session/delete.ts',
	'nodes/EventData/registration/move.ts',
];

const files = allFilesBelow('');
const documents = files.filter(
	(file) => file.endsWith('.md') && !file.startsWith('docs/reference/'),
);

/** Every part of a path that consists of whole names, with and without the file's ending. */
const knownPaths = new Set(
	files.flatMap((file) => {
		const names = file.replace(/(\.test)?\.\w+$/, '').split('/');
		const namesWithEnding = file.split('/');
		return names.flatMap((_, start) => [
			namesWithEnding.slice(start).join('/'),
			...names.map((__, end) => names.slice(start, end + 1).join('/')),
		]);
	}),
);

/** Returns the paths that a page names in code, outside of code blocks, and that do not exist. */
const findMissingPaths = (page: string) =>
	[...page.replaceAll(/```[^]*?```/g, '').matchAll(/`([A-Za-z][\w-]*(?:\/[\w.-]+)+)\/?`/g)]
		.map(([, path]) => path!)
		.filter(
			(path) => !knownPaths.has(path) && !CREATED_PATHS.some((created) => path.startsWith(created)),
		);

it.each(documents)('every path in %s exists', (file) => {
	expect(findMissingPaths(readFileSync(join(root, file), 'utf8'))).toEqual([]);
});

it('the check of paths finds a file that does not exist', () => {
	const page = '`nodes/engine/gone.ts`, `nodes/engine/operation` and `lab/`';
	expect(findMissingPaths(page)).toEqual(['nodes/engine/gone.ts']);
});
