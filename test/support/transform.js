// Jest's transform for TypeScript and for the ESM-only packages among our dependencies. It uses esbuild, as the build does.
const { createHash } = require('node:crypto');
const esbuild = require('esbuild');

const options = { format: 'cjs', target: 'node20', sourcemap: 'inline' };

module.exports = {
	getCacheKey: (source, path) =>
		createHash('sha256')
			.update(esbuild.version)
			.update(JSON.stringify(options))
			.update(path)
			.update(source)
			.digest('hex'),
	process: (source, path) =>
		esbuild.transformSync(source, {
			...options,
			sourcefile: path,
			loader: path.endsWith('.ts') ? 'ts' : 'js',
		}),
};
