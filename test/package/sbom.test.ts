// Protects people who audit the bundle: SBOM and notices list every bundled package with its license, and no other.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { findCycloneDxProblems } from './cycloneDx';

const { bundle } = jest.requireActual<{ bundle: (root: string) => Promise<void> }>(
	'../../scripts/bundle',
);
const { SBOM, findSbomProblems } = jest.requireActual<{
	SBOM: string;
	findSbomProblems: (folder: string) => string[];
}>('../../scripts/sbom');

const { NOTICES, findNoticeProblems } = jest.requireActual<{
	NOTICES: string;
	findNoticeProblems: (folder: string) => string[];
}>('../../scripts/notices');

interface Component {
	name: string;
	version: string;
	purl: string;
	licenses: unknown[];
	hashes: Array<{ alg: string; content: string }>;
	components: Array<{ name: string; hashes: Array<{ alg: string; content: string }> }>;
	evidence: { occurrences: unknown[] };
}
interface Sbom {
	components: Component[];
	dependencies: Array<{ ref: string; dependsOn: string[] }>;
}

let root: string;
afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeProjectFile(file: string, content: string | object): void {
	const path = join(root, file);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

/** Writes a package with a license text into node_modules. */
function install(folder: string, manifest: object, files: Record<string, string>): void {
	writeProjectFile(`node_modules/${folder}/package.json`, { main: 'index.js', ...manifest });
	writeProjectFile(
		`node_modules/${folder}/LICENSE.md`,
		`Permission is granted for ${folder}. `.repeat(9),
	);
	for (const [name, code] of Object.entries(files))
		writeProjectFile(`node_modules/${folder}/${name}`, code);
}

const makeManifest = (version: string) => ({
	...{ name: 'our-pack', version, license: 'MIT', homepage: 'https://pack.example' },
	n8n: { nodes: ['dist/nodes/Shop/Shop.node.js'], credentials: [] },
});

const digest = Buffer.alloc(64, 7);
const integrity = `sha512-${digest.toString('base64')}`;
const readSbom = () => JSON.parse(readFileSync(join(root, SBOM), 'utf8')) as Sbom;

/** Creates a pack that bundles a scoped package and one with a nested dependency, but neither an unused package nor one for types. */
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'gatehouse-sbom-'));
	writeProjectFile('package.json', makeManifest('1.2.3'));
	const folders = ['@shop/tools', 'plain', 'plain/node_modules/inner', 'unused', 'outside'];
	const lockEntries = folders.map((folder) => [`node_modules/${folder}`, { integrity }]);
	writeProjectFile('package-lock.json', { packages: Object.fromEntries(lockEntries) });
	writeProjectFile(
		'nodes/Shop/Shop.node.ts',
		`import { tool } from '@shop/tools';
		import { plain } from 'plain';
		import { unused } from 'unused';
		import type { OnlyAType } from 'outside';
		export class Shop { all = (value: OnlyAType) => [tool, plain, value]; }`,
	);
	const license = '(MIT OR Apache-2.0)';
	install(
		'@shop/tools',
		{ name: '@shop/tools', version: '4.0.0', license },
		{ 'index.js': 'export const tool = "tool";' },
	);
	install(
		'plain',
		{ name: 'plain', version: '1.0.0', license: 'ISC', dependencies: { inner: '*' } },
		{
			'index.js': 'export { plain } from "./lib/plain.js"; export { other } from "./lib/other.js";',
			'lib/plain.js': 'import { inner } from "inner"; export const plain = () => inner + 1;',
			'lib/other.js': 'export const other = 2;',
		},
	);
	install(
		'plain/node_modules/inner',
		{ name: 'inner', version: '2.0.0', license: 'MIT' },
		{ 'index.js': 'export const inner = Math.random();' },
	);
	install(
		'unused',
		{ name: 'unused', version: '9.0.0', license: 'GPL-3.0-only', sideEffects: false },
		{ 'index.js': 'export const unused = 1;' },
	);
	install('outside', { name: 'outside', version: '9.0.0' }, { 'index.js': '' });
});

it('the SBOM lists every bundled package, including nested ones, and no other', async () => {
	await bundle(root);
	const { components, dependencies } = readSbom();
	expect(components.map(({ name, version, purl }) => [name, version, purl])).toEqual([
		['@shop/tools', '4.0.0', 'pkg:npm/%40shop/tools@4.0.0'],
		['inner', '2.0.0', 'pkg:npm/inner@2.0.0'],
		['plain', '1.0.0', 'pkg:npm/plain@1.0.0'],
	]);
	expect(components.map(({ licenses }) => licenses)).toEqual([
		[{ expression: '(MIT OR Apache-2.0)' }],
		[{ license: { id: 'MIT' } }],
		[{ license: { id: 'ISC' } }],
	]);
	expect(dependencies.find(({ ref }) => ref === 'pkg:npm/plain@1.0.0')?.dependsOn).toEqual([
		'pkg:npm/inner@2.0.0',
	]);
	expect(findSbomProblems(root)).toEqual([]);
	expect(findCycloneDxProblems(readSbom())).toEqual([]);
});

