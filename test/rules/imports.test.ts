import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import services from '../../contracts/services.json';
import { filesBelow, root } from './files';

/** Returns a file's imports: paths relative to the project's root, or names of packages. */
function importsOf(file: string): string[] {
	const source = readFileSync(join(root, file), 'utf8');
	const imports = source.matchAll(/(?:from|import|require\()\s*'([^']+)'/g);
	return [...imports].map(([, name]) =>
		name!.startsWith('.')
			? relative(root, resolve(join(root, dirname(file)), name!))
					.split(sep)
					.join('/')
			: name!,
	);
}

const findViolations = (folder: string, isAllowed: (name: string) => boolean) =>
	filesBelow(folder).flatMap((file) =>
		importsOf(file)
			.filter((name) => !isAllowed(name))
			.map((name) => `${file} imports ${name}`),
	);

it('the engine imports only n8n-workflow, jose, Node.js cryptography and itself', () => {
	const isAllowed = (name: string) =>
		['n8n-workflow', 'jose', 'crypto'].includes(name) || name.startsWith('nodes/engine/');
	expect(findViolations('nodes/engine', isAllowed)).toEqual([]);
});

it('the engine contains no service', () => {
	const titles = Object.values(services).map(({ title }) => title.replace(/[ -]/g, '.?'));
	const names = new RegExp(
		[...titles, 'passwordless', 'scope job', 'approval request'].join('|'),
		'i',
	);
	const filesWithService = filesBelow('nodes/engine').filter((file) =>
		names.test(readFileSync(join(root, file), 'utf8')),
	);
	expect(filesWithService).toEqual([]);
});

/** The parts of the engine in order; each imports only from those before it. */
const layers = [
	'n8n',
	'adviceForAgent',
	'errors',
	'sleep',
	'field',
	'values',
	'watch',
	'http',
	'journal',
	'operation',
	'operationTraits',
	'panel',
	'run',
	'token',
	'trigger/lists/core',
	'quorum',
	'wait',
	'park',
	'review',
	'trigger/common',
	'trigger/ids',
	'trigger/lists',
	'submit',
];
/** Returns the part that a path belongs to: the longest match, or the first segment of a path that has none. */
const layerOf = (path: string) => {
	const inside = path.split('/').slice(2).join('/').replace(/\.ts$/, '');
	const around = layers.filter((layer) => inside === layer || inside.startsWith(`${layer}/`));
	return around.sort((a, b) => b.length - a.length)[0] ?? inside.split('/')[0]!;
};

it('every part of the engine belongs to a layer', () => {
	const layersInUse = filesBelow('nodes/engine').map(layerOf);
	expect([...new Set(layersInUse)].sort()).toEqual([...layers].sort());
});

