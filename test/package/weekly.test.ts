import manifest from '../../package.json';
import { findReasonAgainstRelease } from '../../scripts/requireWeekly';
import { commandsOf, readWorkflow } from './workflowFile';

describe('the weekly workflow', () => {
	it('runs everything that takes too long for every change', () => {
		const { on, jobs } = readWorkflow('weekly.yml');
		expect(on).toHaveProperty('schedule');
		expect(commandsOf(jobs.long)).toContain('npm run ${{ matrix.script }}');
		const tests = ['test:cluster', 'test:generations', 'test:install', 'test:plain'];
		const long = [...tests, 'mutation', 'soak'];
		expect([...jobs.long!.strategy!.matrix.script!].sort()).toEqual([...long].sort());
		expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(long));
	});

	it('checks the newest n8n, linter and scanner, once they are installed', () => {
		const commands = commandsOf(readWorkflow('weekly.yml').jobs.newest);
		const place = (command: string) => commands.findIndex((run) => run.startsWith(command));
		const newest = place('npm run newest');
		expect(newest).toBeGreaterThan(place('npm ci'));
		const checks = [
			'npm run typecheck',
			'npm run lint',
			'node scripts/checkPackages.js',
			'npm test',
			'npm run test:e2e',
		];
		for (const check of checks) expect(place(check)).toBeGreaterThan(newest);
		expect(place('npm run build')).toBeLessThan(place('node scripts/checkPackages.js'));
		expect(Object.keys(manifest.scripts)).toContain('newest');
	});

	it('must have passed before anything is published', () => {
		const { permissions, jobs } = readWorkflow('release.yml');
		expect(permissions.actions).toBe('read');
		const commands = commandsOf(jobs.publish);
		const check = commands.findIndex((run) => run.includes('node scripts/requireWeekly.js'));
		const publish = commands.findIndex((run) => run.includes('npm publish'));
		expect(commands[check]).toContain('--workflow weekly.yml');
		expect(check).toBeGreaterThanOrEqual(0);
		expect(check).toBeLessThan(publish);
	});
});

describe('a release', () => {
	const now = Date.parse('2026-11-16T12:00:00Z');
	const run = (conclusion: string, createdAt: string, status = 'completed') => ({
		status,
		conclusion,
		createdAt,
		url: 'https://gatehouse.example/run',
	});
	const recent = '2026-11-16T02:17:00Z';
	const lastWeek = '2026-11-09T02:17:00Z';

	it.each([
		['the last run was green', [run('success', recent)]],
		['it was green after it had been red', [run('success', recent), run('failure', lastWeek)]],
		['the next one is under way', [run('', recent, 'in_progress'), run('success', lastWeek)]],
	])('continues if %s', (_, runs) => expect(findReasonAgainstRelease(runs, now)).toBeUndefined());

	it.each([
		['there was no run', [], /No run/],
		['the first run is under way', [run('', recent, 'in_progress')], /No run/],
		['the last run failed', [run('failure', recent), run('success', lastWeek)], /'failure'/],
		['it was cancelled', [run('cancelled', recent), run('success', lastWeek)], /'cancelled'/],
		['it is of long ago', [run('success', '2026-11-01T02:17:00Z')], /more than 8 days ago/],
		['its time is missing', [run('success', '')], /more than 8 days ago/],
	])('is stopped if %s, with advice', (_, runs, words) => {
		expect(findReasonAgainstRelease(runs, now)).toMatch(words);
		expect(findReasonAgainstRelease(runs, now)).toMatch(/Start 'Weekly' by hand/);
	});
});
