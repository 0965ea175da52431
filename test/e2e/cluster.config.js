const endToEnd = require('./jest.config.js');

/** n8n in queue mode, with Redis, PostgreSQL and workers: too long for every run. */
/** @type {import('jest').Config} */
module.exports = {
	...endToEnd,
	testMatch: ['**/*.cluster.ts'],
	// Far beyond what a busy machine takes: no test depends on its speed.
	testTimeout: 1_800_000,
};
