const endToEnd = require('./jest.config.js');

/** All packages through n8n's own package manager: too long for every run. */
/** @type {import('jest').Config} */
module.exports = { ...endToEnd, testMatch: ['**/*.install.ts'], testTimeout: 900_000 };
