import type { KnownRecords } from './knownRecords';
import { FIRST_POLL_REACH_MS } from './listCursor';
import { keepsAllRecords } from './recordAge';
import type { FollowOptions, ListDefinition } from './types';

/** How far a stamp may be ahead of the Date header of its response: a service's machines have separate clocks. */
const MAX_STAMP_LEAD_MS = 60_000;
/**
 * How many records stay known for longer than the overlap needs. If the service's clock is set back, a poll returns them
 * again, and known records are not mistaken for changes.
 */
const MAX_RETAINED_RECORDS = 2000;
/** A record that was missing from its list for this long counts as deleted. */
const VANISHED_AFTER_MS = 7 * 24 * 3_600_000;

/** The latest times at which forgotten records were seen; undefined if none was forgotten. */
interface Forgotten {
	/** Records that a filtered list returns again only after a change. */
	unneededLastSeenAt?: number;
	/** Records that the list may return again, although the follower no longer knows them. */
	returnableLastSeenAt?: number;
}

/** Forgets records of a list after a complete poll: those that no later poll needs, and those above the limit. */
export function forgetRecords(
	records: KnownRecords,
	list: ListDefinition,
	times: { savedCursor: number | undefined; firstResponseDate: number | undefined },
	{ overlapMs, maxKnown }: Pick<FollowOptions, 'overlapMs' | 'maxKnown'>,
): Forgotten {
	const { savedCursor, firstResponseDate } = times;
	const keepsAll = keepsAllRecords(list);
	if (firstResponseDate !== undefined) records.dateUndated(firstResponseDate);
	const unneededLastSeenAt =
		list.isFiltered && !keepsAll && savedCursor !== undefined
			? forgetUnneeded(records, savedCursor, overlapMs)
			: undefined;
	// Deleted records of a compared list would use up `maxKnown`. Without a Date header, it is unknown when a record was last
	// seen.
	const vanished =
		keepsAll && firstResponseDate !== undefined
			? records.forget(({ seenAt }) => seenAt < firstResponseDate - VANISHED_AFTER_MS)
			: undefined;
	const oldest = records.forget(() => records.size > maxKnown);
	return { unneededLastSeenAt, returnableLastSeenAt: oldest ?? vanished };
}

/** Forgets records that a filtered list returns again only after a change, except the most recent ones. */
function forgetUnneeded(records: KnownRecords, savedCursor: number, overlapMs: number) {
	const neededFrom = savedCursor - overlapMs - MAX_STAMP_LEAD_MS;
	const retainedFrom = savedCursor - FIRST_POLL_REACH_MS;
	// Records that must be kept do not count towards the limit.
	let count = records.count(({ state }) => !state.isKept);
	return records.forget(({ state, seenAt }) => {
		const isRetained = seenAt >= retainedFrom && count <= MAX_RETAINED_RECORDS;
		if (state.isKept || seenAt >= neededFrom || isRetained) return false;
		count--;
		return true;
	});
}
