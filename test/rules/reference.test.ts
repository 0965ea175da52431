import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './files';

const { referencePages } = jest.requireActual<{
	referencePages(): Promise<Record<string, string>>;
}>('../../scripts/reference');
const folder = join(root, 'docs/reference');

it('the reference shows what nodes, contracts and recorded outputs say (`npm run reference`)', async () => {
	const pages = await referencePages();
	const written = readdirSync(folder).filter((name) => name.endsWith('.md'));
	expect(written.sort()).toEqual(Object.keys(pages).sort());
	for (const [name, text] of Object.entries(pages)) {
		expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
	}
});

it('the reference ends sentences with one period and calls choices by their names', async () => {
	const prose = Object.values(await referencePages())
		.join('\n')
		.replace(/```[\s\S]*?```/g, '');
	expect(prose.match(/\S+\.\.(?=\s|$)/g)).toBeNull();
	const conditions = prose.match(/Shown if [^.]+\./g)!;
	expect(conditions.length).toBeGreaterThan(20);
	expect(conditions.filter((one) => /(?: is|,| or) [a-z]+[A-Z]/.test(one))).toEqual([]);
});
