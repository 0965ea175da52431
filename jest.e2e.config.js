const base = require('./jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...base,
	testMatch: ['**/*.e2e.ts'],
	testTimeout: 300_000,
};
