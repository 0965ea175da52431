// Protects readers of the code: capitals for constants, names of test files, and a first line that says what each protects.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { typeScriptFilesBelow, root } from './files';

const FOLDERS = ['nodes', 'credentials', 'sandbox', 'lab', 'test', 'bench'];
/** Matches a number or a pattern at the top level of a file whose name is not in capitals. */
const LOWER_CASE_CONSTANT =
	/^(?:export )?const [a-z]\w* = (?:-?\d[\d_.]*(?: \* [\w.]+)*|\/.+\/[a-z]*);$/gm;

it('numbers and patterns at the top of a file have names in capitals', () => {
	const violations = FOLDERS.flatMap(typeScriptFilesBelow).flatMap((file) =>
		[...readFileSync(join(root, file), 'utf8').matchAll(LOWER_CASE_CONSTANT)].map(
			([line]) => `${file}: ${line}`,
		),
	);
	expect(violations).toEqual([]);
});

it('test files have names in camel case, with dots between parts', () => {
	const otherNames = typeScriptFilesBelow('test')
		.map((file) => file.split('/').at(-1)!)
		.filter((name) => /\.(test|e2e)\.ts$/.test(name))
		.filter((name) => !/^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)*\.(test|e2e)\.ts$/.test(name));
	expect(otherNames).toEqual([]);
});

it('test files say in their first lines what they protect', () => {
	const isSilent = (file: string) =>
		!/^(?:\/\/|\/\*\*\n \*) Protects \w/.test(readFileSync(join(root, file), 'utf8'));
	const testFiles = typeScriptFilesBelow('test').filter((file) =>
		/\.(test|e2e|cluster|install|generations)\.ts$/.test(file),
	);
	expect(testFiles.filter(isSilent)).toEqual([]);
});
