const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { splitPath } = require('./bundledPackages');

/** SBOM of the bundled third-party packages. */
const SBOM = 'dist/sbom.cdx.json';

const packageUrl = ({ name, version }) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** Returns a license as CycloneDX expects it: one SPDX identifier, or an expression of several. */
function licensesOf({ name, license }) {
	if (typeof license !== 'string' || /^(UNLICENSED|SEE LICENSE)/.test(license)) {
		throw new Error(`${name} is built in, but names no license under which it may be passed on`);
	}
	return /\s/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/** Returns the hash that npm verified the package with when it was installed. */
function hashesOf({ integrity = '' } = {}) {
	return integrity
		.split(' ')
		.filter((text) => text.startsWith('sha512-'))
		.map((text) => ({
			alg: 'SHA-512',
			content: Buffer.from(text.slice('sha512-'.length), 'base64').toString('hex'),
		}));
}

/**
 * Returns the software bill of materials (CycloneDX) of a package. It contains no timestamp and no random number, so that
 * the same sources give the same file.
 */
function createSbom(packages, { manifest, lock, root }) {
	const createComponent = ({ manifest: theirs, folder, files, outputs }) => ({
		type: 'library',
		'bom-ref': packageUrl(theirs),
		name: theirs.name,
		version: theirs.version,
		scope: 'required',
		hashes: hashesOf(lock.packages[folder]),
		licenses: licensesOf(theirs),
		purl: packageUrl(theirs),
		components: files.map((file) => ({
			type: 'file',
			name: file,
			hashes: [{ alg: 'SHA-256', content: sha256(path.join(root, folder, file)) }],
		})),
		evidence: { occurrences: outputs.map((location) => ({ location })) },
	});
	const refs = [...new Set(packages.map(({ manifest: theirs }) => packageUrl(theirs)))];
	return {
		$schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
		bomFormat: 'CycloneDX',
		specVersion: '1.6',
		version: 1,
		metadata: {
			lifecycles: [{ phase: 'build' }],
			component: {
				type: 'library',
				'bom-ref': packageUrl(manifest),
				name: manifest.name,
				version: manifest.version,
				licenses: licensesOf(manifest),
				purl: packageUrl(manifest),
			},
		},
		components: packages.map(createComponent),
		dependencies: [
			{ ref: packageUrl(manifest), dependsOn: refs },
			...packages.map(({ manifest: theirs }) => ({
				ref: packageUrl(theirs),
				dependsOn: packages
					.filter((other) => Object.hasOwn(theirs.dependencies ?? {}, other.manifest.name))
					.map((other) => packageUrl(other.manifest)),
			})),
		],
	};
}

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Returns every third-party file in the shipped scripts: esbuild writes its path in a comment above it. */
function thirdPartyFiles(folder) {
	const scripts = readdirSync(path.join(folder, 'dist'), { recursive: true }).filter((name) =>
		name.endsWith('.js'),
	);
	return scripts.flatMap((name) => {
		const code = readFileSync(path.join(folder, 'dist', name), 'utf8');
		return [...code.matchAll(/^\s*\/\/ (\S*node_modules\/\S+)$/gm)].map(([, file]) =>
			splitPath(file),
		);
	});
}

/**
 * Returns the problems with the SBOM of a packed or built package: it must list every bundled third-party package and file,
 * and nothing else.
 */
function findSbomProblems(folder) {
	if (!existsSync(path.join(folder, SBOM))) return [`${SBOM} is missing`];
	const { bomFormat, specVersion, metadata, components } = JSON.parse(
		readFileSync(path.join(folder, SBOM), 'utf8'),
	);
	const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
	const inCode = thirdPartyFiles(folder).map(
		({ folder: place, inside }) => `${place.split('node_modules/').at(-1)}/${inside}`,
	);
	const inSbom = components.flatMap(({ name, components: files }) =>
		files.map((file) => `${name}/${file.name}`),
	);
	const without = (list, other) => [...new Set(list)].filter((entry) => !other.includes(entry));
	return [
		...(bomFormat === 'CycloneDX' && specVersion === '1.6' ? [] : ['it is not CycloneDX 1.6']),
		...(metadata.component.purl === packageUrl(manifest) ? [] : ['it is about another version']),
		...without(inCode, inSbom).map((file) => `${file} is built in and not listed`),
		...without(inSbom, inCode).map((file) => `${file} is listed and not built in`),
		...components
			.filter(({ licenses, hashes, purl, name, version }) => {
				const complete = licenses?.length > 0 && hashes?.length > 0;
				return !complete || purl !== packageUrl({ name, version });
			})
			.map(({ name }) => `${name} lacks its license, its hash or its right address`),
	];
}

module.exports = { SBOM, findSbomProblems, createSbom };
