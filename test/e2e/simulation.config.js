const endToEnd = require('./jest.config.js');

/** All short histories with a real n8n, which the simulated n8n must equal: too long for every run. */
/** @type {import('jest').Config} */
module.exports = {
	...endToEnd,
	testMatch: ['**/*.truth.ts'],
	testTimeout: 600_000,
};
