const Module = require('node:module');
const path = require('node:path');
const esbuild = require('esbuild');

/** How our sources become what runs in n8n: with everything built in but n8n's own package. */
const BUNDLING = {
	bundle: true,
	platform: 'node',
	target: 'node20',
	format: 'cjs',
	external: ['n8n-workflow'],
	legalComments: 'inline',
};

/** What a source file exports, without a build. */
function loadSource(root, file) {
	const { outputFiles } = esbuild.buildSync({
		...BUNDLING,
		absWorkingDir: root,
		entryPoints: [file],
		write: false,
	});
	const loaded = new Module(path.join(root, file));
	loaded.paths = Module._nodeModulePaths(root);
	loaded._compile(outputFiles[0].text, path.join(root, `${file}.js`));
	return loaded.exports;
}

module.exports = { BUNDLING, loadSource };
