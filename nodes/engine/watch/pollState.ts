import { retryDelayMs } from '../retryDelay';
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
/** The interval of an ID whose requests fail, while those of other IDs succeed, grows up to this many times. */
const MAX_SLOWDOWN = 32;
/** Range of the random factor of an interval. It never shortens it: an ID is not polled sooner than its interval. */
const JITTER = [1, 1.1] as const;

/** Run-time state of a watched ID; lost when the process ends. */
export interface PollState {
	/** Monotonic time at which the ID was added or restored. */
	watchedSinceMonotonicMs: number;
	/** Whether the service ever gave a good result about the ID. */
	hasGoodResult: boolean;
	/** The kind of the last results, and how many had it in a row, for kinds that end an ID only after several. */
	repeated?: { kind: PollResult['kind']; times: number };
	/** Number of results, since the last good one, that concern the ID alone. */
	failures: number;
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
	failures: 0,
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

/** Returns the time until the next poll of an ID: its interval, doubled for each failure up to the limit. */
export function pollDelayMs(
	{ failures }: PollState,
	{ intervalMs, longestPauseMs }: Pick<WatchOptions, 'intervalMs' | 'longestPauseMs'>,
	random: () => number,
): number {
	const maxMs = Math.max(intervalMs, Math.min(longestPauseMs, intervalMs * MAX_SLOWDOWN));
	const limits = { firstMs: intervalMs, maxMs, jitter: JITTER };
	return retryDelayMs(failures + 1, limits, undefined, random);
}
