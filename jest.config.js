/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	transform: { '\\.[mc]?[jt]s$': '<rootDir>/test/support/transform.js' },
	transformIgnorePatterns: ['/node_modules/(?!(jose|@apidevtools|@scure|@noble|@otplib|otplib)/)'],
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/lab/.run/',
		'<rootDir>/lab/node_modules/',
	],
	setupFiles: ['<rootDir>/test/support/quiet.js'],
	// n8n's own engine keeps timers running that nothing can stop; where there is one worker only, they would keep Jest waiting.
	forceExit: true,
	testTimeout: 30_000,
	maxWorkers: '100%',
};
