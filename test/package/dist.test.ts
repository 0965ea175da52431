import 'reflect-metadata';
import { PackageDirectoryLoader } from 'n8n-core';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildApart } from './buildApart';
import { cycloneDxComplaints } from './cycloneDx';

const { SBOM, sbomComplaints } = jest.requireActual<{
	SBOM: string;
	sbomComplaints: (folder: string) => string[];
}>('../../scripts/sbom');

let root: string;
let manifest: { n8n: { nodes: string[]; credentials: string[] } };
let loader: PackageDirectoryLoader;
let remove: () => void;

beforeAll(async () => {
	({ root, remove } = buildApart());
	manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	loader = new PackageDirectoryLoader(root);
	await loader.loadAll();
}, 180_000);
afterAll(() => remove());

it('gives n8n every node and credential that the manifest names', () => {
	expect(Object.keys(loader.nodeTypes)).toHaveLength(manifest.n8n.nodes.length);
	expect(Object.keys(loader.credentialTypes)).toHaveLength(manifest.n8n.credentials.length);
	expect(loader.packageName).toBe('n8n-nodes-gatehouse');
});

it('gives n8n an icon for light and dark of each', () => {
	const types = [
		...Object.values(loader.nodeTypes).map(({ type }) =>
			'description' in type ? type.description : undefined,
		),
		...Object.values(loader.credentialTypes).map(({ type }) => type),
	];
	for (const type of types) {
		const urls = type?.iconUrl as { light: string; dark: string };
		for (const url of [urls.light, urls.dark]) {
			expect(existsSync(join(root, url.replace('icons/n8n-nodes-gatehouse/', '')))).toBe(true);
		}
	}
});

it('gives n8n a codex for each node, so that it is found by the words people use', () => {
	for (const { type } of Object.values(loader.nodeTypes)) {
		const { codex } = 'description' in type ? type.description : {};
		expect(codex?.categories?.length).toBeGreaterThan(0);
		expect(codex?.alias?.length).toBeGreaterThan(3);
		expect(codex?.resources?.primaryDocumentation?.length).toBe(1);
	}
});

it('previews the output of every operation', () => {
	for (const [name, { type }] of Object.entries(loader.nodeTypes)) {
		if (!('execute' in type) || !type.execute) continue;
		const folder = join(
			root,
			'dist/nodes',
			name.charAt(0).toUpperCase() + name.slice(1),
			'__schema__/v1.0.0',
		);
		const selectors = type.description.properties.filter(
			(property) => property.name === 'operation',
		);
		const absent = selectors.flatMap(({ options, displayOptions }) => {
			const resource = `${displayOptions?.show?.resource?.[0]}`;
			return options!
				.map((option) => `${resource}/${'value' in option ? option.value : ''}.json`)
				.filter((file) => !existsSync(join(folder, file)));
		});
		expect({ name, absent }).toEqual({ name, absent: [] });
	}
});

it('requires nothing that a user would have to install', () => {
	const scripts = (folder: string): string[] =>
		readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) return scripts(path);
			return path.endsWith('.js') ? [path] : [];
		});
	const required = scripts(join(root, 'dist')).flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/require\("([^".][^"]*)"\)/g)].map(([, name]) => name),
	);
	expect(
		[...new Set(required)].filter(
			(name) => !/^(n8n-workflow|node:.*|crypto|util|buffer)$/.test(name!),
		),
	).toEqual([]);
});

it('lists in its SBOM what is built in: jose, and nothing else', () => {
	const sbom = JSON.parse(readFileSync(join(root, SBOM), 'utf8'));
	expect(cycloneDxComplaints(sbom)).toEqual([]);
	expect(sbomComplaints(root)).toEqual([]);
	const { version } = JSON.parse(
		readFileSync(join(root, 'node_modules/jose/package.json'), 'utf8'),
	) as { version: string };
	const [jose, ...others] = sbom.components as Array<{ purl: string; components: unknown[] }>;
	expect(others).toEqual([]);
	expect(jose!.purl).toBe(`pkg:npm/jose@${version}`);
	expect(jose!.components.length).toBeGreaterThan(5);
});

it('has the operations that the README tells', () => {
	const check = () =>
		execFileSync(process.execPath, [join(root, 'scripts/readme.js'), '--check'], { stdio: 'pipe' });
	expect(check).not.toThrow();
});
