const base = require('../../jest.config.js');

// `npm run mutation` plants small mistakes in the files that plan.js names, one at a time, and sees whether a test fails
// for it. Only tests of pure logic are run. `npm run mutation -- --testPathPatterns trigger/ids` is about the tests of that name alone.

/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	filter: '<rootDir>/test/support/jest/quick.js',
	testMatch: ['**/test/{engine,triggers}/**/*.test.ts'],
	testEnvironment: '<rootDir>/test/mutation/environment.js',
	runtime: '<rootDir>/test/mutation/runtime.js',
	runner: '<rootDir>/test/mutation/runner.js',
	transform: { '\\.[mc]?[jt]s$': '<rootDir>/test/mutation/transform.js' },
	setupFiles: [...base.setupFiles, '<rootDir>/test/mutation/setup.js'],
	testTimeout: 10_000,
	maxWorkers: 1,
};
