import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, eventTimeOf } from './core';
import type { FollowedList } from './followable';

/** A record to show as an example. */
export interface NewestRecord {
	list: FollowedList;
	kind: string;
	record: IDataObject;
	time: number;
}

/** The newest of these records and the one before; of those that are equally new, the one that comes last. */
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
		const time = eventTimeOf(record, list.facets, kind);
		if (!newest || time >= newest.time) newest = { list, kind, record, time };
	}
	return newest;
}

/** As what a record would have started the workflow: by what has happened to it or, if that leaves no trace, by what is chosen. */
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
	const { status } = list.facets;
	const statusKind = status && kinds.has(status.kind) ? status.kind : undefined;
	return events[0]?.kind ?? statusKind;
}
