const base = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	testEnvironment: 'node',
	// The second needs n8n itself for some of its tests, which `npm test` skips where it is not installed.
	testMatch: ['**/*.e2e.ts', '**/test/engine/n8n/*.test.ts'],
	globalSetup: '<rootDir>/test/e2e/support/prepare.ts',
	reporters: ['default', '<rootDir>/test/support/jest/secondTries.js'],
	setupFilesAfterEnv: ['<rootDir>/test/e2e/support/tries.ts'],
	testTimeout: 300_000,
	// A setup that fails halfway may leave an n8n or a Chromium running, and Jest would wait for it.
	forceExit: true,
	// Each file has an n8n with a folder and ports of its own. n8n, Chromium and the test take more than one core at times.
	maxWorkers: 2,
};
