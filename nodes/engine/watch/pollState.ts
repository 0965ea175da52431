import type { IdReport, PollResult } from './types';

/** The consequences of a poll result for the loop. */
export interface PollConsequence {
	/** The service's message if it rejected the credential; the watcher must stop. */
	rejection?: string;
	report?: IdReport;
}

/** How many equal results in a row are believed: missing, doubtful or unreadable ones. */
const TIMES_UNTIL_BELIEVED = 3;

/** Run-time state of a watched ID; lost when the process ends. */
export interface PollState {
	/** Monotonic time at which it was added or restored. */
	since: number;
	/** Whether the service ever gave a good answer about it. */
	hasGoodAnswer: boolean;
	/** The kind that the last results share, for kinds that are believed only after several in a row. */
	repeated?: { kind: PollResult['kind']; times: number };
	doublings: number;
	/** The service's message about this ID alone. */
	problem?: string;
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
