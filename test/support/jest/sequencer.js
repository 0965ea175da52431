const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take the longest. Jest knows that after the first run; on a clean clone it would go by their size. */
const longest = [
	'hostile/matrix/slice',
	'package/dist',
	'sandbox/commandLine',
	'hostile/tokens/corpus',
	'hostile/eventResponses',
	'hostile/secrets',
	'engine/watch/idProperties',
	'engine/watch/idPace',
	'sandbox/hostileServices',
].map((name) => `/test/${name}.test.ts`);

/**
 * The same for end-to-end tests, of which two run at a time: park, changes, triggers and triggerActivation mostly wait, so each of them gets
 * one that computes beside it.
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

/** Starts with the longest files, so that no worker is left alone with one of them in the end. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const place = ranked.findIndex((name) => path.replaceAll('\\', '/').endsWith(name));
			return place < 0 ? ranked.length : place;
		};
		return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
	}
};
