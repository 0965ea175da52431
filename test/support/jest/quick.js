// A filter for `npm run test:quick`: pure logic and tables. Tests that import n8n's engine, open a server or start a program,
// directly or through another module, are left to `npm test`.
const createImportCheck = require('./importCheck');

const slowPackages = new Set([
	'n8n-core',
	'fastify',
	'node:child_process',
	'node:http',
	'node:net',
]);
const isSlowModule = createImportCheck((name) => slowPackages.has(name));

module.exports = (files) => ({ filtered: files.filter((file) => !isSlowModule(file)) });
