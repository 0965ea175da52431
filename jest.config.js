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
	testTimeout: 30_000,
	maxWorkers: '100%',
};
