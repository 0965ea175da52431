const base = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	testEnvironment: 'node',
	// The second needs n8n itself for some of its tests, which `npm test` skips where it is not installed.
	testMatch: ['**/*.e2e.ts', '**/test/engine/n8n/*.test.ts'],
	globalSetup: '<rootDir>/test/e2e/support/prepare.ts',
	setupFilesAfterEnv: ['<rootDir>/test/e2e/support/tries.ts'],
	testTimeout: 300_000,
};
