// Protects what a passed test proves: an unhandled rejection fails it, and no other file in its process leaves state to it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const config = jest.requireActual<object>('../../jest.config');

const rootDir = join(__dirname, '../..');

/** Runs the test files in sequence in one process, as a Jest worker does. */
function runFiles(...names: string[]) {
	const testMatch = names.map((name) => `**/test/rules/isolation/${name}.fixture.ts`);
	const bin = join(rootDir, 'node_modules/jest/bin/jest.js');
	const args = [bin, '--config', JSON.stringify({ ...config, rootDir, testMatch }), '--runInBand'];
	return spawnSync(process.execPath, [...args, '--ci'], { encoding: 'utf8' });
}

it('an unhandled rejection fails a test, also in the third file of a process', () => {
	const { status, stderr } = runFiles('one', 'other', 'stray');
	expect({ status, stderr }).toEqual({
		status: 1,
		stderr: expect.stringContaining('nobody caught this') as string,
	});
	expect(stderr).toContain('1 failed, 2 passed, 3 total');
});

it('test files in one process share the module of n8n, and no state', () => {
	const { status, stdout, stderr } = runFiles('one', 'other');
	expect({ status, stderr }).toEqual({
		status: 0,
		stderr: expect.stringContaining('2 passed, 2 total') as string,
	});
	expect(stdout + stderr).toContain('n8n was seen by 2');
});
