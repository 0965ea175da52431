import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

import manifest from '../../package.json';
import { reasonAgainstRelease } from '../../scripts/requireWeekly';

const root = path.resolve(__dirname, '..', '..');

interface Workflow {
	on: Record<string, unknown>;
	permissions: Record<string, string>;
	jobs: Record<
		string,
		{ strategy?: { matrix: { script: string[] } }; steps: Array<{ name?: string; run?: string }> }
	>;
}

const workflow = (name: string) =>
	parse(readFileSync(path.join(root, '.github', 'workflows', name), 'utf8')) as Workflow;

describe('the weekly workflow', () => {
	it('runs everything that takes too long for every change', () => {
		const { on, jobs } = workflow('weekly.yml');
		expect(on).toHaveProperty('schedule');
		const { strategy, steps } = jobs.long!;
		expect(steps.map(({ run }) => run)).toContain('npm run ${{ matrix.script }}');
		const long = ['test:cluster', 'test:generations', 'test:install', 'mutation', 'soak'];
		expect([...strategy!.matrix.script].sort()).toEqual([...long].sort());
		expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(long));
	});

	it('has been green before anything is published', () => {
		const { permissions, jobs } = workflow('release.yml');
		expect(permissions.actions).toBe('read');
		const commands = jobs.publish!.steps.map(({ run = '' }) => run);
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
	])('goes ahead where %s', (_, runs) => expect(reasonAgainstRelease(runs, now)).toBeUndefined());

	it.each([
		['there was no run', [], /No run/],
		['the first run is under way', [run('', recent, 'in_progress')], /No run/],
		['the last run failed', [run('failure', recent), run('success', lastWeek)], /'failure'/],
		['it was cancelled', [run('cancelled', recent), run('success', lastWeek)], /'cancelled'/],
		['it is of long ago', [run('success', '2026-11-01T02:17:00Z')], /more than 8 days ago/],
		['its time is missing', [run('success', '')], /more than 8 days ago/],
	])('is stopped where %s, and says what to do', (_, runs, words) => {
		expect(reasonAgainstRelease(runs, now)).toMatch(words);
		expect(reasonAgainstRelease(runs, now)).toMatch(/Start 'Weekly' by hand/);
	});
});
