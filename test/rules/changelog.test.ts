import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest from '../../package.json';

const page = readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');
const sections = [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title!);

it('begins with what is not released yet, and gives every release its date', () => {
	const [first, ...released] = sections;
	expect(first).toBe('Unreleased');
	expect(released.filter((title) => !/^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/.test(title))).toEqual(
		[],
	);
});

it('tells of the version that package.json has', () => {
	expect(sections[1]?.split(' ')[0]).toBe(manifest.version);
});
