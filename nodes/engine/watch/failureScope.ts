import type { Pace } from './pace';
import type { PollState } from './pollState';
import type { BadResult } from './types';

/** Scope of a bad result: the ID, the whole service or, while that is unknown, either. */
type FailureScope = 'id' | 'service' | 'either';

/**
 * Counts a bad result, and returns its scope. The first of these rules that applies decides:
 * 1. `id` if another ID got a good result a moment ago.
 * 2. `id` if the response is unrecognized, another ID got a good result since this one was added, and nothing has degraded.
 * 3. `service` if the credential is rejected, or if there were as many bad results as watched IDs since the last
 *    good one.
 * 4. `either` until then.
 *
 * In rule 2 the other ID may have ended. The service has degraded if it has a fault, or if an ID that used to get good
 * results, possibly this one, no longer does.
 */
export function classifyBadResult(
	pace: Pace,
	poll: { id: string; kind: BadResult['kind']; state: PollState | undefined; monotonicMs: number },
	watchedCount: number,
): FailureScope {
	const { id, kind, state, monotonicMs } = poll;
	const badResultsReachWatchedCount = pace.recordBadResult(
		state?.hasGoodResult === true,
		watchedCount,
	);
	if (pace.hadOtherGoodResultRecently(id, monotonicMs)) return 'id';
	const hadOtherGoodResultSince =
		state !== undefined && pace.lastGoodAtOfOthers(id) >= state.watchedSinceMonotonicMs;
	if (kind === 'unrecognized' && hadOtherGoodResultSince && !pace.hasDegraded) return 'id';
	return kind === 'credentialRejected' || badResultsReachWatchedCount ? 'service' : 'either';
}
