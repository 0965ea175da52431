const { cpSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const services = require('../contracts/services.json');
const { collectImports } = require('./collectImports');

const toKebabCase = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const toClassName = (name) => name[0].toUpperCase() + name.slice(1);

/** The workflow that a single package ships: it imports into n8n and uses only this package's nodes and n8n's own. */
const EXAMPLE = 'example.json';

/** The packages published beside the pack, one per service: the service, the package's name and its folder. */
const singles = Object.entries(services).map(([key, service]) => {
	const name = `n8n-nodes-${toKebabCase(key)}`;
	return { service, name, folder: `packages/${name}` };
});

/** Returns the files of the pack's manifest that n8n loads for one service. */
function selectLoadedFiles({ folder, credential }, { n8n }) {
	const nodesFolder = `dist/nodes/${folder}/`;
	const credentialPrefix = `dist/credentials/${toClassName(credential)}.`;
	return {
		credentials: n8n.credentials.filter((file) => file.startsWith(credentialPrefix)),
		nodes: n8n.nodes.filter((file) => file.startsWith(nodesFolder)),
	};
}

/** Maps a built file that n8n loads to its source. */
const toSourceFile = (file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts');

/** Returns the manifest of a single package: the pack's, restricted to this service. */
function createManifest(root, { service, name, folder }, pack) {
	const loadedFiles = selectLoadedFiles(service, pack);
	const { packages } = collectImports(
		root,
		[...loadedFiles.credentials, ...loadedFiles.nodes].map(toSourceFile),
	);
	const bundledNames = packages.filter((packageName) => packageName in pack.devDependencies);
	return {
		name,
		version: pack.version,
		description: `n8n node and trigger for ${service.title}, one of the services of ${pack.name}`,
		keywords: ['n8n-community-node-package', 'n8n', name.replace('n8n-nodes-', '')],
		license: pack.license,
		homepage: pack.homepage,
		bugs: pack.bugs,
		repository: { ...pack.repository, directory: folder },
		author: pack.author,
		type: pack.type,
		main: pack.main,
		files: ['dist', EXAMPLE],
		engines: pack.engines,
		n8n: { ...pack.n8n, ...loadedFiles },
		peerDependencies: pack.peerDependencies,
		peerDependenciesMeta: pack.peerDependenciesMeta,
		// Bundled, or provided by n8n: a package has no run-time dependencies.
		devDependencies: Object.fromEntries(
			bundledNames.map((packageName) => [packageName, pack.devDependencies[packageName]]),
		),
	};
}

/**
 * Returns the sources of a single package: its credential, the folder of its nodes, and the folders and files of the engine
 * that they use.
 */
function listSources(root, { service }, pack) {
	const loadedFiles = selectLoadedFiles(service, pack);
	const { files } = collectImports(
		root,
		[...loadedFiles.credentials, ...loadedFiles.nodes].map(toSourceFile),
	);
	const sourcePaths = files.map((file) => {
		const [top, folder, subfolder, ...deeperSegments] = file.split('/');
		if (top === 'credentials') return file;
		if (folder !== 'engine') return `${top}/${folder}`;
		return deeperSegments.length > 0 ? `${top}/${folder}/${subfolder}` : file;
	});
	return [...new Set(sourcePaths)].sort();
}

const stringifyManifest = (manifest) => `${JSON.stringify(manifest, null, '\t')}\n`;
const readManifest = (folder) =>
	JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/**
 * Copies the sources of a single package beside its manifest. n8n's scanner lints them there, in the commit that a release
 * was built from; only a release's tag therefore holds them (docs/releasing.md).
 */
function copySources(root, single, pack, folder) {
	for (const folderName of ['nodes', 'credentials']) {
		rmSync(path.join(folder, folderName), { recursive: true, force: true });
	}
	for (const source of listSources(root, single, pack)) {
		cpSync(path.join(root, source), path.join(folder, source), { recursive: true });
	}
}

/** Writes the manifests of the single packages and copies their sources. */
function writeSingles(root) {
	const pack = readManifest(root);
	for (const single of singles) {
		const folder = path.join(root, single.folder);
		copySources(root, single, pack, folder);
		writeFileSync(
			path.join(folder, 'package.json'),
			stringifyManifest(createManifest(root, single, pack)),
		);
	}
}

/** The exact text of n8n's own ESLint configuration: its strict mode compares the file. */
const STRICT_LINT_CONFIG = `import { config } from '@n8n/node-cli/eslint';

export default config;
`;

module.exports = {
	EXAMPLE,
	STRICT_LINT_CONFIG,
	stringifyManifest,
	toClassName,
	copySources,
	createManifest,
	readManifest,
	singles,
	toSourceFile,
	listSources,
	writeSingles,
};
