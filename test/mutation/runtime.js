const SharingRuntime = require('../support/jest/runtime');

/** Jest allows `jest` only in a test that it runs itself; here tests are rerun after that. */
module.exports = class extends SharingRuntime {
	leaveTestCode() {}
};
