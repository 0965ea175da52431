import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { RequestStats } from '../http/types';
import { tracingOf } from '../n8n/executeData';
import type { ItemResult } from '../operation';

/**
 * Adds the numbers of this run to the execution's metadata, where n8n's traces and the editor's API find them: requests,
 * retries, seconds paused by rate limits, and, for operations that wait, the outcomes and the longest wait. Numbers of
 * earlier tries and of the run before parking are added. The metadata contains nothing that identifies a person.
 */
export function traceRun(
	context: IExecuteFunctions,
	stats: RequestStats,
	results: ItemResult[] = [],
): void {
	const records = results.flatMap((result) => ('items' in result ? result.items : []));
	const outcomes = records.flatMap(({ outcome }) => (typeof outcome === 'string' ? [outcome] : []));
	const previous = tracingOf(context);
	const sum = (name: string, value: number) => Number(previous[name] ?? 0) + value;
	context.setMetadata({
		tracing: {
			requests: sum('requests', stats.requests),
			retries: sum('retries', stats.retries),
			rateLimitedSeconds: sum('rateLimitedSeconds', Math.round(stats.pausedMs / 1000)),
			...(outcomes.length > 0 && { outcome: countOutcomes(outcomes), ...longestWait(records) }),
		},
	});
}

/** Returns the outcome, or the number of items with each outcome if there are several items: "approved: 2, denied: 1". */
function countOutcomes(outcomes: string[]): string {
	if (outcomes.length === 1) return outcomes[0]!;
	const names = [...new Set(outcomes)].sort();
	return names
		.map((name) => `${name}: ${outcomes.filter((outcome) => outcome === name).length}`)
		.join(', ');
}

function longestWait(records: IDataObject[]): { waitedSeconds?: number } {
	const seconds = records.flatMap(({ waitedSeconds }) =>
		typeof waitedSeconds === 'number' ? [waitedSeconds] : [],
	);
	return seconds.length > 0 ? { waitedSeconds: Math.max(...seconds) } : {};
}
