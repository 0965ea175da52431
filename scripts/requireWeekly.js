const { readFileSync } = require('node:fs');

const DAY_MS = 86_400_000;
/** One week, and one day of tolerance for a run that starts late. */
const MAX_AGE_DAYS = 8;

/**
 * Returns why the weekly workflow does not allow a release now, or nothing if it does.
 * @param {Array<{ status: string, conclusion: string, createdAt: string, url: string }>} runs of the main branch, newest first
 * @param {number} now
 */
function findReasonAgainstRelease(runs, now) {
	const advice =
		"Start 'Weekly' by hand on the main branch, and push the tag again when it is green.";
	const last = runs.find(({ status }) => status === 'completed');
	if (!last) return `No run of the weekly workflow has ended yet. ${advice}`;
	if (last.conclusion !== 'success') {
		return `The last weekly run ended with '${last.conclusion}' (${last.url}). Fix what failed. ${advice}`;
	}
	const days = (now - Date.parse(last.createdAt)) / DAY_MS;
	// Also true for an invalid date.
	if (!(days <= MAX_AGE_DAYS)) {
		return `The last weekly run is from ${last.createdAt}, more than ${MAX_AGE_DAYS} days ago (${last.url}). ${advice}`;
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
