import { setTimeout as delay } from 'node:timers/promises';

import { samples } from '../../support/samples';
import { labelOf } from '../../support/samples/sample';
import type { Case, BaselineRun, OperationRun } from './cases';
import { evaluateCase } from './evaluateCase';
import type { CaseResult } from './evaluateCase';
import { runCase, runWithoutFaults } from './run';
import type { SandboxPool } from './sandboxPool';

/** Runs every operation without a fault: the reference for all other cases. */
export async function runBaseline(pool: SandboxPool): Promise<OperationRun[]> {
	return await pool.runEach(samples, async (rig, sample) => {
		const operationRun = await runWithoutFaults(rig, pool.proxy, sample);
		const { error, requests, outputItems, timedOut, ms } = operationRun;
		if (!error && requests.length > 0 && outputItems.length > 0) return operationRun;
		const reason = error?.message ?? (timedOut ? `canceled after ${ms} ms` : 'no output');
		throw new Error(`${labelOf(sample)} fails without a fault: ${reason}`);
	});
}

/** Runs cases concurrently and evaluates each. */
export async function runAll(
	pool: SandboxPool,
	cases: readonly Case[],
	baseline: readonly BaselineRun[],
): Promise<CaseResult[]> {
	const baselineBySample = new Map(
		baseline.map((baselineRun) => [baselineRun.sample, baselineRun]),
	);
	return await pool.runEach(cases, async (rig, testCase) => {
		const result = evaluateCase(
			testCase,
			await runCase(rig, pool.proxy, testCase),
			baselineBySample.get(testCase.sample)!,
		);
		const sandboxProblems = rig.sandbox.internalErrors.map(
			({ message }) => `the sandbox: ${message}`,
		);
		return { ...result, problems: [...result.problems, ...sandboxProblems] };
	});
}

/** Returns the maximum growth of the process's memory, in bytes, while `run` runs. */
export async function measureMemoryGrowth(run: () => Promise<void>): Promise<number> {
	const measureUsedBytes = () => {
		const { heapUsed, external } = process.memoryUsage();
		return heapUsed + external;
	};
	const bytesBefore = measureUsedBytes();
	let maxBytes = bytesBefore;
	const state = { isRunning: true };
	const measuring = (async () => {
		while (state.isRunning) {
			maxBytes = Math.max(maxBytes, measureUsedBytes());
			await delay(20);
		}
	})();
	await run().finally(() => (state.isRunning = false));
	await measuring;
	return maxBytes - bytesBefore;
}
