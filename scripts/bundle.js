const { mkdir, readFile, writeFile } = require('node:fs/promises');
const path = require('node:path');
const esbuild = require('esbuild');
const { listBundledPackages } = require('./bundledPackages');
const { createLinkPlugin } = require('./documentationLinks');
const { NOTICES, createNotices } = require('./notices');
const { readManifest, toSourceFile } = require('./singlePackages');
const { SBOM, createSbom } = require('./sbom');
const { BUNDLE_OPTIONS } = require('./loadSource');

/** All code of a package. Loading one file is several times faster than loading hundreds. */
const BUNDLE_FILE = 'dist/bundle.js';

/**
 * Writes the code of a package (the pack or a single package), its SBOM and its third-party notices. n8n loads the files
 * that the manifest names and takes the class named like the file; these files only re-export from the bundle.
 */
async function bundle(root, folder = root) {
	const manifest = readManifest(folder);
	const entryFiles = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	const { metafile } = await esbuild.build({
		...BUNDLE_OPTIONS,
		absWorkingDir: root,
		stdin: {
			contents: entryFiles.map((file) => `export * from './${toSourceFile(file)}';`).join('\n'),
			resolveDir: root,
		},
		outfile: path.join(folder, BUNDLE_FILE),
		plugins: [createLinkPlugin(manifest)],
		metafile: true,
	});
	await Promise.all(
		entryFiles.map((file) =>
			writeEntryFile(path.join(folder, file), path.join(folder, BUNDLE_FILE)),
		),
	);
	const packages = listBundledPackages(metafile, root).map((bundled) => ({
		...bundled,
		outputs: [BUNDLE_FILE],
	}));
	const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
	const sbom = createSbom(packages, { manifest, lock, root });
	await writeFile(path.join(folder, SBOM), `${JSON.stringify(sbom, null, '\t')}\n`);
	await writeFile(path.join(folder, NOTICES), createNotices(packages, root));
}

async function writeEntryFile(file, bundleFile) {
	const className = path.basename(file).split('.')[0];
	await mkdir(path.dirname(file), { recursive: true });
	const requirePath = path.relative(path.dirname(file), bundleFile).replaceAll(path.sep, '/');
	await writeFile(file, `exports.${className} = require('${requirePath}').${className};\n`);
}

module.exports = { BUNDLE_FILE, bundle };
