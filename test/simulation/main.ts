import 'reflect-metadata';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';

import { checkIds } from './checker/ids';
import type { Verdict } from './checker/verdict';
import planted from './planted/ids.json';
import { idPlans, playIds } from './subjects/ids';
import type { IdPlan } from './subjects/ids';
import { bundlePack } from './world/packBundle';
import type { PackBundle, Patch } from './world/packBundle';
import type { World } from './world/world';

/** Totals of a run, printed at its end. */
class Figures {
	private readonly counts = { histories: 0, hours: 0, deaths: 0, effects: 0, faults: 0, starts: 0 };
	private readonly exceptions = new Map<string, number>();
	private readonly cpuBefore = process.cpuUsage();
	private readonly hash = createHash('sha256');

	add(world: World, { startsChecked, exceptions }: Verdict): void {
		this.counts.histories++;
		this.hash.update(JSON.stringify(world.history));
		this.counts.hours += world.livedMs / 3_600_000;
		this.counts.deaths += world.deathCount;
		this.counts.effects += world.crashes.effectCount;
		this.counts.faults += world.faultCount;
		this.counts.starts += startsChecked;
		for (const [name, count] of exceptions)
			this.exceptions.set(name, (this.exceptions.get(name) ?? 0) + count);
	}

	print(): void {
		const { user, system } = process.cpuUsage(this.cpuBefore);
		const seconds = (user + system) / 1e6;
		const { hours, ...counts } = this.counts;
		const rates = {
			'CPU seconds': Math.round(seconds),
			'deaths per CPU second': Math.round((10 * counts.deaths) / seconds) / 10,
		};
		console.table({ ...counts, 'hours lived': Math.round(hours), ...rates });
		for (const [name, count] of this.exceptions) console.log(`excused ${count} times: ${name}`);
		console.log(`hash of all histories: ${this.hash.digest('hex')}`);
	}
}

interface RunOptions {
	seed: number;
	/** Whether the first failure is enough, without a search for a smaller one. */
	endOnFailure?: boolean;
	runs: number;
	path?: string;
}

/** Plays random histories. Returns the first that breaks a promise, shrunk, or undefined. */
async function simulate(bundle: PackBundle, options: RunOptions, figures?: Figures) {
	const play = async (plan: IdPlan) => {
		const world = await playIds(plan, bundle);
		const verdict = checkIds(world.history);
		figures?.add(world, verdict);
		const [violation] = verdict.violations;
		if (violation) throw new Error(`${violation.promise}: ${violation.detail}`);
	};
	const { runs: numRuns, ...parameters } = options;
	const result = await fc.check(fc.asyncProperty(idPlans, play), { numRuns, ...parameters });
	return result.failed ? result : undefined;
}

/** Simulates the pack as it is. Prints figures, and the shrunk history of a failure with the command that repeats it. */
async function simulatePack(options: RunOptions): Promise<boolean> {
	const figures = new Figures();
	const bundle = await bundlePack();
	const failure = await simulate(bundle, options, figures);
	figures.print();
	if (!failure) return true;
	const [plan] = failure.counterexample!;
	const { history } = await playIds(plan, bundle);
	for (const event of history) console.log(JSON.stringify(event));
	console.log(`${String(failure.errorInstance)}\nPlan: ${JSON.stringify(plan)}`);
	console.log(
		`npm run simulate -- --seed ${failure.seed} --path ${failure.counterexamplePath} --runs 1`,
	);
	return false;
}

/** Simulates the pack with each planted bug. Every one must be found, in histories in which the pack as it is breaks no promise. */
async function findPlanted({ runs, seed }: RunOptions): Promise<boolean> {
	const options = { runs, seed, endOnFailure: true };
	const withoutBug = await simulate(await bundlePack(), options);
	if (withoutBug) {
		console.log(`History ${withoutBug.numRuns} fails without a planted bug: choose another --seed`);
		return false;
	}
	let areAllFound = true;
	for (const patch of planted satisfies Patch[]) {
		const failure = await simulate(await bundlePack(patch), options);
		console.log(`${failure ? `found after ${failure.numRuns}` : 'NOT FOUND'}: ${patch.name}`);
		areAllFound &&= failure !== undefined;
	}
	return areAllFound;
}

const { values } = parseArgs({
	options: {
		runs: { type: 'string', default: '100' },
		seed: { type: 'string', default: `${Date.now() % 2 ** 31}` },
		path: { type: 'string' },
		planted: { type: 'boolean', default: false },
	},
});
const options = { seed: Number(values.seed), runs: Number(values.runs), path: values.path };
void (values.planted ? findPlanted(options) : simulatePack(options)).then((isGood) => {
	process.exitCode = isGood ? 0 : 1;
});
