const { readFileSync } = require('node:fs');

const DAY_MS = 86_400_000;
/** One week, and one day of tolerance for a run that starts late. */
const MAX_AGE_DAYS = 8;

/**
 * Returns why the weekly workflow does not allow a release now, or nothing if it does.
 * @param {Array<{ status: string, conclusion: string, createdAt: string, url: string }>} runs of the main branch, newest first
 * @param {number} nowMs
 */
function findReasonAgainstRelease(runs, nowMs) {
	const advice =
		"Start 'Weekly' by hand on the main branch, and push the tag again when it is green.";
	const lastRun = runs.find(({ status }) => status === 'completed');
	if (!lastRun) return `No run of the weekly workflow has ended yet. ${advice}`;
	if (lastRun.conclusion !== 'success') {
		return `The last weekly run ended with '${lastRun.conclusion}' (${lastRun.url}). Fix what failed. ${advice}`;
	}
	const ageDays = (nowMs - Date.parse(lastRun.createdAt)) / DAY_MS;
	// The negation also rejects an invalid date, whose age is NaN.
	if (!(ageDays <= MAX_AGE_DAYS)) {
		return `The last weekly run is from ${lastRun.createdAt}, more than ${MAX_AGE_DAYS} days ago (${lastRun.url}). ${advice}`;
	}
	return undefined;
}

module.exports = { findReasonAgainstRelease };

// Reads the output of `gh run list --json status,conclusion,createdAt,url`.
if (require.main === module) {
	const reason = findReasonAgainstRelease(JSON.parse(readFileSync(0, 'utf8')), Date.now());
	if (reason) {
		console.error(reason);
		process.exitCode = 1;
	}
}
