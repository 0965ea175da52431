// Protects the pack from changed GitHub actions: each is pinned to a commit. Every change runs on each supported Node.js.
import manifest from '../../package.json';
import { listCommands, readWorkflow, workflowNames, readWorkflowText } from './workflowFile';

describe.each(workflowNames)('%s', (name) => {
	it('pins every action to a commit, with its version in a comment', () => {
		const usedActions = [...readWorkflowText(name).matchAll(/uses: (.*)/g)].map(
			([, action]) => action,
		);
		expect(usedActions).not.toEqual([]);
		for (const action of usedActions)
			expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});
});

it('all workflows pin an action to the same commit', () => {
	const allUses = workflowNames.flatMap((name) => readWorkflowText(name).match(/uses: .*/g) ?? []);
	const actions = new Set(allUses.map((line) => line.split('@')[0]));
	expect(new Set(allUses).size).toBe(actions.size);
});

describe('the workflow for every change', () => {
	const { jobs } = readWorkflow('ci.yml');

	it('runs the tests on each supported version of Node.js', () => {
		const { node } = jobs.unit!.strategy!.matrix;
		expect(node).toEqual([20, 22, 24]);
		expect(manifest.engines.node).toMatch(new RegExp(`^>=${node![0]}\\.`));
		expect(listCommands(jobs.unit)).toContain('npm test');
	});

	it('runs all checks without sudo', () => {
		expect(listCommands(jobs.everything)).toContain('.ci/run');
		expect(Object.values(jobs).flatMap(listCommands).join('\n')).not.toContain('sudo');
	});
});

describe('the cache of n8n', () => {
	const cacheSteps = ['ci.yml', 'weekly.yml'].flatMap((name) =>
		Object.entries(readWorkflow(name).jobs).flatMap(([job, { steps }]) =>
			steps
				.filter(({ uses }) => uses?.startsWith('actions/cache@'))
				.map(({ with: inputs }) => ({
					job: `${name} ${job}`,
					path: inputs?.path,
					key: inputs?.key,
				})),
		),
	);

	it('has a key with the lock file, the operating system and the processor', () => {
		for (const { path, key } of cacheSteps) {
			expect(path).toBe('lab/node_modules');
			expect(key).toContain("hashFiles('lab/package-lock.json')");
			expect(key).toContain('runner.os');
			expect(key).toContain('runner.arch');
		}
	});

	it('is used only by jobs that do not change the lock file', () => {
		expect(cacheSteps.map(({ job }) => job)).toEqual(['ci.yml everything', 'weekly.yml long']);
	});
});
