const { readFile, writeFile } = require('node:fs/promises');
const path = require('node:path');
const esbuild = require('esbuild');
const { bundledPackages } = require('./bundled');
const { NOTICES, noticesOf } = require('./notices');
const { SBOM, sbomOf } = require('./sbom');

/** The pack ships without run-time dependencies, so what a module imports from outside is built into it, and is listed with its license. */
async function bundle(root) {
	const { metafile } = await esbuild.build({
		absWorkingDir: root,
		entryPoints: ['nodes/engine/token/jwt.ts'],
		outdir: 'dist/nodes/engine/token',
		bundle: true,
		platform: 'node',
		target: 'node20',
		format: 'cjs',
		external: ['n8n-workflow'],
		legalComments: 'inline',
		metafile: true,
	});
	const [manifest, lock] = await Promise.all(
		['package.json', 'package-lock.json'].map(async (file) =>
			JSON.parse(await readFile(path.join(root, file), 'utf8')),
		),
	);
	const packages = bundledPackages(metafile, root);
	const sbom = sbomOf(packages, { manifest, lock, root });
	await writeFile(path.join(root, SBOM), `${JSON.stringify(sbom, null, '\t')}\n`);
	await writeFile(path.join(root, NOTICES), noticesOf(packages, root));
}

module.exports = { bundle };
