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
