import type { ServiceName } from '../../sandbox/service';
import { runCase, runWithoutFaults } from '../hostile/matrix/run';
import type { SandboxPool } from '../hostile/matrix/sandboxPool';
import { serializeRecords } from '../operations/changes';
import { labelOf } from '../support/samples/sample';
import type { Sample } from '../support/samples/sample';
import type { Rig } from '../support/sandboxRig';
import { PlainRuns } from './classify';
import type { End, ObservedRun } from './classify';
import { toFault } from './dialect';
import type { Dialect } from './dialect';

/** One operation and one dialect. */
export interface Pair {
	sample: Sample;
	dialect: Dialect;
}

/** End of a pair in which an answer differed from the service's own. */
export interface Result extends Pair {
	end: End;
	/** What the user gets, shortened. */
	outcome: string;
}

async function observe(
	{ sandbox }: Rig,
	{ node }: Sample,
	run: () => Promise<ObservedRun['run']>,
): Promise<ObservedRun> {
	const read = () => serializeRecords(sandbox.storedRecords(node as ServiceName));
	const before = read();
	return { before, run: await run(), after: read() };
}

/** Runs samples twice without a dialect. */
export async function runPlain(
	pool: SandboxPool,
	samples: readonly Sample[],
): Promise<ReadonlyMap<Sample, PlainRuns>> {
	const runs = await pool.runEach(
		[...samples, ...samples],
		async (rig, sample) =>
			await observe(rig, sample, async () => await runWithoutFaults(rig, pool.proxy, sample)),
	);
	return new Map(
		samples.map((sample, index) => {
			const [first, second] = [runs[index]!, runs[index + samples.length]!];
			if (first.run.error) throw new Error(`${labelOf(sample)} fails without a dialect`);
			return [sample, new PlainRuns(first, second)];
		}),
	);
}

/** Runs pairs and classifies those in which an answer differed. */
export async function measure(
	pool: SandboxPool,
	plain: ReadonlyMap<Sample, PlainRuns>,
	pairs: readonly Pair[],
): Promise<Result[]> {
	const results = await pool.runEach(pairs, async (rig, { sample, dialect }): Promise<Result[]> => {
		let changes = 0;
		const fault = toFault(dialect, () => changes++);
		const run = async () =>
			await observe(
				rig,
				sample,
				async () => await runCase(rig, pool.proxy, { sample, fault, position: 'always' }),
			);
		// Preparing a sample fails if the sandbox closes an idle connection at the same moment.
		const observed = await run().catch(async () => {
			rig.sandbox.reset();
			return await run();
		});
		if (changes === 0) return [];
		const { error, hints, outputItems } = observed.run;
		const outcome = error
			? `${error.message} | ${error.description ?? ''}`
			: `${outputItems.length} items, ${JSON.stringify(outputItems.slice(0, 1))} | ${hints.join(' | ')}`;
		const end = plain.get(sample)!.classify(observed, dialect);
		return [{ sample, dialect, end, outcome: outcome.slice(0, 500) }];
	});
	return results.flat();
}