it('the SBOM has the hash of each package as installed, and of each bundled file', async () => {
	await bundle(root);
	const plain = readSbom().components.find(({ name }) => name === 'plain')!;
	expect(plain.hashes).toEqual([{ alg: 'SHA-512', content: digest.toString('hex') }]);
	const code = readFileSync(join(root, 'node_modules/plain/lib/plain.js'));
	const content = createHash('sha256').update(code).digest('hex');
	expect(plain.components).toEqual([
		{ type: 'file', name: 'lib/plain.js', hashes: [{ alg: 'SHA-256', content }] },
	]);
	expect(plain.evidence.occurrences).toEqual([{ location: 'dist/bundle.js' }]);
});

it('the build contains the license of every bundled package, and of no other', async () => {
	await bundle(root);
	const notices = readFileSync(join(root, NOTICES), 'utf8');
	for (const title of ['@shop/tools 4.0.0', 'plain 1.0.0', 'inner 2.0.0']) {
		expect(notices).toContain(`\n${title}\n`);
	}
	expect(notices).toContain('Permission is granted for plain/node_modules/inner.');
	expect(notices).not.toMatch(/unused|outside/);
	expect(findNoticeProblems(root)).toEqual([]);
	writeProjectFile(NOTICES, notices.replace('inner 2.0.0', 'inner 1.9.9'));
	expect(findNoticeProblems(root)).toEqual(['inner has no notice']);
	rmSync(join(root, NOTICES));
	expect(findNoticeProblems(root)).toEqual([`${NOTICES} is missing`]);
});

it('the build fails if a package has no license text', async () => {
	rmSync(join(root, 'node_modules/plain/LICENSE.md'));
	await expect(bundle(root)).rejects.toThrow('plain is built in, but brings no text');
});

it('the SBOM does not change if the same sources are built again', async () => {
	await bundle(root);
	const firstSbom = readFileSync(join(root, SBOM), 'utf8');
	await bundle(root);
	expect(readFileSync(join(root, SBOM), 'utf8')).toBe(firstSbom);
	expect(firstSbom).not.toContain(root);
});

it.each([undefined, 'UNLICENSED', 'SEE LICENSE IN terms.txt'])(
	'the build fails if a bundled package has the license %j',
	async (license) => {
		const packageManifest = { name: 'plain', version: '1.0.0', license, main: 'index.js' };
		writeProjectFile('node_modules/plain/package.json', packageManifest);
		await expect(bundle(root)).rejects.toThrow('plain is built in, but names no license');
	},
);

describe('findSbomProblems', () => {
	const editSbom = (edit: (sbom: Sbom) => void) => {
		const sbom = readSbom();
		edit(sbom);
		writeProjectFile(SBOM, sbom);
	};

	it.each<[string, (sbom: Sbom) => void]>([
		[
			'@shop/tools/index.js is built in and not listed',
			({ components }) => void components.shift(),
		],
		[
			'plain/lib/other.js is listed and not built in',
			({ components }) => components[2]!.components.push({ name: 'lib/other.js', hashes: [] }),
		],
		[
			'inner lacks its license, its hash or its right address',
			({ components }) => (components[1]!.version = '2.0.1'),
		],
		[
			'inner lacks its license, its hash or its right address',
			({ components }) => (components[1]!.hashes = []),
		],
		['it is not CycloneDX 1.6', (sbom) => Object.assign(sbom, { specVersion: '1.0' })],
	])('reports: %s', async (expectedProblem, edit) => {
		await bundle(root);
		editSbom(edit);
		expect(findSbomProblems(root)).toEqual([expectedProblem]);
	});

	it('reports a script that is not listed, an SBOM of another version, and a missing SBOM', async () => {
		await bundle(root);
		writeProjectFile('dist/more.js', '// node_modules/@else/thing/lib/a.js\nvar a = 1;\n');
		expect(findSbomProblems(root)).toEqual(['@else/thing/lib/a.js is built in and not listed']);
		rmSync(join(root, 'dist/more.js'));
		writeProjectFile('package.json', makeManifest('1.2.4'));
		expect(findSbomProblems(root)).toEqual(['it is about another version']);
		rmSync(join(root, SBOM));
		expect(findSbomProblems(root)).toEqual([`${SBOM} is missing`]);
	});
});
