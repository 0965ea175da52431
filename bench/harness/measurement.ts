import type { Progress } from '../../lab/progress';
import type { Row, Table } from './figures';
import type { BenchN8n } from './n8n';

/** One benchmark. */
export interface Measurement {
	/** Name on the command line. */
	name: string;
	/** Heading in the documentation. */
	title: string;
	/** Description of the method, in Markdown. */
	method: string;
	/** Whether the measurement runs only if it is named on the command line, because it is slow or rarely needed. */
	onlyByName?: true;
	run(bench: Bench): Promise<Table[]>;
}

/** Environment of a measurement. */
export interface Bench {
	/** Number of measured rounds. */
	rounds: number;
	/** Whether this is a trial run without committed results. */
	isQuick: boolean;
	/** Returns the n8n that all measurements share, and starts it on the first call. */
	n8n(): Promise<BenchN8n>;
	progress: Progress;
}

/** Does the work of one round and returns its values by metric, such as `time` and `cpu`. */
export type Contender = () => Promise<Record<string, number>>;

/**
 * Runs contenders alternately, so that other load on the machine affects all of them alike. One warm-up round precedes the
 * measured rounds, unless an earlier row has done it. Returns a row per metric.
 */
export async function interleave(
	{ rounds, progress }: Pick<Bench, 'rounds' | 'progress'>,
	row: Omit<Row, 'values'>,
	contenders: Record<string, Contender>,
	isWarm = false,
): Promise<Record<string, Row>> {
	const rowByMetric: Record<string, Row> = {};
	await progress.track({ title: `  ${row.name}` }, async () => {
		for (let round = isWarm ? 1 : 0; round <= rounds; round++) {
			for (const [name, runRound] of Object.entries(contenders)) {
				const metrics = await runRound();
				if (round === 0) continue;
				for (const [metric, value] of Object.entries(metrics)) {
					const { values } = (rowByMetric[metric] ??= { ...row, values: {} });
					(values[name] ??= []).push(value);
				}
			}
		}
	});
	return rowByMetric;
}

/** Collects the rows of one metric from the results of `interleave`. */
export const collectRows = (rowsByMetric: Array<Record<string, Row>>, metric: string): Row[] =>
	rowsByMetric.flatMap((rowByMetric) => rowByMetric[metric] ?? []);
