const base = require('../../jest.config.js');

// `npm run dialects` runs every operation in every dialect and writes docs/dialects.md.

/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	testMatch: ['**/test/dialects/*.dialects.ts'],
	maxWorkers: 1,
};
