const base = require('../../jest.config.js');

// `npm run mutation` applies small faults to the files that plan.js lists, one at a time, and checks that a test fails.
// `npm run mutation -- --testPathPatterns trigger/ids` restricts it to the tests of that name.

/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	filter: '<rootDir>/test/mutation/filter.js',
	testMatch: ['**/test/{engine,hostile,nodes,simulation}/**/*.test.ts'],
	testEnvironment: '<rootDir>/test/mutation/environment.js',
	runtime: '<rootDir>/test/mutation/runtime.js',
	runner: '<rootDir>/test/mutation/runner.js',
	transform: { '\\.[mc]?[jt]s$': '<rootDir>/test/mutation/transform.js' },
	setupFiles: [...base.setupFiles, '<rootDir>/test/mutation/setup.js'],
	maxWorkers: 1,
	// A mutant can leave a timer or a server behind.
	forceExit: true,
	// A mutant can make a test warn thousands of times.
	silent: true,
};
