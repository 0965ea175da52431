const { default: fc } = require('fast-check');

// The same cases for each mutant, for a moment only, and no search for the smallest one that fails.
fc.configureGlobal({ seed: 1, endOnFailure: true, interruptAfterTimeLimit: 300 });
