// Property tests use the same cases in every run, so that a result depends on the change and not on chance. `npm run
// test:random` uses new ones.
const { configureGlobal } = require('fast-check');

if (process.env.GATEHOUSE_RANDOM === undefined) configureGlobal({ seed: 20260715 });
