import manifest from '../../package.json';
import { commandsOf, readWorkflow, workflowNames, workflowText } from './workflowFile';

describe.each(workflowNames)('%s', (name) => {
	it('pins every action to a commit, with its version beside it for readers', () => {
		const usedActions = [...workflowText(name).matchAll(/uses: (.*)/g)].map(([, action]) => action);
		expect(usedActions).not.toEqual([]);
		for (const action of usedActions)
			expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});

	it('pins an action to the same commit everywhere', () => {
		const allUses = workflowNames.flatMap((file) => workflowText(file).match(/uses: .*/g) ?? []);
		const names = new Set(allUses.map((line) => line.split('@')[0]));
		expect(new Set(allUses).size).toBe(names.size);
	});
});

describe('the workflow for every change', () => {
	const { jobs } = readWorkflow('ci.yml');

	it('runs the tests on each Node.js that users and n8n have', () => {
		const { node } = jobs.unit!.strategy!.matrix;
		expect(node).toEqual([20, 22, 24]);
		expect(manifest.engines.node).toMatch(new RegExp(`^>=${node![0]}\\.`));
		expect(commandsOf(jobs.unit)).toContain('npm test');
	});

	it('runs all checks, and not as root', () => {
		expect(commandsOf(jobs.everything)).toContain('.ci/run');
		expect(Object.values(jobs).flatMap(commandsOf).join('\n')).not.toContain('sudo');
	});
});

describe('the cache of n8n', () => {
	const cacheStep = ['ci.yml', 'weekly.yml'].flatMap((name) =>
		Object.entries(readWorkflow(name).jobs).flatMap(([job, { steps }]) =>
			steps
				.filter(({ uses }) => uses?.startsWith('actions/cache@'))
				.map(({ with: given }) => ({ job: `${name} ${job}`, path: given?.path, key: given?.key })),
		),
	);

	it('belongs to the lock file, the system and the processor', () => {
		for (const { path, key } of cacheStep) {
			expect(path).toBe('lab/node_modules');
			expect(key).toContain("hashFiles('lab/package-lock.json')");
			expect(key).toContain('runner.os');
			expect(key).toContain('runner.arch');
		}
	});

	it('is not used if the lock file is changed after it was read', () => {
		expect(cacheStep.map(({ job }) => job)).toEqual(['ci.yml everything', 'weekly.yml long']);
	});
});
