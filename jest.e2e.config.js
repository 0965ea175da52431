const base = require('./jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...base,
	testEnvironment: 'node',
	testMatch: ['**/*.e2e.ts'],
	globalSetup: '<rootDir>/test/e2e/support/prepare.ts',
	setupFilesAfterEnv: ['<rootDir>/test/e2e/support/tries.ts'],
	testTimeout: 300_000,
};
