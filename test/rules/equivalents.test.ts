// Protects what the mutation tester proves: a mutant is excused as equivalent only while its line is in the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root, typeScriptFilesBelow } from './files';

const equivalents =
	jest.requireActual<
		Array<{ file: string; why: string; code: string; was?: string; instead?: string }>
	>('../mutation/equivalents');

it.each(equivalents)('$file contains the line of the equivalent mutant: $code', (entry) => {
	const text = readFileSync(join(root, 'nodes', entry.file), 'utf8');
	expect(text.split('\n').map((line) => line.trim())).toContain(entry.code);
});

const readNames = (file: string) => namesIn(readFileSync(join(root, file), 'utf8'));

const namesIn = (text: string): string[] => text.match(/[a-z_$][\w$]*/gi) ?? [];

it.each(equivalents.filter(({ was }) => was !== undefined))(
	'the line of $file contains the code that the mutant replaces: $was',
	({ code, was }) => expect(code).toContain(was),
);

it.each(equivalents.filter(({ instead }) => instead !== undefined))(
	'the mutant of $file has only names of its line: $code',
	({ code, instead }) => {
		const keywords = ['true', 'false'];
		expect([...namesIn(code), ...keywords]).toEqual(expect.arrayContaining(namesIn(instead!)));
	},
);

const knownNames = new Set(typeScriptFilesBelow('nodes').flatMap(readNames));
const reasonsWithNames = equivalents
	.map(({ why }) => ({
		why,
		names: [...why.matchAll(/`([^`]+)`/g)].flatMap(([, quoted]) => namesIn(quoted!)),
	}))
	.filter(({ names }) => names.length > 0);

it.each(reasonsWithNames)('the reason names only code of the nodes: $why', ({ names }) => {
	expect(names.filter((name) => !knownNames.has(name))).toEqual([]);
});
