import type { PollResult } from './types';

/** So many times the same in a row is believed: missing, doubtful or unreadable. */
const TIMES_UNTIL_BELIEVED = 3;

/** What is known of a watched id only as long as the process lives. */
export interface PollState {
	/** When it came, by the monotonic clock. */
	since: number;
	/** Whether the service ever had a good answer about it. */
	hasGoodAnswer: boolean;
	/** What the last answers had in common that is believed only after several in a row. */
	repeated?: { kind: PollResult['kind']; times: number };
	doublings: number;
	/** What the service has against this id alone. */
	problem?: string;
	/** What it looked like when it was asked for last; only as the deadline comes near, since it takes as much room as all the rest. */
	note?: unknown;
}

/** Notes one more answer of a kind, and says whether there were enough of them in a row to be believed. */
export function countRepeat(pollState: PollState | undefined, kind: PollResult['kind']): boolean {
	if (!pollState) return false;
	const times = pollState.repeated?.kind === kind ? pollState.repeated.times + 1 : 1;
	pollState.repeated = { kind, times };
	return times >= TIMES_UNTIL_BELIEVED;
}
