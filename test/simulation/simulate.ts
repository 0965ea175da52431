import fc from 'fast-check';

import type { Figures } from './figures';
import type { Subject } from './subjects/subject';
import type { WorldPlan } from './subjects/worldPlan';
import type { Crash } from './world/crashes';
import type { PackBundle } from './world/packBundle';
import type { World } from './world/world';

export interface RandomOptions {
	seed: number;
	runs: number;
	/** Whether the first failure is enough, without a search for a smaller one. */
	endOnFailure?: boolean;
	/** Time after which no further history begins. */
	timeLimitMs?: number;
}

/** A history that breaks a promise. */
export interface Failure {
	subject: string;
	plan: WorldPlan;
	world: World;
	message: string;
	/** Number of histories until it was found. */
	found: number;
}

/** Histories for a time are played in series of this length, with seeds of their own. */
const RUNS_OF_SERIES = 20;
const SERIES_DISTANCE = 1_000_003;

/** Searching for a smaller history ends after this time. */
const SHRINK_MS = 30_000;

/** n8n's downtime after the crashes that are tried one by one: short, so that the people of a short plan still act afterwards. */
const DOWNTIME_MS = 1000;

/** Plays one plan. Returns its world, and the first broken promise as `message`. */
export async function playOne(
	subject: Subject,
	plan: WorldPlan,
	bundle: PackBundle,
	figures?: Figures,
) {
	const world = await subject.play(plan, bundle);
	const verdict = subject.check(world.history);
	figures?.add(world, verdict);
	const [violation] = verdict.violations;
	return { world, message: violation && `${violation.promise}: ${violation.detail}` };
}

/** Plays random histories. Returns the first that breaks a promise, shrunk, or undefined. */
export async function playRandom(
	subject: Subject,
	bundle: PackBundle,
	{ timeLimitMs, ...options }: RandomOptions,
	figures?: Figures,
): Promise<Failure | undefined> {
	if (timeLimitMs === undefined) return await playSome(subject, bundle, options, figures);
	// fast-check could only abandon the history that it plays, which would disturb the next one.
	const endMs = performance.now() + timeLimitMs;
	for (let seed = options.seed; performance.now() < endMs; seed += SERIES_DISTANCE) {
		const series = { ...options, seed, runs: RUNS_OF_SERIES };
		const failure = await playSome(subject, bundle, series, figures);
		if (failure) return failure;
	}
	return undefined;
}

async function playSome(
	subject: Subject,
	bundle: PackBundle,
	{ runs: numRuns, ...parameters }: RandomOptions,
	figures?: Figures,
): Promise<Failure | undefined> {
	let found = 0;
	let hasFailed = false;
	let shrinkUntil = Infinity;
	const play = async (plan: WorldPlan) => {
		// A pass ends the search for a smaller history.
		if (performance.now() > shrinkUntil) return;
		const { message } = await playOne(subject, plan, bundle, hasFailed ? undefined : figures);
		if (!hasFailed) found++;
		if (!message) return;
		if (!hasFailed) shrinkUntil = performance.now() + SHRINK_MS;
		hasFailed = true;
		throw new Error(message);
	};
	const result = await fc.check(fc.asyncProperty(subject.plans, play), { numRuns, ...parameters });
	const plan = result.counterexample?.[0];
	if (!plan) return undefined;
	const { world, message = 'The failure does not repeat' } = await playOne(subject, plan, bundle);
	return { subject: subject.name, plan, world, message, found };
}

/** Returns each short plan without a crash, and with one before and after every effect. */
export async function* everyCrash(subject: Subject, bundle: PackBundle): AsyncGenerator<WorldPlan> {
	for (const shortPlan of subject.shortPlans) {
		yield shortPlan;
		const undisturbed = await subject.play(shortPlan, bundle);
		for (const crash of crashesIn(undisturbed)) yield { ...shortPlan, crashes: [crash] };
	}
}

/** Plays plans. Returns the first that breaks a promise. */
export async function playAll(
	subject: Subject,
	plans: AsyncIterable<WorldPlan> | Iterable<WorldPlan>,
	bundle: PackBundle,
	figures?: Figures,
): Promise<Failure | undefined> {
	let found = 0;
	for await (const plan of plans) {
		found++;
		const { world, message } = await playOne(subject, plan, bundle, figures);
		if (message) return { subject: subject.name, plan, world, message, found };
	}
	return undefined;
}

function crashesIn({ crashes }: World): Crash[] {
	const sides = ['before', 'after'] as const;
	return [...crashes.effectCounts].flatMap(([kind, count]) =>
		Array.from({ length: count }, (_, index) =>
			sides.map((side) => ({ kind, nth: index + 1, side, downtimeMs: DOWNTIME_MS })),
		).flat(),
	);
}
