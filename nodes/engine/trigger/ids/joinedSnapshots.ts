import type { SavedId, IdSnapshot } from './core';

/**
 * Puts together what the last trigger of this process knew and what n8n has saved. n8n can start a trigger again with
 * static data from before its last save, so neither is always the newer one; but an id only ever moves on, so both are right.
 * Only one that was given up begins anew, and is then seen first at a later time.
 */
export function joinedSnapshots(
	parked: Pick<IdSnapshot, 'ids' | 'ended'>,
	{ ids, ended }: Pick<IdSnapshot, 'ids' | 'ended'>,
): IdSnapshot {
	const furthest = new Map<string, SavedId>();
	for (const entry of [...parked.ids, ...ids]) {
		const known = furthest.get(entry.id);
		if (!known || isFurther(entry, known)) furthest.set(entry.id, entry);
	}
	return { version: 1, ids: [...furthest.values()], ended: [...parked.ended, ...ended] };
}

const isFurther = (a: SavedId, b: SavedId): boolean =>
	a.since > b.since || (a.since === b.since && progress(a) > progress(b));

function progress({ end }: SavedId): number {
	if (!end) return 0;
	return end.reportedAs ? 2 : 1;
}
