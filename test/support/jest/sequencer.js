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

/** Starts with the longest files, so that no worker is left alone with one of them in the end. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const place = longest.findIndex((name) => path.replaceAll('\\', '/').endsWith(name));
			return place < 0 ? longest.length : place;
		};
		return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
	}
};
