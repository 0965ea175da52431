import { terminalProgress } from '../lab/progress';
import { judge } from './harness/figures';
import { goalTexts, tableText } from './harness/format';
import type { Bench, Measurement } from './harness/measurement';
import { startBenchN8n } from './harness/n8n';
import type { BenchN8n } from './harness/n8n';
import { committed, readResults, report, uncommitted } from './harness/report';
import { measurements } from './measurements';

/**
 * Runs the benchmarks: all of them, or those that are named. Writes the figures to bench/results, and tables and pictures to
 * docs/benchmarks.md. With --quick there are fewer rounds, and all of it goes to .cache/bench instead.
 */

const ROUNDS = 5;
const QUICK_ROUNDS = 2;

function chosen(names: string[]): Measurement[] {
	const unknown = names.find((name) => !measurements.some((one) => one.name === name));
	if (unknown !== undefined) {
		const known = measurements.map(({ name }) => name).join(', ');
		throw new Error(`There is no benchmark '${unknown}'. There are: ${known}.`);
	}
	return measurements.filter(({ name, onlyByName }) =>
		names.length > 0 ? names.includes(name) : !onlyByName,
	);
}

async function main(args: string[]): Promise<void> {
	const quick = args.includes('--quick');
	const wanted = chosen(args.filter((arg) => arg !== '--quick'));
	const progress = terminalProgress(process.stdout);
	const places = quick ? uncommitted : committed;
	const results = await readResults(places);
	let n8n: Promise<BenchN8n> | undefined;
	const bench: Bench = {
		rounds: quick ? QUICK_ROUNDS : ROUNDS,
		quick,
		progress,
		n8n: async () => await (n8n ??= startBenchN8n(progress)),
	};
	const failed: string[] = [];
	const began = Date.now();
	try {
		for (const measurement of wanted) {
			const since = Date.now();
			progress.line(`\n${measurement.title}`);
			const tables = await measurement.run(bench).catch((error: unknown) => {
				progress.line(`  It could not be measured: ${(error as Error).message}`);
				failed.push(measurement.name);
			});
			if (!tables) continue;
			const at = new Date().toISOString();
			const minutes = Number(((Date.now() - since) / 60_000).toFixed(1));
			results.measurements[measurement.name] = { at, rounds: bench.rounds, minutes, tables };
			for (const table of tables)
				progress.line([tableText(table), ...goalTexts(table), ...(table.notes ?? [])].join('\n'));
			// After each, so that what was measured is not lost with what comes next.
			await report(results, measurements, places);
		}
	} finally {
		await n8n?.then(async ({ stop }) => await stop()).catch(() => undefined);
	}
	const missed = wanted.flatMap(({ name }) =>
		(results.measurements[name]?.tables ?? []).flatMap((table) =>
			(table.goals ?? []).filter((goal) => judge(table, goal)?.reached === false),
		),
	);
	if (failed.length > 0) throw new Error(`Not measured: ${failed.join(', ')}`);
	const minutes = ((Date.now() - began) / 60_000).toFixed(1);
	progress.line(`\nDone in ${minutes} minutes; goals missed: ${missed.length}. See ${places.page}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
