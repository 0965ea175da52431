const base = require('./jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...base,
	testEnvironment: 'node',
	testMatch: ['**/*.e2e.ts'],
	globalSetup: '<rootDir>/test/e2e/support/prepare.ts',
	testTimeout: 300_000,
};
