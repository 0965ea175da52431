import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, eventTimeOf } from './core';
import type { FollowedList } from './followable';

/** The record that a test run shows. */
export interface NewestRecord {
	list: FollowedList;
	kind: string;
	record: IDataObject;
	time: number;
}

/** Returns the newest of these records and `previous`; of equally new ones, the last. */
export function findNewest(
	records: IDataObject[],
	list: FollowedList,
	kinds: ReadonlySet<string>,
	previous: NewestRecord | undefined,
): NewestRecord | undefined {
	let newest = previous;
	for (const record of records) {
		const kind = list.matches?.(record) === false ? undefined : kindOf(record, list, kinds);
		if (kind === undefined) continue;
		const time = eventTimeOf(record, list.changeSchema, kind);
		if (!newest || time >= newest.time) newest = { list, kind, record, time };
	}
	return newest;
}

/**
 * Returns the kind as which a record would have started the workflow: the event that its dates show. A change of status leaves
 * no date, so it counts if the user selected it and no other event shows.
 */
function kindOf(
	record: IDataObject,
	list: FollowedList,
	kinds: ReadonlySet<string>,
): string | undefined {
	const { events } = deriveEvents(record, list, {
		known: undefined,
		floor: -Infinity,
		isFirstPoll: false,
		areDatesInconclusive: false,
		includeExisting: true,
		intervalMs: 0,
		kinds,
	});
	const { status } = list.changeSchema;
	const statusKind = status && kinds.has(status.kind) ? status.kind : undefined;
	return events[0]?.kind ?? statusKind;
}
