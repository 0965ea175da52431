// Prints the files and functions of `nodes/` that run for one request, one trigger start or one wait:
//   npm run trace -- "Event Registration" registration create
//   npm run trace -- "Two-Factor Trigger"
const jest = require('jest');
const base = require('../../jest.config.js');

process.env.TRACED = JSON.stringify(process.argv.slice(2));
const config = {
	...base,
	rootDir: `${__dirname}/../..`,
	testMatch: ['<rootDir>/test/trace/trace.ts'],
};
void jest.run(['--config', JSON.stringify(config), '--runInBand']);
