const { writeSync } = require('node:fs');
const { default: TestRunner } = require('jest-runner');

const equivalents = require('./equivalents');
const { cpuTimeMs, mayRun, mutants, runState } = require('./plan');
const { summary } = require('./summary');

const IN_THIS_PROCESS = { serial: true };

/** Longest tests of each pass over the files, in CPU time; still longer tests are not rerun at all. */
const TEST_PASSES_MS = [30, 200, 1500, 6000];

/** CPU time limit of a test file that is loaded for one mutant. */
const MAX_FILE_CPU_MS = 20_000;

/**
 * Runs each test file once without mutants, then in several passes in an environment that tries the mutants on its tests, and
 * again for each mutant that needs freshly loaded modules.
 */
module.exports = class MutationRunner extends TestRunner {
	async runTests(tests, watcher) {
		let failed = false;
		const testsByMutant = new Map();
		const runFile = async (test) => {
			const reached = new Map();
			Object.assign(runState, {
				isolatedMutant: undefined,
				failed: false,
				reached,
				cpuDeadlineMs: Infinity,
			});
			await super.runTests([test], watcher, IN_THIS_PROCESS);
			failed ||= runState.failed;
			return reached;
		};
		// Without mutants first, to measure the files: Jest does not know their durations in a new clone.
		runState.isMeasuring = true;
		for (const test of tests) {
			const beginMs = cpuTimeMs();
			const reached = await runFile(test);
			test.took = cpuTimeMs() - beginMs;
			for (const number of reached.keys()) {
				testsByMutant.set(number, [...(testsByMutant.get(number) ?? []), test]);
			}
		}
		runState.isMeasuring = false;
		if (failed) return;
		// Fast tests kill most mutants. Slower ones run only for the mutants that survive them.
		for (const maxTestMs of TEST_PASSES_MS) {
			runState.minTestMs = runState.maxTestMs;
			runState.maxTestMs = maxTestMs;
			for (const test of tests.toSorted((a, b) => a.took - b.took)) {
				if (
					!mutants.some(
						(mutant) =>
							mayRun(mutant) &&
							mutant.group.testPaths.has(test.path) &&
							testsByMutant.get(mutant.number)?.includes(test),
					)
				)
					continue;
				await runFile(test);
				const killed = mutants.filter((mutant) => mutant.killed).length;
				writeSync(2, `${killed} of ${mutants.length} mutants killed so far\n`);
			}
		}
		if (failed) return;
		const isolated = mutants.filter(
			(mutant) => (mutant.isReachedOnLoad || runState.leaking.includes(mutant)) && !mutant.killed,
		);
		writeSync(2, `${isolated.length} mutants need their modules loaded anew\n`);
		for (const mutant of isolated) {
			const testsByDuration = testsByMutant
				.get(mutant.number)
				.filter(({ path }) => mutant.group.testPaths.has(path))
				.sort((a, b) => a.took - b.took);
			mutant.spentMs = 0;
			for (const test of testsByDuration) {
				if (!mayRun(mutant)) break;
				const beginMs = cpuTimeMs();
				mutant.killed = await this.kills(test, mutant.number);
				mutant.spentMs += cpuTimeMs() - beginMs;
			}
		}
		const { text, passed } = summary(mutants, equivalents);
		writeSync(1, `${text}\n`);
		if (!passed) process.on('exit', () => (process.exitCode = 1));
	}

	/** Whether a test of the file fails with the mutant, or the file cannot be loaded with it. */
	async kills(test, mutant) {
		const cpuDeadlineMs = cpuTimeMs() + MAX_FILE_CPU_MS;
		Object.assign(runState, { mutant, isolatedMutant: mutant, failed: false, cpuDeadlineMs });
		let hasLoadError = false;
		const runner = new TestRunner(this._globalConfig, this._context);
		runner.on('test-file-failure', () => (hasLoadError = true));
		runner.on(
			'test-file-success',
			([, result]) => (hasLoadError ||= result.testExecError !== undefined),
		);
		await runner.runTests([test], { isInterrupted: () => false }, IN_THIS_PROCESS);
		Object.assign(runState, { mutant: undefined, isolatedMutant: undefined });
		return hasLoadError || runState.failed;
	}
};
