const { default: fc } = require('fast-check');

// Property tests use the same cases for each mutant, for a short time, and do not shrink a failing case.
fc.configureGlobal({ seed: 1, endOnFailure: true, interruptAfterTimeLimit: 300 });
