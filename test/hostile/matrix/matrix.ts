import { setTimeout as delay } from 'node:timers/promises';

import { samples } from '../../support/samples';
import { labelOf } from '../../support/samples/sample';
import type { Case, BaselineRun, OperationRun } from './cases';
import { evaluateCase } from './evaluateCase';
import type { CaseResult } from './evaluateCase';
import { runCase, runFair } from './run';
import type { SandboxPool } from './sandboxPool';

/** Runs every operation without a fault: the reference for all other cases. */
export async function inFairWeather(lanes: SandboxPool): Promise<OperationRun[]> {
	return await lanes.each(samples, async (rig, sample) => {
		const ran = await runFair(rig, lanes.proxy, sample);
		const { error, requests, outputItems, timedOut, ms } = ran;
		if (!error && requests.length > 0 && outputItems.length > 0) return ran;
		const reason = error?.message ?? (timedOut ? `canceled after ${ms} ms` : 'no output');
		throw new Error(`${labelOf(sample)} fails without a fault: ${reason}`);
	});
}

/** Runs cases side by side and judges each. */
export async function runAll(
	lanes: SandboxPool,
	cases: readonly Case[],
	baseline: readonly BaselineRun[],
): Promise<CaseResult[]> {
	const fairOf = new Map(baseline.map((of) => [of.sample, of]));
	return await lanes.each(cases, async (rig, of) => {
		const result = evaluateCase(of, await runCase(rig, lanes.proxy, of), fairOf.get(of.sample)!);
		const broken = rig.sandbox.internalErrors.map(({ message }) => `the sandbox: ${message}`);
		return { ...result, problems: [...result.problems, ...broken] };
	});
}

/** The most memory, in bytes, that the process held beyond what it held before while something ran. */
export async function growthDuring(run: () => Promise<void>): Promise<number> {
	const held = () => {
		const { heapUsed, external } = process.memoryUsage();
		return heapUsed + external;
	};
	const before = held();
	let most = before;
	const state = { running: true };
	const watching = (async () => {
		while (state.running) {
			most = Math.max(most, held());
			await delay(20);
		}
	})();
	await run().finally(() => (state.running = false));
	await watching;
	return most - before;
}
