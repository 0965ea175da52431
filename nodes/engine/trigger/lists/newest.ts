import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, eventTimeOf } from './core';
import type { FollowedList } from './listTriggerDefinition';

/** The record that a test run shows. */
export interface NewestRecord {
	list: FollowedList;
	kind: string;
	record: IDataObject;
	time: number;
}

/**
 * Returns the newest record that the user's filters and selected kinds include, or `previous` if that is newer. Of equally
 * new records, returns the last.
 */
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
 * Returns the kind of change that a test run reports for a record. This is the selected event that the record's dates show.
 * A status change leaves no date, so its kind is the fallback if the user selected it.
 */
function kindOf(
	record: IDataObject,
	list: FollowedList,
	kinds: ReadonlySet<string>,
): string | undefined {
	const { events } = deriveEvents(record, list, {
		known: undefined,
		followedSince: -Infinity,
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
