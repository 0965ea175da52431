const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take the longest. Jest knows that after the first run; on a clean clone it would go by their size. */
const longest = [
	'hostile/matrix/slice',
	'package/dist',
	'sandbox/core.cli',
	'hostile/tokens/corpus',
	'hostile/eventAnswers',
	'hostile/secrets',
	'engine/trigger/ids/properties',
	'engine/trigger/ids/pace',
	'sandbox/hostile.services',
].map((name) => `/test/${name}.test.ts`);

/** The same for end-to-end tests. Those that compute alternate with those that wait, since two run at a time. */
const longestEndToEnd = [
	'matrix',
	'park',
	'examples',
	'labEditor',
	'panels',
	'newcomer',
	'changes',
	'triggers',
	'triggersLife',
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
