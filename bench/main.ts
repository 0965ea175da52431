import { terminalProgress } from '../lab/progress';
import { checkGoal } from './harness/figures';
import { formatGoals, formatTable } from './harness/format';
import type { Bench, Measurement } from './harness/measurement';
import { startBenchN8n } from './harness/n8n';
import type { BenchN8n } from './harness/n8n';
import {
	committedPaths,
	readMachine,
	readResults,
	writeReport,
	trialPaths,
} from './harness/report';
import { measurements } from './measurements';

/**
 * Runs the benchmarks: all of them, or those that are named. Writes the figures to bench/results, and tables and pictures to
 * docs/benchmarks.md. With --quick there are fewer rounds, and everything is written to .cache/bench instead.
 */

const ROUNDS = 5;
const QUICK_ROUNDS = 2;

function selectMeasurements(names: string[]): Measurement[] {
	const unknownName = names.find(
		(name) => !measurements.some((measurement) => measurement.name === name),
	);
	if (unknownName !== undefined) {
		const allNames = measurements.map(({ name }) => name).join(', ');
		throw new Error(`There is no benchmark '${unknownName}'. Available: ${allNames}.`);
	}
	return measurements.filter(({ name, onlyByName }) =>
		names.length > 0 ? names.includes(name) : !onlyByName,
	);
}

async function main(args: string[]): Promise<void> {
	const isQuick = args.includes('--quick');
	const selected = selectMeasurements(args.filter((arg) => arg !== '--quick'));
	const progress = terminalProgress(process.stdout);
	const paths = isQuick ? trialPaths : committedPaths;
	const results = await readResults(paths);
	let n8n: Promise<BenchN8n> | undefined;
	const bench: Bench = {
		rounds: isQuick ? QUICK_ROUNDS : ROUNDS,
		isQuick,
		progress,
		n8n: async () => await (n8n ??= startBenchN8n(progress)),
	};
	const failedNames: string[] = [];
	const startedAtMs = Date.now();
	try {
		for (const measurement of selected) {
			const measurementStartMs = Date.now();
			progress.print(`\n${measurement.title}`);
			const tables = await measurement.run(bench).catch((error: unknown) => {
				progress.print(`  Not measured: ${(error as Error).message}`);
				failedNames.push(measurement.name);
			});
			if (!tables) continue;
			const measuredAt = new Date().toISOString();
			const minutes = Number(((Date.now() - measurementStartMs) / 60_000).toFixed(1));
			results.resultByName[measurement.name] = {
				at: measuredAt,
				rounds: bench.rounds,
				minutes,
				tables,
				machine: readMachine(),
			};
			for (const table of tables)
				progress.print(
					[formatTable(table), ...formatGoals(table), ...(table.notes ?? [])].join('\n'),
				);
			// Writes after each measurement, so that a failure of a later one loses no results.
			await writeReport(results, measurements, paths);
		}
	} finally {
		await n8n?.then(async ({ stop }) => await stop()).catch(() => undefined);
	}
	const missedGoals = selected.flatMap(({ name }) =>
		(results.resultByName[name]?.tables ?? []).flatMap((table) =>
			(table.goals ?? []).filter((goal) => checkGoal(table, goal)?.isReached === false),
		),
	);
	if (failedNames.length > 0) throw new Error(`Not measured: ${failedNames.join(', ')}`);
	const minutes = ((Date.now() - startedAtMs) / 60_000).toFixed(1);
	progress.print(
		`\nDone in ${minutes} minutes. ${missedGoals.length} goals were missed. See ${paths.page}`,
	);
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
