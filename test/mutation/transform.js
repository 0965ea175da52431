const base = require('../support/transform');
const { copies } = require('./plan');

/** The transform of all tests; a mutated file is replaced with its generated copy. */
module.exports = {
	getCacheKey: (source, path) => base.getCacheKey(copies.get(path) ?? source, path),
	process: (source, path) => base.process(copies.get(path) ?? source, path),
};
