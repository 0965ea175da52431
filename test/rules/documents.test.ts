// Protects readers of the documentation: a page for one task stays short, and a decision is complete and easy to find.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest from '../../package.json';
import { root } from './files';

const readPage = (page: string) => readFileSync(join(root, page), 'utf8');
const decisions = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d/.test(name));

/** Size limits in bytes: a page for one task is read to its end. */
const MAX_BYTES: Record<string, number> = {
	'README.md': 12_288,
	'CHANGELOG.md': 4096,
	'docs/approvals.md': 10_240,
	'docs/keeping-lists-in-step.md': 8192,
	'docs/operating.md': 12_288,
	'docs/troubleshooting.md': 8192,
	'docs/architecture.md': 15_360,
	'docs/testing.md': 5120,
	'docs/glossary.md': 3072,
	'docs/releasing.md': 3072,
	...Object.fromEntries(decisions.map((name) => [`docs/decisions/${name}`, 1024])),
};

test.each(Object.entries(MAX_BYTES))('%s has at most %d bytes', (page, limit) => {
	expect(Buffer.byteLength(readPage(page))).toBeLessThanOrEqual(limit);
});

test.each(['docs/testing.md', 'docs/releasing.md'])('%s names only commands that exist', (page) => {
	const commands = [...readPage(page).matchAll(/npm run ([\w:]+)|^\| `([\w:]+)`/gm)];
	const scripts = commands.map(([, run, row]) => (run ?? row)!);
	expect(scripts.length).toBeGreaterThan(3);
	expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
});

it('docs/testing.md describes every folder of test/', () => {
	const describedFolders = [...readPage('docs/testing.md').matchAll(/^- `(\w+)`:/gm)].map(
		([, name]) => name,
	);
	const folders = readdirSync(join(root, 'test'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name);
	expect(describedFolders).toEqual(folders.sort());
});

describe('docs/decisions', () => {
	it('has files that are numbered without gaps', () => {
		const numbers = decisions.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b);
		expect(numbers).toEqual(decisions.map((_, index) => index + 1));
	});

	test.each(decisions)('has in %s the number and all parts of a decision', (name) => {
		const text = readPage(`docs/decisions/${name}`);
		expect(text).toMatch(new RegExp(`^# ${name.slice(0, 3)}: \\S`));
		expect([...text.matchAll(/^- \*\*(.+?)\*\*: \S/gm)].map(([, part]) => part)).toEqual([
			'Context',
			'Decision',
			'Consequence',
			'n8n',
			'Source',
		]);
	});

	it('has a README that lists each decision with its title', () => {
		const expectedLines = [...decisions]
			.sort()
			.map(
				(name) =>
					`- [${name.slice(0, 3)}](${name}): ${readPage(`docs/decisions/${name}`).match(/: (.+)/)![1]}`,
			);
		const listedLines = readPage('docs/decisions/README.md').match(/^- .+$/gm);
		expect(listedLines).toEqual(expectedLines);
	});
});
