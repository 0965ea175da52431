// Protects the layers of the code: the engine knows no service, imports have one direction, no file is unused or too long.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import services from '../../contracts/services.json';
import { typeScriptFilesBelow, root } from './files';

/** Returns a file's imports: paths relative to the project's root, or names of packages. */
function readImports(file: string): string[] {
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

/** Lists the imports of a folder that are not allowed. */
const findViolations = (folder: string, isAllowed: (name: string) => boolean) =>
	typeScriptFilesBelow(folder).flatMap((file) =>
		readImports(file)
			.filter((name) => !isAllowed(name))
			.map((name) => `${file} imports ${name}`),
	);

it('the engine imports only n8n-workflow, jose, Node.js cryptography and itself', () => {
	const isAllowed = (name: string) =>
		['n8n-workflow', 'jose', 'crypto'].includes(name) || name.startsWith('nodes/engine/');
	expect(findViolations('nodes/engine', isAllowed)).toEqual([]);
});

it('the engine contains no name of a service', () => {
	const titles = Object.values(services).map(({ title }) => title.replace(/[ -]/g, '.?'));
	const names = new RegExp(
		[...titles, 'passwordless', 'scope job', 'approval request'].join('|'),
		'i',
	);
	const filesWithService = typeScriptFilesBelow('nodes/engine').filter((file) =>
		names.test(readFileSync(join(root, file), 'utf8')),
	);
	expect(filesWithService).toEqual([]);
});

/** The parts of the engine in order; each imports only from those before it. */
const layers = [
	'n8n',
	'adviceForAgent',
	'encodedSecrets',
	'errors',
	'sleep',
	'retryDelay',
	'sharedReads',
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
const findLayer = (path: string) => {
	const pathInEngine = path.split('/').slice(2).join('/').replace(/\.ts$/, '');
	const enclosingLayers = layers.filter(
		(layer) => pathInEngine === layer || pathInEngine.startsWith(`${layer}/`),
	);
	return enclosingLayers.sort((a, b) => b.length - a.length)[0] ?? pathInEngine.split('/')[0]!;
};

it('every part of the engine belongs to a layer', () => {
	const layersInUse = typeScriptFilesBelow('nodes/engine').map(findLayer);
	expect([...new Set(layersInUse)].sort()).toEqual([...layers].sort());
});

it('docs/architecture.md lists the layers in the order of this test', () => {
	const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
	const section = page.split('\n## ').find((part) => part.startsWith('Layers of the engine'))!;
	const headings = [...section.matchAll(/^- \*\*(.+?)\*\*:/gm)].map(([, heading]) => heading!);
	const listedLayers = headings.flatMap((heading) =>
		[...heading.matchAll(/`([^`]+?)\/?`/g)].map(([, name]) => name),
	);
	expect(listedLayers).toEqual(layers);
});

it.each(layers)('the layer %s imports only from itself and the layers before it', (layer) => {
	const allowedLayers = layers.slice(0, layers.indexOf(layer) + 1);
	const violations = typeScriptFilesBelow('nodes/engine')
		.filter((file) => findLayer(file) === layer)
		.flatMap((file) =>
			readImports(file)
				.filter((name) => name.startsWith('nodes/') && !allowedLayers.includes(findLayer(name)))
				.map((name) => `${file} imports ${name}`),
		);
	expect(violations).toEqual([]);
});

it('the watcher of IDs is pure, and imports only retry delays from the rest of the engine', () => {
	const isAllowed = (name: string) =>
		!name.startsWith('nodes/') || ['watch', 'retryDelay'].includes(findLayer(name));
	expect(findViolations('nodes/engine/watch', isAllowed)).toEqual([]);
});

it('no type or class of the triggers has the name of another type or class in the engine', () => {
	const declarations = typeScriptFilesBelow('nodes/engine').flatMap((file) => {
		const source = readFileSync(join(root, file), 'utf8');
		const matches = source.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm);
		return [...matches].map(([, name]) => ({ file, name: name! }));
	});
	const duplicates = declarations.filter(
		({ file, name }) =>
			file.startsWith('nodes/engine/trigger/') &&
			declarations.some((other) => other.name === name && other.file !== file),
	);
	expect(declarations.length).toBeGreaterThan(0);
	expect(duplicates).toEqual([]);
});

it('the triggers that follow lists import nothing from the triggers that watch IDs', () => {
	const isAllowed = (name: string) =>
		!name.startsWith('nodes/') || findLayer(name) !== 'trigger/ids';
	expect(findViolations('nodes/engine/trigger/lists', isAllowed)).toEqual([]);
});

it.each([
	['the pack', ['nodes', 'credentials']],
	['sandbox, lab, tests and benchmarks', ['sandbox', 'lab', 'test', 'bench']],
])('in %s no files import each other in a cycle, types included', (_, folders) => {
	const files = new Set(folders.flatMap(typeScriptFilesBelow));
	const findImportedFiles = (file: string) =>
		readImports(file)
			.flatMap((name) => [`${name}.ts`, `${name}/index.ts`])
			.filter((name) => files.has(name));
	const currentPath: string[] = [];
	const visited = new Set<string>();
	const cycles: string[] = [];
	const visit = (file: string) => {
		if (currentPath.includes(file))
			cycles.push([...currentPath.slice(currentPath.indexOf(file)), file].join(' → '));
		if (currentPath.includes(file) || visited.has(file)) return;
		currentPath.push(file);
		findImportedFiles(file).forEach(visit);
		currentPath.pop();
		visited.add(file);
	};
	files.forEach(visit);
	expect(cycles).toEqual([]);
});

it.each(Object.values(services))(
	'$folder imports the engine, and no other service',
	({ folder }) => {
		const isAllowed = (name: string) =>
			['n8n-workflow'].includes(name) ||
			name.startsWith('nodes/engine/') ||
			name.startsWith(`nodes/${folder}/`);
		expect(findViolations(`nodes/${folder}`, isAllowed)).toEqual([]);
	},
);

/**
 * A service's files import in one direction: folders that files at the service's root import (such as `form/`), then these
 * files, then folders that import them (such as `reports/`), then its resources, then `service.ts`, then its trigger and
 * nodes.
 */
it.each(Object.values(services))(
	'the files of $folder import only in the direction of its layers',
	({ folder }) => {
		const base = `nodes/${folder}/`;
		const resources = new Set(
			readImports(`${base}service.ts`)
				.filter((name) => existsSync(join(root, name, 'index.ts')))
				.map((name) => name.slice(base.length)),
		);
		expect(resources.size).toBeGreaterThan(2);
		const topFiles = new Set(['service', 'trigger']);
		/** Returns the folder of a file below the service, or the name of a file at the service's root. */
		const findPlace = (path: string) => path.slice(base.length).split('/')[0]!.replace(/\.ts$/, '');
		const isInFolder = (path: string) => path.slice(base.length).includes('/');
		const foldersBelowRoot = new Set(
			typeScriptFilesBelow(`nodes/${folder}`)
				.filter((file) => !isInFolder(file) && !file.includes('.node.'))
				.filter((file) => findPlace(file) !== 'service')
				.flatMap(readImports)
				.filter((name) => name.startsWith(base) && isInFolder(name))
				.map(findPlace),
		);
		const isAllowed = (file: string, name: string) => {
			const [from, to] = [findPlace(file), findPlace(name)];
			const isTop = topFiles.has(from) || from.endsWith('.node');
			if (from === to || isTop) return true;
			if (resources.has(from)) return !resources.has(to) && !topFiles.has(to);
			if (foldersBelowRoot.has(from)) return false;
			return !resources.has(to) && to !== 'trigger' && (!isInFolder(file) || !topFiles.has(to));
		};
		const wrongImports = typeScriptFilesBelow(`nodes/${folder}`).flatMap((file) =>
			readImports(file)
				.filter((name) => name.startsWith(base) && !isAllowed(file, name))
				.map((name) => `${file} imports ${name}`),
		);
		expect(wrongImports).toEqual([]);
	},
);

it('every file of the pack is imported by another file or loaded by n8n', () => {
	const files = ['nodes', 'credentials'].flatMap(typeScriptFilesBelow);
	const importedFiles = new Set(files.flatMap(readImports));
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

it('the sandbox imports nothing from nodes, tests, lab and n8n', () => {
	const forbidden = /^(nodes|credentials|test|lab|bench)\/|^n8n-/;
	expect(findViolations('sandbox', (name) => !forbidden.test(name))).toEqual([]);
});

it("the simulator's checker imports only histories and itself", () => {
	const isAllowed = (name: string) =>
		name === 'test/simulation/history' || name.startsWith('test/simulation/checker/');
	expect(typeScriptFilesBelow('test/simulation/checker').length).toBeGreaterThan(0);
	expect(findViolations('test/simulation/checker', isAllowed)).toEqual([]);
});

/** Tests and benchmarks share code through `lab/`: outside of Jest, its globals are missing. */
it.each([
	['bench', 'test'],
	['lab', 'test|bench'],
])('%s/ imports nothing from %s', (folder, forbidden) => {
	// Searches for the path alone: bench/listComparisonProcess.ts passes paths to a function that imports them.
	const paths = new RegExp(`'(?:\\.\\./)+(?:${forbidden})/[^']*'`, 'g');
	const forbiddenImports = typeScriptFilesBelow(folder).flatMap((file) =>
		[...readFileSync(join(root, file), 'utf8').matchAll(paths)].map(
			([path]) => `${file} names ${path}`,
		),
	);
	expect(forbiddenImports).toEqual([]);
});

it('no source file is longer than 300 lines', () => {
	const longFiles = ['nodes', 'credentials', 'sandbox', 'test']
		.flatMap(typeScriptFilesBelow)
		.filter((file) => {
			// The text after the last line break counts as a line.
			const lines = readFileSync(join(root, file), 'utf8').split('\n').length;
			return lines > 301;
		});
	expect(longFiles).toEqual([]);
});
