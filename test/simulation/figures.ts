import { createHash } from 'node:crypto';

import type { Verdict } from './checker/verdict';
import type { World } from './world/world';

/** Totals of one subject's histories. Plain JSON: workers send them to the process that started them. */
export interface Totals {
	histories: number;
	hoursLived: number;
	deaths: number;
	clockSteps: number;
	faults: number;
	starts: number;
	violations: number;
	cpuSeconds: number;
	/** Points at which a process could be killed, and whether one was. */
	crashPoints: Record<string, boolean>;
	/** How often each documented limit excused something. */
	exceptions: Record<string, number>;
	plantedFound: number;
	planted: number;
	hashes: string[];
}

const noTotals = (): Totals => ({
	histories: 0,
	hoursLived: 0,
	deaths: 0,
	clockSteps: 0,
	faults: 0,
	starts: 0,
	violations: 0,
	cpuSeconds: 0,
	crashPoints: {},
	exceptions: {},
	plantedFound: 0,
	planted: 0,
	hashes: [],
});

/** Counts the histories of one subject. */
export class Figures {
	private readonly totals = noTotals();
	private readonly hash = createHash('sha256');

	add(world: World, { startsChecked, exceptions, violations }: Verdict): void {
		const { totals } = this;
		this.hash.update(JSON.stringify(world.history));
		totals.histories++;
		totals.hoursLived += world.livedMs / 3_600_000;
		totals.deaths += world.deathCount;
		totals.clockSteps += world.clockStepCount;
		totals.faults += world.faultCount;
		totals.starts += startsChecked;
		totals.violations += violations.length;
		for (const point of world.crashes.points) totals.crashPoints[point] ??= false;
		for (const point of world.crashes.struckPoints) totals.crashPoints[point] = true;
		for (const [name, count] of exceptions)
			totals.exceptions[name] = (totals.exceptions[name] ?? 0) + count;
	}

	/** Adds the CPU time that playing some of the histories takes. */
	async measure(play: () => Promise<void>): Promise<void> {
		const before = process.cpuUsage();
		await play();
		const { user, system } = process.cpuUsage(before);
		this.totals.cpuSeconds += (user + system) / 1e6;
	}

	read(): Totals {
		return { ...this.totals, hashes: [this.hash.copy().digest('hex')] };
	}
}

/** Adds up totals of several workers. */
export function addTotals(all: Totals[]): Totals {
	const sum = noTotals();
	for (const totals of all) {
		for (const [name, value] of Object.entries(totals))
			if (typeof value === 'number') (sum as unknown as Record<string, number>)[name]! += value;
		for (const [point, isStruck] of Object.entries(totals.crashPoints))
			sum.crashPoints[point] = isStruck || (sum.crashPoints[point] ?? false);
		for (const [name, count] of Object.entries(totals.exceptions))
			sum.exceptions[name] = (sum.exceptions[name] ?? 0) + count;
		sum.hashes.push(...totals.hashes);
	}
	return sum;
}

/** Returns the cells of a subject's row, by the title of their column. */
export function toRow(totals: Totals): Record<string, string> {
	const { deaths, cpuSeconds, crashPoints, exceptions } = totals;
	const struck = Object.values(crashPoints).filter(Boolean).length;
	const excused = Object.values(exceptions).reduce((sum, count) => sum + count, 0);
	const format = (value: number) => Math.round(value).toLocaleString('en');
	return {
		histories: format(totals.histories),
		'hours lived': format(totals.hoursLived),
		deaths: format(deaths),
		'deaths per CPU second': cpuSeconds > 0 ? (deaths / cpuSeconds).toFixed(1) : '0',
		'crash points': `${struck} of ${Object.keys(crashPoints).length}`,
		'clock steps': format(totals.clockSteps),
		faults: format(totals.faults),
		'results checked': format(totals.starts),
		'planted bugs found': totals.planted > 0 ? `${totals.plantedFound} of ${totals.planted}` : '',
		exceptions: format(excused),
		violations: format(totals.violations),
	};
}