it('docs/architecture.md lists the layers in this order', () => {
	const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
	const section = page.split('\n## ').find((part) => part.startsWith('Layers of the engine'))!;
	const heads = [...section.matchAll(/^- \*\*(.+?)\*\*:/gm)].map(([, head]) => head!);
	const listedLayers = heads.flatMap((head) =>
		[...head.matchAll(/`([^`]+?)\/?`/g)].map(([, name]) => name),
	);
	expect(listedLayers).toEqual(layers);
});

it.each(layers)('the layer %s imports only from those before it', (layer) => {
	const allowedLayers = layers.slice(0, layers.indexOf(layer) + 1);
	const back = filesBelow('nodes/engine')
		.filter((file) => layerOf(file) === layer)
		.flatMap((file) =>
			importsOf(file)
				.filter((name) => name.startsWith('nodes/') && !allowedLayers.includes(layerOf(name)))
				.map((name) => `${file} imports ${name}`),
		);
	expect(back).toEqual([]);
});

it('the watcher of IDs is pure, and imports nothing else of the engine', () => {
	const isAllowed = (name: string) => !name.startsWith('nodes/') || layerOf(name) === 'watch';
	expect(findViolations('nodes/engine/watch', isAllowed)).toEqual([]);
});

it('no type or class of the triggers has the name of another one in the engine', () => {
	const declared = filesBelow('nodes/engine').flatMap((file) => {
		const source = readFileSync(join(root, file), 'utf8');
		const declarations = source.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm);
		return [...declarations].map(([, name]) => ({ file, name: name! }));
	});
	const duplicates = declared.filter(
		({ file, name }) =>
			file.startsWith('nodes/engine/trigger/') &&
			declared.some((other) => other.name === name && other.file !== file),
	);
	expect(declared.length).toBeGreaterThan(0);
	expect(duplicates).toEqual([]);
});

it('the triggers that follow lists import only the core of those that poll IDs', () => {
	const isAllowed = (name: string) => !name.startsWith('nodes/') || layerOf(name) !== 'trigger/ids';
	expect(findViolations('nodes/engine/trigger/lists', isAllowed)).toEqual([]);
});

it.each([
	['the pack', ['nodes', 'credentials']],
	['sandbox, lab, tests and benchmarks', ['sandbox', 'lab', 'test', 'bench']],
])('in %s no files import each other in a circle, types included', (_, folders) => {
	const files = new Set(folders.flatMap(filesBelow));
	const next = (file: string) =>
		importsOf(file)
			.flatMap((name) => [`${name}.ts`, `${name}/index.ts`])
			.filter((name) => files.has(name));
	const open: string[] = [];
	const visited = new Set<string>();
	const circles: string[] = [];
	const visit = (file: string) => {
		if (open.includes(file)) circles.push([...open.slice(open.indexOf(file)), file].join(' → '));
		if (open.includes(file) || visited.has(file)) return;
		open.push(file);
		next(file).forEach(visit);
		open.pop();
		visited.add(file);
	};
	files.forEach(visit);
	expect(circles).toEqual([]);
});

it.each(Object.values(services))('$folder imports the engine, no other service', ({ folder }) => {
	const isAllowed = (name: string) =>
		['n8n-workflow'].includes(name) ||
		name.startsWith('nodes/engine/') ||
		name.startsWith(`nodes/${folder}/`);
	expect(findViolations(`nodes/${folder}`, isAllowed)).toEqual([]);
});

/**
 * A service's files import in one direction: shared folders (such as `form/`), then files at the service's root, then its
 * resources, then `service.ts`, then its trigger and nodes.
 */
it.each(Object.values(services))('$folder imports neither upward nor sideways', ({ folder }) => {
	const base = `nodes/${folder}/`;
	const resources = new Set(
		importsOf(`${base}service.ts`)
			.filter((name) => existsSync(join(root, name, 'index.ts')))
			.map((name) => name.slice(base.length)),
	);
	expect(resources.size).toBeGreaterThan(2);
	const above = new Set(['service', 'trigger']);
	/** The folder below the service that a file lies in, or the file's own name at the service's root. */
	const placeOf = (path: string) => path.slice(base.length).split('/')[0]!.replace(/\.ts$/, '');
	const isAllowed = (file: string, name: string) => {
		const [from, to] = [placeOf(file), placeOf(name)];
		const isTop = above.has(from) || from.endsWith('.node');
		if (from === to || isTop) return true;
		if (resources.has(from)) return !resources.has(to) && !above.has(to);
		const isFolder = file.slice(base.length).includes('/');
		return isFolder ? false : !resources.has(to) && to !== 'trigger';
	};
	const wrong = filesBelow(`nodes/${folder}`).flatMap((file) =>
		importsOf(file)
			.filter((name) => name.startsWith(base) && !isAllowed(file, name))
			.map((name) => `${file} imports ${name}`),
	);
	expect(wrong).toEqual([]);
});

it('every file of the pack is imported by another one, or loaded by n8n', () => {
	const files = ['nodes', 'credentials'].flatMap(filesBelow);
	const importedFiles = new Set(files.flatMap(importsOf));
	const unusedFiles = files
		.filter((file) => !/\.(node|credentials)\.ts$/.test(file))
		.map((file) => file.replace(/(\/index)?\.ts$/, ''))
		.filter((name) => !importedFiles.has(name));
	expect(unusedFiles).toEqual([]);
});

it('credentials import only the engine', () => {
	const isAllowed = (name: string) => name === 'n8n-workflow' || name.startsWith('nodes/engine/');
	expect(findViolations('credentials', isAllowed)).toEqual([]);
});

it('the sandbox imports nothing of the nodes', () => {
	const forbidden = /^(nodes|credentials|test|lab|bench)\/|^n8n-/;
	expect(findViolations('sandbox', (name) => !forbidden.test(name))).toEqual([]);
});

/** Tests and benchmarks share code through `lab/`: outside of Jest, its globals are missing. */
it.each([
	['bench', 'test'],
	['lab', 'test|bench'],
])('%s/ imports nothing from %s', (folder, forbidden) => {
	// Searches for the path alone: bench/listComparisonProcess.ts passes paths to a function that imports them.
	const paths = new RegExp(`'(?:\\.\\./)+(?:${forbidden})/[^']*'`, 'g');
	const forbiddenImports = filesBelow(folder).flatMap((file) =>
		[...readFileSync(join(root, file), 'utf8').matchAll(paths)].map(
			([path]) => `${file} names ${path}`,
		),
	);
	expect(forbiddenImports).toEqual([]);
});

it('no source file is longer than 300 lines', () => {
	const long = ['nodes', 'credentials', 'sandbox', 'test'].flatMap(filesBelow).filter((file) => {
		const lines = readFileSync(join(root, file), 'utf8').split('\n').length;
		return lines > 301;
	});
	expect(long).toEqual([]);
});
