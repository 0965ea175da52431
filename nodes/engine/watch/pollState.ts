import type { EndedId, IdReport, PollResult, SavedId, WatchOptions } from './types';

/** How an ID ended, and how long ago, if that is known. */
export type IdEnd = Pick<EndedId, 'outcome' | 'result' | 'trouble'> & { endedAgoMs?: number };

/** An ID that is polled now. */
export interface DuePoll {
	entry: SavedId;
	report?: IdReport;
}

/** The consequences of a poll result for the loop. */
export interface PollConsequence {
	/** The service's message if it rejected the credential; the watcher must stop. */
	credentialRejectionMessage?: string;
	report?: IdReport;
}

/** Number of consecutive `missing`, `doubtful` or `unrecognized` results that end an ID. */
const CONSECUTIVE_RESULTS_TO_END = 3;
/** Limit to the doublings of an ID's interval when its requests fail while those of other IDs succeed. */
const MAX_DOUBLINGS = 5;

/** Run-time state of a watched ID; lost when the process ends. */
export interface PollState {
	/** Monotonic time at which the ID was added or restored. */
	watchedSinceMonotonicMs: number;
	/** Whether the service ever gave a good result about the ID. */
	hasGoodResult: boolean;
	/** The kind of the last results, and how many had it in a row, for kinds that end an ID only after several. */
	repeated?: { kind: PollResult['kind']; times: number };
	doublings: number;
	/** The service's last message about this ID; absent after a good result. */
	lastMessage?: string;
	/**
	 * The ID's state at the last poll. Kept only near the deadline, since it takes as much memory as all other state
	 * together.
	 */
	note?: unknown;
}

/** Returns the state of an ID that is watched from now on. */
export const newPollState = (entry: SavedId, monotonicMs: number): PollState => ({
	watchedSinceMonotonicMs: monotonicMs,
	hasGoodResult: entry.seenOutstanding === true,
	doublings: 0,
});

/** Counts one more result of a kind, and returns whether enough in a row had this kind to rely on it. */
export function isRepeatedEnough(
	pollState: PollState | undefined,
	kind: PollResult['kind'],
): boolean {
	if (!pollState) return false;
	const times = pollState.repeated?.kind === kind ? pollState.repeated.times + 1 : 1;
	pollState.repeated = { kind, times };
	return times >= CONSECUTIVE_RESULTS_TO_END;
}

/** Doubles the polling interval of an ID, up to a limit. */
export function doubleInterval(pollState: PollState): void {
	pollState.doublings = Math.min(pollState.doublings + 1, MAX_DOUBLINGS);
}

/** Returns the polling interval of an ID, doubled for each failure up to the limit. */
export function pollIntervalOf(
	{ doublings }: PollState,
	{ intervalMs, longestPauseMs }: Pick<WatchOptions, 'intervalMs' | 'longestPauseMs'>,
): number {
	return Math.max(intervalMs, Math.min(longestPauseMs, intervalMs * 2 ** doublings));
}
