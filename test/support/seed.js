// Property tests draw the same cases in every run, so that a run tells about the change and not about luck.
// `npm run test:random` draws new ones.
const { configureGlobal } = require('fast-check');

if (process.env.GATEHOUSE_RANDOM === undefined) configureGlobal({ seed: 20260715 });
