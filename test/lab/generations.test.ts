// Protects users who choose a version of n8n: docs/installing.md names exactly the versions on which the pack is tested.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { newestVersion, olderGenerations } from '../../lab/generations';
import { rootFolder } from '../../lab/paths';

it('docs/installing.md names every version of n8n that test:generations runs, the newest last', () => {
	const page = readFileSync(path.join(rootFolder, 'docs/installing.md'), 'utf8');
	const row = /^\| n8n +\| (.*?) \(`npm run test:generations`\)/m.exec(page)![1]!;
	const testedVersions = [...olderGenerations.map(({ version }) => version), newestVersion];
	expect(row.match(/\d+\.\d+\.\d+/g)).toEqual(testedVersions);
});
