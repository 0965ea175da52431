import { parseArgs } from 'node:util';

/** Options of the command. */
export interface SimulationOptions {
	/** Names of subjects; all if undefined. */
	subjects?: string[];
	/** Seed of the random histories. */
	seed: number;
	/** Random histories per subject. */
	runs: number;
	/** Time for all subjects together, instead of a number of random histories. */
	minutes?: number;
	/** A single plan as JSON, as a failure prints it; nothing else is played. */
	plan?: string;
	/** Whether each short plan is repeated with a crash at every effect. */
	everyCrash: boolean;
	/** Whether only random histories are played, and no plan that once failed. */
	randomOnly: boolean;
	/** Whether planted bugs are searched. */
	planted: boolean;
	/** Only planted bugs with this text in their name. */
	bug?: string;
	/** Number of a short plan whose history is printed. */
	short?: number;
	/** Processes that share the work. */
	workers: number;
	/** Number of this process among the workers, from 0 on; undefined in the process that starts them. */
	part?: number;
	/** Whether the figures are written into docs/reliability.md. */
	write: boolean;
}

const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text));

export function readOptions(): SimulationOptions {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({
		options: {
			subject: text,
			seed: text,
			runs: text,
			minutes: text,
			plan: text,
			'every-crash': flag,
			'random-only': flag,
			planted: flag,
			bug: text,
			short: text,
			workers: text,
			part: text,
			write: flag,
		},
	});
	return {
		subjects: values.subject?.split(','),
		seed: toNumber(values.seed) ?? Date.now() % 2 ** 31,
		runs: toNumber(values.runs) ?? 100,
		minutes: toNumber(values.minutes),
		plan: values.plan,
		everyCrash: values['every-crash'],
		randomOnly: values['random-only'],
		planted: values.planted,
		bug: values.bug,
		short: toNumber(values.short),
		workers: toNumber(values.workers) ?? 1,
		part: toNumber(values.part),
		write: values.write,
	};
}
