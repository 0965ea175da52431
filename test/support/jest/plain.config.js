const { runtime: _ours, ...usual } = require('../../../jest.config.js');

/**
 * The tests of `npm test` in Jest's own environment and module loader: a control for environment.js and runtime.js, so that
 * no test passes only because of what they share. It takes far longer, since every file loads n8n's engine again.
 */
/** @type {import('jest').Config} */
module.exports = {
	...usual,
	rootDir: '../../..',
	testEnvironment: 'node',
	// Memory of a realm is not always freed when its file ends.
	workerIdleMemoryLimit: '2GB',
};
