import { setTimeout as delay } from 'node:timers/promises';

import { samples } from '../../support/samples';
import { labelOf } from '../../support/samples/sample';
import type { Case, Fair, Ran } from './cases';
import type { Lanes } from './lanes';
import { runCase, runFair } from './run';
import { verdictOn } from './verdict';
import type { Verdict } from './verdict';

/** Runs every operation without a fault: the reference for all other cases. */
export async function inFairWeather(lanes: Lanes): Promise<Ran[]> {
	return await lanes.each(samples, async (rig, sample) => {
		const ran = await runFair(rig, lanes.proxy, sample);
		const { error, requests, out, endless, ms } = ran;
		if (!error && requests.length > 0 && out.length > 0) return ran;
		const reason = error?.message ?? (endless ? `canceled after ${ms} ms` : 'no output');
		throw new Error(`${labelOf(sample)} fails without a fault: ${reason}`);
	});
}

/** Runs cases side by side and judges each. */
export async function runAll(
	lanes: Lanes,
	cases: readonly Case[],
	fair: readonly Fair[],
): Promise<Verdict[]> {
	const fairOf = new Map(fair.map((of) => [of.sample, of]));
	return await lanes.each(cases, async (rig, of) => {
		const verdict = verdictOn(of, await runCase(rig, lanes.proxy, of), fairOf.get(of.sample)!);
		const broken = rig.sandbox.internalErrors.map(({ message }) => `the sandbox: ${message}`);
		return { ...verdict, problems: [...verdict.problems, ...broken] };
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
