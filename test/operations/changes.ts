import { isDeepStrictEqual } from 'node:util';

import type { StoredRecords } from '../../sandbox/service';
import type { Changes } from '../support/samples/sample';

/** State of a service at one moment: each record as text, by kind and ID. */
export type RecordSnapshot = Record<string, Record<string, string>>;

/** Serializes a service's records; faster to create and compare than copies. */
export const serializeRecords = (records: StoredRecords): RecordSnapshot =>
	mapValues(records, (recordsOfKind) =>
		mapValues(recordsOfKind, (record) => JSON.stringify(record)),
	);

/** Compares two states of a service. */
export function changesBetween(before: RecordSnapshot, after: RecordSnapshot): Required<Changes> {
	const changes: Required<Changes> = { added: {}, removed: {}, changed: {} };
	for (const kind of new Set([...Object.keys(before), ...Object.keys(after)])) {
		const [oldRecords, newRecords] = [before[kind] ?? {}, after[kind] ?? {}];
		const added = Object.keys(newRecords).filter((id) => !(id in oldRecords));
		if (added.length > 0)
			changes.added[kind] = added.map((id) => JSON.parse(newRecords[id]!) as unknown);
		const removed = Object.keys(oldRecords).filter((id) => !(id in newRecords));
		if (removed.length > 0) changes.removed[kind] = removed;
		for (const [id, record] of Object.entries(oldRecords)) {
			if (!(id in newRecords) || record === newRecords[id]) continue;
			const values = findNewValues(JSON.parse(record), JSON.parse(newRecords[id]!));
			// The same fields in another order are no change.
			if (Object.keys(values).length > 0) (changes.changed[kind] ??= {})[id] = values;
		}
	}
	return changes;
}

/** Returns the fields that differ, with their new values. A record that is not an object has one field, `value`. */
function findNewValues(oldRecord: unknown, newRecord: unknown): Record<string, unknown> {
	if (typeof oldRecord !== 'object' || oldRecord === null) return { value: newRecord };
	const [before, after] = [oldRecord, newRecord] as [
		Record<string, unknown>,
		Record<string, unknown>,
	];
	const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
	return Object.fromEntries(
		names
			.filter((name) => !isDeepStrictEqual(before[name], after[name]))
			.map((name) => [name, after[name]]),
	);
}

const mapValues = <T, U>(
	record: Record<string, T>,
	transform: (value: T) => U,
): Record<string, U> =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [name, transform(value)]));
