// Protects people who read a README on npm: each link into the repository leads to a file or heading of that version.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import pack from '../../package.json';

interface Manifest {
	version: string;
	repository: { url: string; directory?: string };
}

const { makeLinksAbsolute, formatRepositoryAddress } = jest.requireActual<{
	makeLinksAbsolute: (text: string, root: string, manifest: Manifest) => string;
	formatRepositoryAddress: (manifest: Manifest) => string;
}>('../../scripts/repositoryLinks');
const { createReadme } = jest.requireActual<{
	createReadme: (root: string, single: Single, manifest: object) => string;
}>('../../scripts/packageReadme');
const { createManifest, singles } = jest.requireActual<{
	singles: Single[];
	createManifest: (root: string, single: Single, manifest: object) => Manifest;
}>('../../scripts/singlePackages');

interface Single {
	name: string;
	folder: string;
}

const root = join(__dirname, '../..');

/** The README of each package as the tarball contains it. */
const publishedReadmes = new Map([
	[pack.name, makeLinksAbsolute(readFileSync(join(root, 'README.md'), 'utf8'), root, pack)],
	...singles.map((single) => {
		const text = createReadme(root, single, pack);
		return [
			single.name,
			makeLinksAbsolute(text, root, createManifest(root, single, pack)),
		] as const;
	}),
]);

const removeCode = (text: string) =>
	text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
const findLinks = (text: string) =>
	[...removeCode(text).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
		([, link, attribute]) => (link ?? attribute)!,
	);

/** Returns the anchors that GitHub and npm make of a page's headings. */
const listAnchors = (text: string) =>
	[...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);

const REPOSITORY_URL = `${formatRepositoryAddress(pack)}/`;

describe.each([...publishedReadmes.keys()])('the README of %s', (name) => {
	const text = publishedReadmes.get(name)!;
	const links = findLinks(text);

	it('has no relative link', () => {
		expect(links.length).toBeGreaterThan(3);
		expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([]);
	});

	it('links only to files, folders and headings that exist in the repository', () => {
		const repositoryLinks = links.filter(
			(link) => link.startsWith(REPOSITORY_URL) && link !== pack.bugs.url,
		);
		expect(repositoryLinks.length).toBeGreaterThan(2);
		const brokenLinks = repositoryLinks.filter((link) => {
			const [address, heading] = link.slice(REPOSITORY_URL.length).split('#') as [string, string?];
			const [, kind, tag, file] = /^(blob|tree|raw)\/([^/]+)\/(.+)$/.exec(address) ?? [];
			if (!kind || tag !== `v${pack.version}` || !existsSync(join(root, file!))) return true;
			return !!heading && !listAnchors(readFileSync(join(root, file!), 'utf8')).includes(heading);
		});
		expect(brokenLinks).toEqual([]);
	});

	it('links only to its own headings that exist', () => {
		const anchors = listAnchors(text);
		const anchorLinks = links.filter((link) => link.startsWith('#'));
		expect(anchorLinks.filter((link) => !anchors.includes(link.slice(1)))).toEqual([]);
	});
});

describe('makeLinksAbsolute', () => {
	const makeManifest = (directory?: string) => ({
		version: '1.2.3',
		repository: { url: 'git+https://code.example/a/b.git', ...(directory && { directory }) },
	});
	const repositoryUrl = 'https://code.example/a/b';

	it.each([
		['[a](docs/operating.md)', `[a](${repositoryUrl}/blob/v1.2.3/docs/operating.md)`],
		[
			'[a](docs/operating.md#waiting)',
			`[a](${repositoryUrl}/blob/v1.2.3/docs/operating.md#waiting)`,
		],
		['[`a`](contracts)', `[\`a\`](${repositoryUrl}/tree/v1.2.3/contracts)`],
		['![a](docs/images/phone.png)', `![a](${repositoryUrl}/raw/v1.2.3/docs/images/phone.png)`],
		['[a](#here)', '[a](#here)'],
		['[a](https://else.example/x)', '[a](https://else.example/x)'],
		['[a](mailto:a@b.example)', '[a](mailto:a@b.example)'],
		['`[a](docs/operating.md)`', '`[a](docs/operating.md)`'],
		['```md\n[a](docs/operating.md)\n```', '```md\n[a](docs/operating.md)\n```'],
	])('replaces %j by %j', (text, expected) => {
		expect(makeLinksAbsolute(text, root, makeManifest())).toBe(expected);
	});

	it('resolves links from the folder of the package', () => {
		const { folder } = singles[0]!;
		expect(makeLinksAbsolute('[a](../../LICENSE)', root, makeManifest(folder))).toBe(
			`[a](${repositoryUrl}/blob/v1.2.3/LICENSE)`,
		);
	});

	it.each(['docs/nowhere.md', '../outside.md'])('fails for the missing file %s', (file) => {
		expect(() => makeLinksAbsolute(`[a](${file})`, root, makeManifest())).toThrow(file);
	});
});
