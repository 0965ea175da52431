const { copyFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { writeAssets } = require('./writeAssets');
const { bundle } = require('./bundle');
const { createReadme } = require('./packageReadme');
const { readManifest, singles, writeSingles } = require('./singlePackages');
const { writeSchemas } = require('./schemas');

/** Builds one package from the sources below `root` and writes its code, icons, codex and schemas into its folder. */
async function buildInto(root, folder) {
	const manifest = readManifest(folder);
	await rm(path.join(folder, 'dist'), { recursive: true, force: true });
	await bundle(root, folder);
	await writeAssets(root, folder, manifest);
	await writeSchemas(root, folder, manifest);
}

/** Builds the single packages from the pack's sources. */
async function buildSingles(root) {
	const pack = readManifest(root);
	writeSingles(root);
	for (const single of singles) {
		const folder = path.join(root, single.folder);
		await buildInto(root, folder);
		for (const file of ['LICENSE', pack.main]) {
			await copyFile(path.join(root, file), path.join(folder, file));
		}
		await writeFile(path.join(folder, 'README.md'), createReadme(root, single, pack));
	}
}

module.exports = { buildInto, buildSingles };
