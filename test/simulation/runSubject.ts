import { Figures } from './figures';
import type { Totals } from './figures';
import type { SimulationOptions } from './options';
import { findPlanted } from './planted';
import regressions from './regressions.json';
import { everyCrash, playAll, playRandom } from './simulate';
import type { Failure, RandomOptions } from './simulate';
import type { Subject } from './subjects/subject';
import type { WorldPlan } from './subjects/worldPlan';
import type { PackBundle } from './world/packBundle';

/** A plan that once broke a promise. */
interface Regression {
	subject: string;
	/** Cause of the failure. */
	why: string;
	plan: WorldPlan;
}

/** Seeds of two workers are this far apart. */
const SEED_DISTANCE = 7919;

/** This worker's part of the histories and planted bugs of one subject. Prints failures with the command that repeats them. */
export class SubjectRun {
	private readonly figures = new Figures();
	private planted = 0;
	private plantedFound = 0;

	constructor(
		private readonly subject: Subject,
		private readonly bundle: PackBundle,
		private readonly options: SimulationOptions,
	) {}

	/** Plays the histories whose number is known: given ones, and short ones with every crash. */
	async playGiven(): Promise<void> {
		const { subject, bundle, options } = this;
		await this.figures.measure(async () => {
			if (options.planted) await this.findPlanted();
			else if (options.plan !== undefined) await this.play([JSON.parse(options.plan) as WorldPlan]);
			else {
				if (this.part === 0 && !options.randomOnly) await this.play(regressionsOf(subject));
				if (options.everyCrash)
					await this.play(select(everyCrash(subject, bundle), (index) => this.isMine(index)));
			}
		});
	}

	/** Plays random histories, as many as the options say, or for a time. */
	async playRandom(timeLimitMs?: number): Promise<void> {
		const { subject, bundle, options, figures } = this;
		if (options.planted || options.plan !== undefined) return;
		await figures.measure(async () =>
			printFailure(await playRandom(subject, bundle, { ...this.random, timeLimitMs }, figures)),
		);
	}

	totals(): Totals {
		const { planted, plantedFound } = this;
		return { ...this.figures.read(), planted, plantedFound };
	}

	private async play(plans: Iterable<WorldPlan> | AsyncIterable<WorldPlan>): Promise<void> {
		printFailure(await playAll(this.subject, plans, this.bundle, this.figures));
	}

	private async findPlanted(): Promise<void> {
		const { subject, bundle, options } = this;
		const bugs = subject.planted.filter(({ name }) => name.includes(options.bug ?? ''));
		for (const patch of bugs.filter((_, index) => this.isMine(index))) {
			this.planted++;
			if (await findPlanted(subject, patch, bundle, this.random)) this.plantedFound++;
		}
	}

	private get part(): number {
		return this.options.part ?? 0;
	}

	private get random(): RandomOptions {
		const { seed, runs, workers } = this.options;
		return { seed: seed + this.part * SEED_DISTANCE, runs: Math.ceil(runs / workers) };
	}

	private isMine(index: number): boolean {
		return index % this.options.workers === this.part;
	}
}

const regressionsOf = ({ name }: Subject): WorldPlan[] =>
	(regressions as unknown as Regression[])
		.filter(({ subject }) => subject === name)
		.map(({ plan }) => plan);

async function* select<T>(values: AsyncIterable<T>, isMine: (index: number) => boolean) {
	let index = 0;
	for await (const value of values) if (isMine(index++)) yield value;
}

function printFailure(failure: Failure | undefined): void {
	if (!failure) return;
	const { subject, plan, world, message } = failure;
	for (const event of world.history) console.log(JSON.stringify(event));
	console.log(message);
	console.log(`npm run simulate -- --subject '${subject}' --plan '${JSON.stringify(plan)}'`);
}
