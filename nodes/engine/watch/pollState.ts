import type { EndedId, IdReport, PollResult, SavedId, WatchOptions } from './types';

export type Ending = Pick<EndedId, 'outcome' | 'result' | 'trouble'>;

/** An ID that is polled now. */
export interface DuePoll {
	entry: SavedId;
	report?: IdReport;
}

/** The consequences of a poll result for the loop. */
export interface PollConsequence {
	/** The service's message if it rejected the credential; the watcher must stop. */
	rejection?: string;
	report?: IdReport;
}

/** Number of consecutive `missing`, `doubtful` or `unrecognized` results that end an ID. */
const TIMES_UNTIL_BELIEVED = 3;

/** Run-time state of a watched ID; lost when the process ends. */
export interface PollState {
	/** Monotonic time at which it was added or restored. */
	trackedSinceMonotonic: number;
	/** Whether the service ever gave a good answer about it. */
	hasGoodResult: boolean;
	/** The kind that the last results share, for kinds that are believed only after several in a row. */
	repeated?: { kind: PollResult['kind']; times: number };
	doublings: number;
	/** The service's last message about this ID; absent after a good answer. */
	lastMessage?: string;
	/**
	 * The state at the last poll. Kept only near the deadline, since it takes as much memory as everything else together.
	 */
	note?: unknown;
}

/** Counts one more result of a kind, and returns whether there were enough in a row to be believed. */
export function countRepeat(pollState: PollState | undefined, kind: PollResult['kind']): boolean {
	if (!pollState) return false;
	const times = pollState.repeated?.kind === kind ? pollState.repeated.times + 1 : 1;
	pollState.repeated = { kind, times };
	return times >= TIMES_UNTIL_BELIEVED;
}

/** Returns the polling interval of an ID, doubled for each failure up to the limit. */
export function pollIntervalOf(
	{ doublings }: PollState,
	{ intervalMs, longestPauseMs }: Pick<WatchOptions, 'intervalMs' | 'longestPauseMs'>,
): number {
	return Math.max(intervalMs, Math.min(longestPauseMs, intervalMs * 2 ** doublings));
}
