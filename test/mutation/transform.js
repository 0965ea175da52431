const base = require('../support/transform');
const { copies } = require('./plan');

/** The transform of all tests; of a file that is mutated it takes the copy with the mutants. */
module.exports = {
	getCacheKey: (source, path) => base.getCacheKey(copies.get(path) ?? source, path),
	process: (source, path) => base.process(copies.get(path) ?? source, path),
};
