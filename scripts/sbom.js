const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { splitPackagePath } = require('./bundledPackages');

/** SBOM of the bundled third-party packages. */
const SBOM = 'dist/sbom.cdx.json';

const createPackageUrl = ({ name, version }) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** Returns a license as CycloneDX expects it: one SPDX identifier, or an expression of several. */
function toLicenses({ name, license }) {
	if (typeof license !== 'string' || /^(UNLICENSED|SEE LICENSE)/.test(license)) {
		throw new Error(`${name} is built in, but names no license under which it may be passed on`);
	}
	return /\s/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/** Returns the hash that npm verified the package with when it was installed. */
function toHashes({ integrity = '' } = {}) {
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
	const createComponent = ({ manifest: bundledManifest, folder, files, outputs }) => ({
		type: 'library',
		'bom-ref': createPackageUrl(bundledManifest),
		name: bundledManifest.name,
		version: bundledManifest.version,
		scope: 'required',
		hashes: toHashes(lock.packages[folder]),
		licenses: toLicenses(bundledManifest),
		purl: createPackageUrl(bundledManifest),
		components: files.map((file) => ({
			type: 'file',
			name: file,
			hashes: [{ alg: 'SHA-256', content: hashFile(path.join(root, folder, file)) }],
		})),
		evidence: { occurrences: outputs.map((location) => ({ location })) },
	});
	const refs = [
		...new Set(packages.map(({ manifest: bundledManifest }) => createPackageUrl(bundledManifest))),
	];
	return {
		$schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
		bomFormat: 'CycloneDX',
		specVersion: '1.6',
		version: 1,
		metadata: {
			lifecycles: [{ phase: 'build' }],
			component: {
				type: 'library',
				'bom-ref': createPackageUrl(manifest),
				name: manifest.name,
				version: manifest.version,
				licenses: toLicenses(manifest),
				purl: createPackageUrl(manifest),
			},
		},
		components: packages.map(createComponent),
		dependencies: [
			{ ref: createPackageUrl(manifest), dependsOn: refs },
			...packages.map(({ manifest: bundledManifest }) => ({
				ref: createPackageUrl(bundledManifest),
				dependsOn: packages
					.filter((other) => Object.hasOwn(bundledManifest.dependencies ?? {}, other.manifest.name))
					.map((other) => createPackageUrl(other.manifest)),
			})),
		],
	};
}

const hashFile = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Returns every third-party file in the shipped scripts: esbuild writes its path in a comment above it. */
function listThirdPartyFiles(folder) {
	const scripts = readdirSync(path.join(folder, 'dist'), { recursive: true }).filter((name) =>
		name.endsWith('.js'),
	);
	return scripts.flatMap((name) => {
		const code = readFileSync(path.join(folder, 'dist', name), 'utf8');
		return [...code.matchAll(/^\s*\/\/ (\S*node_modules\/\S+)$/gm)].map(([, file]) =>
			splitPackagePath(file),
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
	const bundledFiles = listThirdPartyFiles(folder).map(
		({ folder: packageFolder, pathInside }) =>
			`${packageFolder.split('node_modules/').at(-1)}/${pathInside}`,
	);
	const listedFiles = components.flatMap(({ name, components: files }) =>
		files.map((file) => `${name}/${file.name}`),
	);
	const exclude = (files, excludedFiles) =>
		[...new Set(files)].filter((file) => !excludedFiles.includes(file));
	return [
		...(bomFormat === 'CycloneDX' && specVersion === '1.6' ? [] : ['it is not CycloneDX 1.6']),
		...(metadata.component.purl === createPackageUrl(manifest)
			? []
			: ['it is about another version']),
		...exclude(bundledFiles, listedFiles).map((file) => `${file} is built in and not listed`),
		...exclude(listedFiles, bundledFiles).map((file) => `${file} is listed and not built in`),
		...components
			.filter(({ licenses, hashes, purl, name, version }) => {
				const isComplete = licenses?.length > 0 && hashes?.length > 0;
				return !isComplete || purl !== createPackageUrl({ name, version });
			})
			.map(({ name }) => `${name} lacks its license, its hash or its right address`),
	];
}

module.exports = { SBOM, findSbomProblems, createSbom };
