import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const config = jest.requireActual<object>('../../jest.config');

const rootDir = join(__dirname, '../..');

it('test files share n8n, and nothing that one of them leaves behind', () => {
	const pair = { ...config, rootDir, testMatch: ['**/test/rules/isolation/*.fixture.ts'] };
	const bin = join(rootDir, 'node_modules/jest/bin/jest.js');
	const args = [bin, '--config', JSON.stringify(pair), '--runInBand', '--ci'];
	const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	expect({ status, stderr }).toEqual({
		status: 0,
		stderr: expect.stringContaining('2 passed, 2 total') as string,
	});
	expect(stdout + stderr).toContain('n8n was seen by 2');
});
