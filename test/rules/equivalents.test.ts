import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './files';

const equivalents =
	jest.requireActual<Array<{ file: string; code: string }>>('../mutation/equivalents');

it.each(equivalents)('$file contains the line of the equivalent mutant: $code', (entry) => {
	const text = readFileSync(join(root, 'nodes/engine', entry.file), 'utf8');
	expect(text.split('\n').map((line) => line.trim())).toContain(entry.code);
});
