// Protects developers who run n8n from the sources: every kind of change to a source file is noticed, so that it is built.
import { appendFile, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { readSourceStamp } from '../../lab/rebuildOnChange';

it('the source stamp changes with every kind of change to a source file', async () => {
	const root = await mkdtemp(path.join(tmpdir(), 'gatehouse-'));
	const file = path.join(root, 'nodes', 'deep', 'a.ts');
	for (const folder of ['nodes/deep', 'credentials', 'contracts']) {
		await mkdir(path.join(root, folder), { recursive: true });
	}
	await writeFile(file, 'a');
	await utimes(file, 1000, 1000);

	const stamps = [await readSourceStamp(root)];
	expect(await readSourceStamp(root)).toBe(stamps[0]);
	for (const change of [
		async () => await appendFile(file, 'b'),
		async () => {
			await writeFile(`${file}.new`, 'c');
			await utimes(`${file}.new`, 2000, 2000);
			await rename(`${file}.new`, file);
		},
		async () => await appendFile(file, 'd'),
		async () => await writeFile(path.join(root, 'contracts', 'new.yaml'), ''),
		async () => await rm(file),
	]) {
		await change();
		stamps.push(await readSourceStamp(root));
	}
	expect(new Set(stamps).size).toBe(stamps.length);
	await rm(root, { recursive: true });
});
