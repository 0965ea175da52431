// Protects the proof that the simulator finds bugs: a planted bug whose text is gone would no longer be planted.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { subjects } from './subjects';

// Only the weekly run looks for the bugs themselves.

const bugs = subjects.flatMap(({ name, planted }) =>
	planted.map((patch) => ({ title: `${name}: ${patch.name}`, ...patch })),
);

it('at least 40 bugs can be planted, each with a name of its own in its subject', () => {
	expect(bugs.length).toBeGreaterThanOrEqual(40);
	expect(new Set(bugs.map(({ title }) => title)).size).toBe(bugs.length);
});

it.each(bugs)('$title: the text is in its file once', ({ file, find, replace }) => {
	const source = readFileSync(path.join(__dirname, '../..', file), 'utf8');
	expect(source.split(find).length - 1).toBe(1);
	expect(replace).not.toBe(find);
});
