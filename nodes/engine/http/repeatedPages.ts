import type { IDataObject } from 'n8n-workflow';

import { idOf } from './records';
import type { RecordKind } from './records';

/** Adds the ID of a record to a set. Returns whether it is new; a record without an ID always is. */
export function addIfNew(record: IDataObject, seenIds: Set<unknown>, kind: RecordKind): boolean {
	const id = idOf(record, kind);
	if (id === undefined) return true;
	if (seenIds.has(id)) return false;
	seenIds.add(id);
	return true;
}

/** Whether two pages have the same records. */
export function isSamePage(
	previous: IDataObject[],
	current: IDataObject[],
	kind: RecordKind,
): boolean {
	const sameRecord = (a: IDataObject, b: IDataObject) => {
		const id = idOf(a, kind);
		return id === undefined ? JSON.stringify(a) === JSON.stringify(b) : id === idOf(b, kind);
	};
	return (
		previous.length === current.length &&
		previous.every((record, index) => sameRecord(record, current[index]!))
	);
}

/**
 * Whether most records of a page are known. A record without an ID counts as known if it differs only in timestamps from the
 * record at the same position of the previous page.
 */
export function isStale(
	current: IDataObject[],
	fresh: IDataObject[],
	previous: IDataObject[],
	kind: RecordKind,
): boolean {
	const repeatedRecords = current.filter(
		(record, index) =>
			idOf(record, kind) === undefined &&
			previous[index] !== undefined &&
			withoutTimes(record) === withoutTimes(previous[index]),
	);
	return 2 * (current.length - fresh.length + repeatedRecords.length) > current.length;
}

const ISO_DATE = /^\d{4}-\d\d-\d\d/;
const withoutTimes = (record: IDataObject) =>
	JSON.stringify(record, (_, value: unknown) =>
		typeof value === 'string' && ISO_DATE.test(value) ? '' : value,
	);
