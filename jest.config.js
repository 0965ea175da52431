const { availableParallelism } = require('node:os');

/**
 * `npm test` starts Node.js with a larger space for new objects (--max-semi-space-size, in MB). Tests create many objects that
 * live for a moment; collecting them less often saves about 6 % of the CPU time.
 */
/** @type {import('jest').Config} */
module.exports = {
	// All that others wrote is loaded once per worker, not once per file. A file that needs its own says `@jest-environment node`.
	testEnvironment: '<rootDir>/test/support/jest/environment.js',
	runtime: '<rootDir>/test/support/jest/runtime.js',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	transform: { '\\.[mc]?[jt]s$': '<rootDir>/test/support/transform.js' },
	transformIgnorePatterns: ['/node_modules/(?!(jose|@apidevtools|@scure|@noble|@otplib|otplib)/)'],
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/packages/',
		'<rootDir>/.cache/',
		'<rootDir>/lab/.run/',
		'<rootDir>/lab/.n8n/',
		'<rootDir>/lab/node_modules/',
	],
	testSequencer: '<rootDir>/test/support/jest/sequencer.js',
	setupFiles: ['<rootDir>/test/support/quiet.js', '<rootDir>/test/support/seed.js'],
	// Far beyond what a test takes. `.ci/run` installs n8n meanwhile; a program that a test starts was seen to take 30 seconds then.
	testTimeout: 120_000,
	// More than there are cores: many tests wait for servers, and a core that waits is lost.
	maxWorkers: Math.ceil(1.5 * availableParallelism()),
};
