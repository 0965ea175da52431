const Module = require('node:module');
const path = require('node:path');
const esbuild = require('esbuild');

/** Bundler options for the code that runs in n8n: everything is bundled except n8n's own package. */
const BUNDLE_OPTIONS = {
	bundle: true,
	platform: 'node',
	target: 'node20',
	format: 'cjs',
	external: ['n8n-workflow'],
	legalComments: 'inline',
	// Saves 3 % of a tarball. Names, line breaks and the paths in comments stay: reviewers read this code, and the SBOM is
	// checked against the paths.
	minifySyntax: true,
};

/** Compiles a source file in memory and returns its exports. */
function loadSource(root, file) {
	const { outputFiles } = esbuild.buildSync({
		...BUNDLE_OPTIONS,
		absWorkingDir: root,
		entryPoints: [file],
		write: false,
	});
	const loaded = new Module(path.join(root, file));
	loaded.paths = Module._nodeModulePaths(root);
	loaded._compile(outputFiles[0].text, path.join(root, `${file}.js`));
	return loaded.exports;
}

module.exports = { BUNDLE_OPTIONS, loadSource };
