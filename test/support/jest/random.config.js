const usual = require('../../../jest.config.js');

process.env.GATEHOUSE_RANDOM = 'yes';

/** The property tests with cases that no run before has drawn. What fails prints its seed. */
/** @type {import('jest').Config} */
module.exports = {
	...usual,
	rootDir: '../../..',
	filter: '<rootDir>/test/support/jest/random.js',
};
