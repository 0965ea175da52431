import 'reflect-metadata';
import { fork } from 'node:child_process';

import { addTotals, toRow } from './figures';
import type { Totals } from './figures';
import { readOptions } from './options';
import { SubjectRun } from './runSubject';
import { subjects } from './subjects';
import { bundlePack } from './world/packBundle';
import { writeTable } from './writeTable';

const options = readOptions();
const chosen = subjects.filter(({ name }) => options.subjects?.includes(name) ?? true);

/** Simulates the chosen subjects in this process. Returns the totals by subject. They share the time for random histories. */
async function runHere(): Promise<Record<string, Totals>> {
	const endMs = performance.now() + (options.minutes ?? 0) * 60_000;
	const bundle = await bundlePack();
	const runs = chosen.map((subject) => new SubjectRun(subject, bundle, options));
	for (const run of runs) await run.playGiven();
	for (const [index, run] of runs.entries())
		await run.playRandom(options.minutes && (endMs - performance.now()) / (runs.length - index));
	return Object.fromEntries(chosen.map(({ name }, index) => [name, runs[index]!.totals()]));
}

/** Starts workers and returns the totals of each. */
async function runInWorkers(): Promise<Array<Record<string, Totals>>> {
	const seed = ['--seed', `${options.seed}`];
	return await Promise.all(
		Array.from({ length: options.workers }, async (_, part) => {
			const worker = fork(__filename, [...process.argv.slice(2), ...seed, '--part', `${part}`]);
			return await new Promise<Record<string, Totals>>((resolve, reject) => {
				worker.once('message', (message) => resolve(message as Record<string, Totals>));
				worker.once('exit', () => reject(new Error('A worker ended without a result')));
			});
		}),
	);
}

/** Prints the totals of all workers. Returns whether every promise was kept and every planted bug was found. */
function report(parts: Array<Record<string, Totals>>): boolean {
	const sums = Object.fromEntries(
		chosen.map(({ name }) => [name, addTotals(parts.map((part) => part[name]!))]),
	);
	for (const [name, { exceptions }] of Object.entries(sums))
		for (const [limit, count] of Object.entries(exceptions))
			console.log(`${name}: excused ${count} times: ${limit}`);
	const rows = Object.fromEntries(
		Object.entries(sums).map(([name, totals]) => [name, toRow(totals)]),
	);
	console.table(rows);
	const hashes = Object.values(sums).flatMap((totals) => totals.hashes);
	console.log(`seed ${options.seed}, hash of all histories: ${hashes.join(' ')}`);
	if (options.write) writeTable(rows, options.planted);
	return Object.values(sums).every(
		({ violations, planted, plantedFound }) => violations === 0 && planted === plantedFound,
	);
}

/** Prints the undisturbed history of a short plan. */
async function printShort(index: number): Promise<void> {
	const [subject] = chosen;
	const { history } = await subject!.play(subject!.shortPlans[index]!, await bundlePack());
	for (const event of history) console.log(JSON.stringify(event));
}

/** Throws if the options name something that does not exist, so that nothing passes unseen. */
function checkOptions(): void {
	const names = subjects.map(({ name }) => name);
	const unknown = options.subjects?.find((name) => !names.includes(name));
	if (unknown !== undefined)
		throw new Error(`No subject is called '${unknown}'. Subjects: ${names.join(', ')}`);
	const { bug, planted, short } = options;
	const bugs = chosen.flatMap((subject) => subject.planted);
	if (bug !== undefined && !(planted && bugs.some(({ name }) => name.includes(bug))))
		throw new Error(`--bug needs --planted and a text of a bug's name, not '${bug}'`);
	if (short !== undefined && !chosen[0]?.shortPlans[short])
		throw new Error(`The subject has no short plan ${short}`);
}

async function run(): Promise<void> {
	checkOptions();
	if (options.short !== undefined) return await printShort(options.short);
	if (options.part !== undefined) {
		process.send!(await runHere(), () => process.exit());
		return;
	}
	const parts = options.workers > 1 ? await runInWorkers() : [await runHere()];
	process.exitCode = report(parts) ? 0 : 1;
}

void run();
