const { default: fc } = require('fast-check');

/** Throws if a property failed. On a busy machine the first case can take longer than the limit: that is no failure. */
function report(details) {
	const isCutShort = details.interrupted && details.numRuns === 0;
	if (details.failed && !isCutShort) throw new Error(fc.defaultReportMessage(details));
}

// Property tests use the same cases for each mutant, for a short time, and do not shrink a failing case.
fc.configureGlobal({
	seed: 1,
	endOnFailure: true,
	interruptAfterTimeLimit: 300,
	reporter: report,
});
