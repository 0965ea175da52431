const { cpSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const services = require('../contracts/services.json');
const { collectImports } = require('./collectImports');

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const className = (name) => name[0].toUpperCase() + name.slice(1);

/** The workflow that a single package ships: it imports into n8n and uses only this package's nodes and n8n's own. */
const EXAMPLE = 'example.json';

/** The packages published beside the pack, one per service: the service, the package's name and its folder. */
const singles = Object.entries(services).map(([key, service]) => {
	const name = `n8n-nodes-${kebab(key)}`;
	return { service, name, folder: `packages/${name}` };
});

/** Returns the files of the pack's manifest that n8n loads for one service. */
function loadedOf({ folder, credential }, { n8n }) {
	const ofNodes = `dist/nodes/${folder}/`;
	const ofCredential = `dist/credentials/${className(credential)}.`;
	return {
		credentials: n8n.credentials.filter((file) => file.startsWith(ofCredential)),
		nodes: n8n.nodes.filter((file) => file.startsWith(ofNodes)),
	};
}

/** Maps a built file that n8n loads to its source. */
const sourceOf = (file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts');

/** Returns the manifest of a single package: the pack's, restricted to this service. */
function manifestOf(root, { service, name, folder }, pack) {
	const loaded = loadedOf(service, pack);
	const { packages } = collectImports(root, [...loaded.credentials, ...loaded.nodes].map(sourceOf));
	const builtIn = packages.filter((theirs) => theirs in pack.devDependencies);
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
		n8n: { ...pack.n8n, ...loaded },
		peerDependencies: pack.peerDependencies,
		peerDependenciesMeta: pack.peerDependenciesMeta,
		// Bundled, or provided by n8n: a package has no run-time dependencies.
		devDependencies: Object.fromEntries(
			builtIn.map((theirs) => [theirs, pack.devDependencies[theirs]]),
		),
	};
}

/**
 * Returns the sources of a single package: its credential, the folder of its nodes, and the folders and files of the engine
 * that they use.
 */
function sourcesOf(root, { service }, pack) {
	const loaded = loadedOf(service, pack);
	const { files } = collectImports(root, [...loaded.credentials, ...loaded.nodes].map(sourceOf));
	const parts = files.map((file) => {
		const [top, folder, room, ...rest] = file.split('/');
		if (top === 'credentials') return file;
		if (folder !== 'engine') return `${top}/${folder}`;
		return rest.length > 0 ? `${top}/${folder}/${room}` : file;
	});
	return [...new Set(parts)].sort();
}

const asText = (manifest) => `${JSON.stringify(manifest, null, '\t')}\n`;
const readManifest = (folder) =>
	JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/**
 * Copies the sources of a single package beside its manifest. n8n's scanner lints them there, in the commit that a release
 * was built from; only a release's tag therefore holds them (docs/releasing.md).
 */
function copySources(root, single, pack, folder) {
	for (const place of ['nodes', 'credentials']) {
		rmSync(path.join(folder, place), { recursive: true, force: true });
	}
	for (const source of sourcesOf(root, single, pack)) {
		cpSync(path.join(root, source), path.join(folder, source), { recursive: true });
	}
}

/** Writes the manifests of the single packages and copies their sources. */
function writeSingles(root) {
	const pack = readManifest(root);
	for (const single of singles) {
		const folder = path.join(root, single.folder);
		copySources(root, single, pack, folder);
		writeFileSync(path.join(folder, 'package.json'), asText(manifestOf(root, single, pack)));
	}
}

/** The exact text of n8n's own ESLint configuration: its strict mode compares the file. */
const STRICT_LINT = `import { config } from '@n8n/node-cli/eslint';

export default config;
`;

module.exports = {
	EXAMPLE,
	STRICT_LINT,
	asText,
	className,
	copySources,
	manifestOf,
	readManifest,
	singles,
	sourceOf,
	sourcesOf,
	writeSingles,
};
