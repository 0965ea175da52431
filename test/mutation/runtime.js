const SharingRuntime = require('../support/jest/runtime');

/** Jest lets nobody but a test that it runs itself use `jest`; here tests are run again after that. */
module.exports = class extends SharingRuntime {
	leaveTestCode() {}
};
