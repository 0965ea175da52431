const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Files that take the longest. Jest knows durations only after the first run; on a clean clone it would sort by file size.
 */
const longest = [
	'hostile/matrix/slice',
	'package/dist',
	'sandbox/commandLine',
	'hostile/tokens/corpus',
	'hostile/eventResponses',
	'hostile/secrets',
	'engine/watch/idPace',
	'sandbox/hostileServices',
].map((name) => `/test/${name}.test.ts`);

/**
 * End-to-end tests that take the longest; two run at a time. park, changes, triggers and triggerActivation mostly wait, so
 * each of them runs beside a test that computes.
 */
const longestEndToEnd = [
	'matrix',
	'park',
	'changes',
	'examples',
	'triggers',
	'triggerActivation',
	'labEditor',
	'newcomer',
	'panels',
].map((name) => `/test/e2e/${name}.e2e.ts`);

const ranked = [...longest, ...longestEndToEnd];

/** Starts with the longest files, so that the run does not end with one worker on a long file while the others are idle. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const index = ranked.findIndex((name) => path.replaceAll('\\', '/').endsWith(name));
			return index < 0 ? ranked.length : index;
		};
		return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
	}
};
