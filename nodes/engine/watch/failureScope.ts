import type { Pace } from './pace';
import type { PollState } from './pollState';
import type { BadResult } from './types';

/** Scope of a bad result: the ID, the whole service or, while that is unknown, either. */
type FailureScope = 'id' | 'service' | 'either';

/**
 * Counts a bad result, and returns whether it concerns this ID or the whole service. It concerns the ID if another ID got a
 * good result a moment ago. An unrecognized response also concerns the ID if another ID, which may have ended, got a good
 * result since this one was added, unless the service has degraded: it has a fault, or an ID that used to get good results
 * (possibly this one) no longer does. Otherwise a rejected credential concerns the service. Any other result does so once
 * every ID was polled; until then, it may be either.
 */
export function classifyBadResult(
	pace: Pace,
	poll: { id: string; kind: BadResult['kind']; state: PollState | undefined; monotonicMs: number },
	watchedCount: number,
): FailureScope {
	const { id, kind, state, monotonicMs } = poll;
	const allPolled = pace.countBadResult(state?.hasGoodResult === true, watchedCount);
	if (pace.hadOtherGoodResultRecently(id, monotonicMs)) return 'id';
	const hadOtherGoodResultSince =
		state !== undefined && pace.lastGoodAtOfOthers(id) >= state.trackedSinceMonotonic;
	if (kind === 'unrecognized' && hadOtherGoodResultSince && !pace.hasDegraded) return 'id';
	return kind === 'credentialRejected' || allPolled ? 'service' : 'either';
}
