// Protects users from a release that the long tests reject: it is published only after a successful weekly run.
import manifest from '../../package.json';
import { findReasonAgainstRelease } from '../../scripts/requireWeekly';
import { listCommands, readWorkflow } from './workflowFile';

describe('the weekly workflow', () => {
	it('runs on a schedule the scripts that take too long for every change', () => {
		const { on, jobs } = readWorkflow('weekly.yml');
		expect(on).toHaveProperty('schedule');
		expect(listCommands(jobs.long)).toContain('npm run ${{ matrix.script }}');
		const tests = ['cluster', 'generations', 'install', 'plain', 'random'].map(
			(name) => `test:${name}`,
		);
		const simulations = ['simulate:planted', 'simulate:weekly', 'test:truth'];
		const longScripts = [...tests, 'dialects', 'mutation', 'soak', ...simulations];
		expect([...jobs.long!.strategy!.matrix.script!].sort()).toEqual([...longScripts].sort());
		expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(longScripts));
	});

	it('checks the project after it has installed the newest n8n, linter and scanner', () => {
		const commands = listCommands(readWorkflow('weekly.yml').jobs.newest);
		const findPosition = (command: string) => commands.findIndex((run) => run.startsWith(command));
		const newest = findPosition('npm run newest');
		expect(newest).toBeGreaterThan(findPosition('npm ci'));
		const checks = [
			'npm run typecheck',
			'npm run lint',
			'node scripts/checkPackages.js',
			'npm test',
			'npm run test:e2e',
		];
		for (const check of checks) expect(findPosition(check)).toBeGreaterThan(newest);
		expect(findPosition('npm run build')).toBeLessThan(
			findPosition('node scripts/checkPackages.js'),
		);
		expect(Object.keys(manifest.scripts)).toContain('newest');
	});

	it('must have passed before the release workflow publishes', () => {
		const { permissions, jobs } = readWorkflow('release.yml');
		expect(permissions.actions).toBe('read');
		const commands = listCommands(jobs.publish);
		const checkPosition = commands.findIndex((run) =>
			run.includes('node scripts/requireWeekly.js'),
		);
		const publishPosition = commands.findIndex((run) => run.includes('npm publish'));
		expect(commands[checkPosition]).toContain('--workflow weekly.yml');
		expect(checkPosition).toBeGreaterThanOrEqual(0);
		expect(checkPosition).toBeLessThan(publishPosition);
	});
});

describe('a release', () => {
	const nowMs = Date.parse('2026-11-16T12:00:00Z');
	const makeRun = (conclusion: string, createdAt: string, status = 'completed') => ({
		status,
		conclusion,
		createdAt,
		url: 'https://gatehouse.example/run',
	});
	const RECENT = '2026-11-16T02:17:00Z';
	const LAST_WEEK = '2026-11-09T02:17:00Z';

	it.each([
		['the last weekly run succeeded', [makeRun('success', RECENT)]],
		[
			'the last weekly run succeeded after a failed one',
			[makeRun('success', RECENT), makeRun('failure', LAST_WEEK)],
		],
		[
			'the last weekly run succeeded and the next one is in progress',
			[makeRun('', RECENT, 'in_progress'), makeRun('success', LAST_WEEK)],
		],
	])('continues if %s', (_, runs) => expect(findReasonAgainstRelease(runs, nowMs)).toBeUndefined());

	it.each([
		['there was no weekly run', [], /No run/],
		['the first weekly run is in progress', [makeRun('', RECENT, 'in_progress')], /No run/],
		[
			'the last weekly run failed',
			[makeRun('failure', RECENT), makeRun('success', LAST_WEEK)],
			/'failure'/,
		],
		[
			'the last weekly run was cancelled',
			[makeRun('cancelled', RECENT), makeRun('success', LAST_WEEK)],
			/'cancelled'/,
		],
		[
			'the last weekly run is more than 8 days old',
			[makeRun('success', '2026-11-01T02:17:00Z')],
			/more than 8 days ago/,
		],
		['the last weekly run has no date', [makeRun('success', '')], /more than 8 days ago/],
	])('is stopped if %s, with advice', (_, runs, expectedReason) => {
		expect(findReasonAgainstRelease(runs, nowMs)).toMatch(expectedReason);
		expect(findReasonAgainstRelease(runs, nowMs)).toMatch(/Start 'Weekly' by hand/);
	});
});
