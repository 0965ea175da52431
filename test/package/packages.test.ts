// Protects people who install the package of one service: its manifest and its sources are those of the pack.
import {
	existsSync,
	lstatSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pack from '../../package.json';

interface Single {
	name: string;
	folder: string;
}
type Manifest = Record<string, unknown>;

const { stringifyManifest, copySources, createManifest, singles, listSources } =
	jest.requireActual<{
		singles: Single[];
		createManifest: (root: string, single: Single, manifest: Manifest) => Manifest;
		listSources: (root: string, single: Single, manifest: Manifest) => string[];
		copySources: (root: string, single: Single, manifest: Manifest, folder: string) => void;
		stringifyManifest: (manifest: Manifest) => string;
	}>('../../scripts/singlePackages');
const { createCodex, withLinks, findPublicAddress } = jest.requireActual<{
	findPublicAddress: (manifest: { homepage: string }) => string | undefined;
	withLinks: (code: string, address?: string) => string;
	createCodex: (codex: object, manifest: { name: string; homepage: string }) => Manifest;
}>('../../scripts/documentationLinks');

/** `repository` without git's prefix and suffix, as GitHub names the list of issues. */
const ISSUES = 'https://gatehouse.example/n8n-nodes-gatehouse/issues';

const root = realpathSync(join(__dirname, '../..'));

/** Lists the files below a folder, relative to it. Links are not followed. */
const listFilesBelow = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
		(file) => !lstatSync(join(folder, file)).isDirectory(),
	);

it('the pack names its module type, and an issue tracker in its repository', () => {
	expect(pack).toMatchObject({
		type: 'commonjs',
		repository: { url: `git+${ISSUES.replace('/issues', '.git')}` },
		bugs: { url: ISSUES },
	});
});

describe.each(singles)('$name', (single) => {
	let folder: string;
	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'gatehouse-sources-'))));
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	// n8n's scanner finds a package by its manifest: a package without one in the repository cannot be verified.
	it('has a manifest with the current version in the repository', () => {
		const manifestText = readFileSync(join(root, single.folder, 'package.json'), 'utf8');
		expect(manifestText).toBe(stringifyManifest(createManifest(root, single, pack)));
	});

	it('has the module type and the issue tracker of the pack', () => {
		const manifest = JSON.parse(readFileSync(join(root, single.folder, 'package.json'), 'utf8'));
		expect(manifest).toMatchObject({ type: 'commonjs', bugs: { url: ISSUES } });
	});

	it('contains copies of its sources, and no source of another service', () => {
		copySources(root, single, pack, folder);
		const files = listFilesBelow(folder);
		const entryFiles = [...pack.n8n.nodes, ...pack.n8n.credentials]
			.map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts'))
			.filter((file) => files.includes(file));
		expect(entryFiles).toHaveLength(3);
		for (const file of files) {
			expect(lstatSync(join(folder, file)).isFile()).toBe(true);
			expect(readFileSync(join(folder, file)).equals(readFileSync(join(root, file)))).toBe(true);
		}
		const otherPackages = singles.filter(({ name }) => name !== single.name);
		const otherSources = otherPackages.flatMap((other) => listSources(root, other, pack));
		const sources = listSources(root, single, pack);
		const isEngineSource = (source: string) => source.startsWith('nodes/engine');
		expect(
			sources.filter((source) => !isEngineSource(source) && otherSources.includes(source)),
		).toEqual([]);
		expect(existsSync(join(folder, 'nodes/engine/token'))).toBe(single.name.includes('identity'));
	});
});

/** Folders of third-party code or of files that a build or a run left behind. */
const EXCLUDED_FOLDERS = ['.cache', '.git', '.n8n', '.run', 'artifacts', 'dist', 'node_modules'];

const listLinksBelow = (folder: string): string[] =>
	readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (EXCLUDED_FOLDERS.includes(entry.name)) return [];
		if (entry.isDirectory()) return listLinksBelow(path);
		return entry.isSymbolicLink() ? [path] : [];
	});

// Windows and some archives turn a link into a text file.
it('the repository contains no symbolic links', () => {
	expect(listLinksBelow('.')).toEqual([]);
});

describe('links to the documentation', () => {
	it.each([
		['https://gatehouse.example', undefined],
		['https://www.example.com/x', undefined],
		['https://gatehouse.dev/', 'https://gatehouse.dev'],
		['https://example.dev', 'https://example.dev'],
	])('begin for the homepage %s with the address %s', (homepage, address) => {
		expect(findPublicAddress({ homepage })).toBe(address);
	});

	const code = `class A {\n\tname = 'a';\n\n\tdocumentationUrl = 'https://gatehouse.example/credentials/a';\n}`;
	const codex = {
		node: 'n8n-nodes-gatehouse.a',
		resources: { primaryDocumentation: [{ url: 'https://gatehouse.example/nodes/a' }] },
	};

	it('are omitted if the homepage is a placeholder', () => {
		expect(withLinks(code)).not.toMatch(/documentationUrl|example/);
		expect(withLinks(code)).toContain("name = 'a';");
		const manifest = { name: 'n8n-nodes-a', homepage: 'https://gatehouse.example' };
		expect(createCodex(codex, manifest)).toEqual({ node: 'n8n-nodes-a.a', resources: {} });
	});

	it('begin with the public address if there is one', () => {
		expect(withLinks(code, 'https://g.dev')).toContain(
			"documentationUrl = 'https://g.dev/credentials/a'",
		);
		const manifest = { name: 'n8n-nodes-a', homepage: 'https://g.dev' };
		expect(createCodex(codex, manifest).resources).toEqual({
			primaryDocumentation: [{ url: 'https://g.dev/nodes/a' }],
		});
	});
});
