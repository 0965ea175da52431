import { readFileSync } from 'node:fs';
import path from 'node:path';

import { newestVersion, olderGenerations } from '../../lab/generations';
import { rootFolder } from '../../lab/paths';

it('the README names every version of n8n that test:generations runs, the newest last', () => {
	const readme = readFileSync(path.join(rootFolder, 'README.md'), 'utf8');
	const row = /^\| n8n \| (.*?) \(`npm run test:generations`\)/m.exec(readme)![1]!;
	const run = [...olderGenerations.map(({ version }) => version), newestVersion];
	expect(row.match(/\d+\.\d+\.\d+/g)).toEqual(run);
});
