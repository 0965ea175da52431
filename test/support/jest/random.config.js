const usual = require('../../../jest.config.js');

process.env.GATEHOUSE_RANDOM = 'yes';

/** The property tests with new random cases, and every case of the large tables. A failure of a property prints its seed. */
/** @type {import('jest').Config} */
module.exports = {
	...usual,
	rootDir: '../../..',
	filter: '<rootDir>/test/support/jest/random.js',
};
