// A filter for `npm run test:random`: the test files that draw random cases.
const { readFileSync } = require('node:fs');

module.exports = (files) => ({
	filtered: files.filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'")),
});
