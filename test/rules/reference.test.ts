// Protects readers of docs/reference: it describes the nodes as they are now, in the words that n8n shows.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './files';

/** Prints the pages in a new process, since Jest cannot import Prettier, which is an ES module. */
const PRINT_SCRIPT = `require('./scripts/reference').createReferencePages()
	.then((pages) => process.stdout.write(JSON.stringify(pages)))`;

let pages: Record<string, string>;
beforeAll(() => {
	const maxBuffer = 10_000_000;
	const referencePages = execFileSync(process.execPath, ['-e', PRINT_SCRIPT], {
		cwd: root,
		maxBuffer,
	});
	pages = JSON.parse(`${referencePages}`) as typeof pages;
});

const folder = join(root, 'docs/reference');

it('the reference is up to date with nodes, contracts and recorded outputs (`npm run reference`)', () => {
	const writtenFiles = readdirSync(folder).filter((name) => name.endsWith('.md'));
	expect(writtenFiles.sort()).toEqual(Object.keys(pages).sort());
	for (const [name, text] of Object.entries(pages)) {
		expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
	}
});

it('the reference has no double periods, and uses the shown names of choices', () => {
	const prose = Object.values(pages)
		.join('\n')
		.replace(/```[\s\S]*?```/g, '');
	expect(prose.match(/\S+\.\.(?=\s|$)/g)).toBeNull();
	const conditions = prose.match(/Shown if [^.]+\./g)!;
	expect(conditions.length).toBeGreaterThan(20);
	expect(conditions.filter((condition) => /(?: is|,| or) [a-z]+[A-Z]/.test(condition))).toEqual([]);
});
