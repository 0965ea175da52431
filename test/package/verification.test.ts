// Protects the maintainers who apply for n8n's verification: docs/verification.md has a state for every rule and package.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const text = readFileSync(join(root, 'docs/verification.md'), 'utf8');
const PACKAGES = ['Pack', 'Identity', 'Two-factor', 'Event data', 'Event registration'];
const STATES = ['met', 'open', 'differs', '–'];

const splitCells = (line: string) =>
	line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim());
const tables = text.split('\n## ').filter((part) => part.includes('\n| Rule '));

it.each(tables.map((table) => [table.split('\n')[0]!, table]))(
	'%s: every rule has a valid state for each package, and a text in the column How',
	(_, table) => {
		const [head, , ...rows] = table.split('\n').filter((line) => line.startsWith('|'));
		expect(splitCells(head!)).toEqual(['Rule', ...PACKAGES, 'How']);
		expect(rows.length).toBeGreaterThan(10);
		for (const row of rows.map(splitCells)) {
			const [rule, ...states] = row.slice(0, -1);
			expect({ rule, unknownStates: states.filter((state) => !STATES.includes(state)) }).toEqual({
				rule,
				unknownStates: [],
			});
			expect(states).toHaveLength(PACKAGES.length);
			expect(row.at(-1)).not.toBe('');
		}
	},
);

it('docs/verification.md has both tables, and the date on which the rules were read', () => {
	expect(tables).toHaveLength(2);
	expect(text).toMatch(/The rules were read on \d{4}-\d\d-\d\d/);
});

it("docs/verification.md names n8n's tools in the installed versions", () => {
	const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		devDependencies: Record<string, string>;
	};
	for (const tool of ['@n8n/scan-community-package', '@n8n/node-cli']) {
		expect(text).toContain(`\`${tool}\` ${devDependencies[tool]}`);
	}
});

it('docs/verification.md names only tests and files that exist', () => {
	const namedFiles = [...text.matchAll(/`((?:test|scripts)\/[\w./]+|[\w.]+\.(?:mjs|json))`/g)]
		.map(([, file]) => file!)
		.filter((file) => !file.includes('artifacts') && file !== 'example.json');
	expect(namedFiles.length).toBeGreaterThan(10);
	expect(namedFiles.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
