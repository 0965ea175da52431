// Protects readers of docs/reliability.md: its commands exist, and its counts add up.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'docs/reliability.md'), 'utf8');

it('docs/reliability.md names only commands that exist', () => {
	const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
	};
	const namedScripts = [...page.matchAll(/npm run (\w+)/g)].map(([, script]) => script!);
	expect(namedScripts.length).toBeGreaterThan(0);
	expect(namedScripts.filter((script) => scripts[script] === undefined)).toEqual([]);
});

const [, matrix = ''] = /<!-- matrix: [^>]*-->(.*)<!-- end of matrix -->/s.exec(page) ?? [];

it('the counts in each row of the matrix in docs/reliability.md add up to the number of cases', () => {
	const rows = [...matrix.matchAll(/^\| ([^|]+?) +\| ([\d,]+) +\|(.*)\|$/gm)];
	const parseCount = (text: string) => Number(text.replaceAll(',', ''));
	expect(rows.length).toBeGreaterThan(16);
	for (const [, , cases = '', counts = ''] of rows) {
		const sum = counts.split('|').reduce((total, cell) => total + parseCount(cell.trim()), 0);
		expect(sum).toBe(parseCount(cases));
	}
});
