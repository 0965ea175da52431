// A filter for `npm run test:random`: the test files that draw random cases, and those that otherwise run a share of their cases.
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');

const createImportCheck = require('./importCheck');

const shareModule = resolve(__dirname, '../share.ts');
const runsShare = createImportCheck((name) => name === shareModule);
const drawsCases = (file) => readFileSync(file, 'utf8').includes("from 'fast-check'");

module.exports = (files) => ({
	filtered: files.filter((file) => drawsCases(file) || runsShare(file)),
});
