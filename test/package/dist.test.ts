// Protects people who install a package: n8n loads all its nodes with icons and previews, and they need no other module.
import 'reflect-metadata';
import { loadOutputSchema, PackageDirectoryLoader } from 'n8n-core';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildApart } from './buildApart';
import { findCycloneDxProblems } from './cycloneDx';

const { SBOM, findSbomProblems } = jest.requireActual<{
	SBOM: string;
	findSbomProblems: (folder: string) => string[];
}>('../../scripts/sbom');

const { singles } = jest.requireActual<{ singles: Array<{ name: string; folder: string }> }>(
	'../../scripts/singlePackages',
);
const pack = { name: 'n8n-nodes-gatehouse', folder: '.' };

interface LoadedPackage {
	folder: string;
	manifest: { n8n: { nodes: string[]; credentials: string[] } };
	loader: PackageDirectoryLoader;
}

let root: string;
let remove: () => void;
const loadedPackages = new Map<string, LoadedPackage>();

beforeAll(async () => {
	({ root, remove } = buildApart());
	for (const { name, folder } of [pack, ...singles]) {
		const packageFolder = join(root, folder);
		const loader = new PackageDirectoryLoader(packageFolder);
		await loader.loadAll();
		const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
		loadedPackages.set(name, { folder: packageFolder, manifest, loader });
	}
}, 180_000);
afterAll(() => remove());

describe.each([pack.name, ...singles.map(({ name }) => name)])('%s', (name) => {
	it('contains every node and credential of its manifest', () => {
		const { loader, manifest } = loadedPackages.get(name)!;
		expect(Object.keys(loader.nodeTypes)).toHaveLength(manifest.n8n.nodes.length);
		expect(Object.keys(loader.credentialTypes)).toHaveLength(manifest.n8n.credentials.length);
		expect(loader.packageName).toBe(name);
	});

	it('contains a light and a dark icon for each node and credential', () => {
		const { loader, folder } = loadedPackages.get(name)!;
		const types = [
			...Object.values(loader.nodeTypes).map(({ type }) =>
				'description' in type ? type.description : undefined,
			),
			...Object.values(loader.credentialTypes).map(({ type }) => type),
		];
		for (const type of types) {
			const urls = type?.iconUrl as { light: string; dark: string };
			for (const url of [urls.light, urls.dark]) {
				expect(existsSync(join(folder, url.replace(`icons/${name}/`, '')))).toBe(true);
			}
		}
	});

	it('contains a codex file with search terms for each node', () => {
		for (const { type } of Object.values(loadedPackages.get(name)!.loader.nodeTypes)) {
			const { codex } = 'description' in type ? type.description : {};
			expect(codex?.categories?.length).toBeGreaterThan(0);
			expect(codex?.alias?.length).toBeGreaterThan(3);
		}
	});

	it('contains an output preview for every operation', () => {
		const { loader, folder } = loadedPackages.get(name)!;
		for (const [node, { type }] of Object.entries(loader.nodeTypes)) {
			if (!('execute' in type) || !type.execute) continue;
			const nodeClass = node.charAt(0).toUpperCase() + node.slice(1);
			const schemaFolder = join(folder, 'dist/nodes', nodeClass, '__schema__/v1.0.0');
			const selectors = type.description.properties.filter(
				(property) => property.name === 'operation',
			);
			const missingPreviews = selectors.flatMap(({ options, displayOptions }) => {
				const resource = `${displayOptions?.show?.resource?.[0]}`;
				return options!
					.map((option) => `${resource}/${'value' in option ? option.value : ''}.json`)
					.filter((file) => !existsSync(join(schemaFolder, file)));
			});
			expect({ node, missingPreviews }).toEqual({ node, missingPreviews: [] });
		}
	});

	it('requires no module that a user would have to install', () => {
		const requiredModules = listScripts(join(loadedPackages.get(name)!.folder, 'dist')).flatMap(
			(file) =>
				[...readFileSync(file, 'utf8').matchAll(/require\("([^".][^"]*)"\)/g)].map(
					([, moduleName]) => moduleName,
				),
		);
		expect(
			[...new Set(requiredModules)].filter(
				(moduleName) => !/^(n8n-workflow|node:.*|crypto|util|buffer)$/.test(moduleName!),
			),
		).toEqual([]);
	});

	it('contains no link to the placeholder address of the project', () => {
		const { loader, folder } = loadedPackages.get(name)!;
		const types = [loader.nodeTypes, loader.credentialTypes].flatMap(Object.values);
		expect(JSON.stringify(types)).not.toContain('gatehouse.example');
		expect(readFileSync(join(folder, 'dist/bundle.js'), 'utf8')).not.toContain('gatehouse.example');
	});

	it('contains a valid SBOM that lists its bundled packages', () => {
		const { folder } = loadedPackages.get(name)!;
		expect(findCycloneDxProblems(JSON.parse(readFileSync(join(folder, SBOM), 'utf8')))).toEqual([]);
		expect(findSbomProblems(folder)).toEqual([]);
	});
});

