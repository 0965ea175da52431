const endToEnd = require('./jest.config.js');

/** The pack on several generations of n8n: each takes minutes to install, once. */
/** @type {import('jest').Config} */
module.exports = {
	...endToEnd,
	testMatch: ['**/*.generations.ts'],
	testTimeout: 900_000,
};
