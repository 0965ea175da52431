import { keepsAllRecords } from './derivedEvents';
import type { KnownRecords } from './knownRecords';
import { FIRST_POLL_REACH_MS } from './listCursor';
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
			? records.forgetSeenBefore(savedCursor - overlapMs - MAX_STAMP_LEAD_MS, {
					from: savedCursor - FIRST_POLL_REACH_MS,
					most: MAX_RETAINED_RECORDS,
				})
			: undefined;
	// Deleted records of a compared list would use up `maxKnown`. Without a Date header, it is unknown when a record was last
	// seen.
	const vanished =
		keepsAll && firstResponseDate !== undefined
			? records.forgetVanished(firstResponseDate - VANISHED_AFTER_MS)
			: undefined;
	return { unneededLastSeenAt, returnableLastSeenAt: records.forgetOldest(maxKnown) ?? vanished };
}