/** Lists the JavaScript files below a folder. */
const listScripts = (folder: string): string[] =>
	readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return listScripts(path);
		return path.endsWith('.js') ? [path] : [];
	});

it.each(singles)('$name describes its nodes and its credential as the pack does', ({ name }) => {
	const [single, whole] = [name, pack.name].map(
		(packageName) => loadedPackages.get(packageName)!.loader,
	);
	const serialize = (type: object) =>
		JSON.stringify(type).replaceAll(`icons/${name}/`, `icons/${pack.name}/`);
	for (const kind of ['nodeTypes', 'credentialTypes'] as const) {
		for (const [key, { type }] of Object.entries(single![kind])) {
			expect(serialize(type)).toBe(serialize(whole![kind][key]!.type));
		}
	}
});

it.each(singles)(
	'$name contains only its own service, and only the parts of the engine that it uses',
	({ name }) => {
		const { folder: packageFolder, manifest } = loadedPackages.get(name)!;
		const code = readFileSync(join(packageFolder, 'dist/bundle.js'), 'utf8');
		const sourceFolders = [...code.matchAll(/^\/\/ nodes\/(\w+)\/(\w+)/gm)];
		const folders = new Set(sourceFolders.map(([, folder]) => folder));
		expect(folders).toEqual(new Set(['engine', manifest.n8n.nodes[0]!.split('/')[2]]));
		const engineParts = sourceFolders
			.filter(([, folder]) => folder === 'engine')
			.map(([, , enginePart]) => enginePart!);
		expect(engineParts.includes('token')).toBe(name.includes('identity'));
		expect(code.includes('\n// nodes/engine/trigger/lists/')).toBe(name.includes('event'));
		expect(code.includes('\n// nodes/engine/trigger/ids/webhook/')).toBe(!name.includes('event'));
		expect(engineParts.includes('review')).toBe(name.includes('factor'));
		expect(code.includes('node_modules')).toBe(name.includes('identity'));
	},
);

it('the pack contains output previews for the triggers of lists', () => {
	for (const folder of ['EventData', 'EventRegistration']) {
		const nodeDir = join(root, 'dist/nodes', folder);
		const schema = loadOutputSchema({ nodeDir, version: 1, versionFallback: true });
		expect(schema).toMatchObject({ properties: { change: { type: 'string' } } });
	}
});

it('the pack bundles jose, and nothing else', () => {
	const sbom = JSON.parse(readFileSync(join(root, SBOM), 'utf8'));
	const { version } = JSON.parse(
		readFileSync(join(root, 'node_modules/jose/package.json'), 'utf8'),
	) as { version: string };
	const [jose, ...others] = sbom.components as Array<{ purl: string; components: unknown[] }>;
	expect(others).toEqual([]);
	expect(jose!.purl).toBe(`pkg:npm/jose@${version}`);
	expect(jose!.components.length).toBeGreaterThan(5);
});

it('the README lists the operations of the pack', () => {
	const checkReadme = () =>
		execFileSync(process.execPath, [join(root, 'scripts/readme.js'), '--check'], { stdio: 'pipe' });
	expect(checkReadme).not.toThrow();
});
