// Protects readers of the documentation: every link within the project leads to a file and a heading that exist.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { allFilesBelow, root } from './files';

const pages = allFilesBelow('').filter((file) => file.endsWith('.md'));
const readPage = (page: string) => readFileSync(join(root, page), 'utf8');

/** Returns the anchor that GitHub gives a heading. */
const makeAnchor = (heading: string) =>
	heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');
const listAnchors = (page: string) =>
	[...readPage(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => makeAnchor(heading!));

test.each(pages)('%s links only to files and headings that exist', (page) => {
	const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
	const brokenLinks = links
		.filter((link) => !/^[a-z]+:/.test(link))
		.filter((link) => {
			const [file, heading] = link.split('#') as [string, string | undefined];
			const target = file === '' ? page : join(dirname(page), file);
			if (!existsSync(join(root, target))) return true;
			return heading !== undefined && !listAnchors(target).includes(heading);
		});
	expect(brokenLinks).toEqual([]);
});
