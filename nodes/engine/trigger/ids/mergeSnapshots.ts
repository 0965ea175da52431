import type { RestoredIds, SavedId } from '../../watch';

/**
 * Merges the state of the previous trigger in this process with the state that n8n saved. n8n 2.41.1 can restart a trigger
 * with static data from before its last save, so either state can be the newer one. An ID only ever progresses, so for each
 * ID the state that has progressed further is right. Only an ID that was given up can start anew; its `addedAt` is then
 * later.
 */
export function mergeSnapshots(
	previous: RestoredIds,
	{ ids, confirmedIds }: RestoredIds,
): RestoredIds {
	const furthest = new Map<string, SavedId>();
	for (const entry of [...previous.ids, ...ids]) {
		const furthestSoFar = furthest.get(entry.id);
		if (!furthestSoFar || isFurther(entry, furthestSoFar)) furthest.set(entry.id, entry);
	}
	return {
		ids: [...furthest.values()],
		confirmedIds: [...previous.confirmedIds, ...confirmedIds],
	};
}

const isFurther = (a: SavedId, b: SavedId): boolean =>
	a.addedAt > b.addedAt || (a.addedAt === b.addedAt && progress(a) > progress(b));

function progress({ end }: SavedId): number {
	if (!end) return 0;
	return end.reportedAs ? 2 : 1;
}
