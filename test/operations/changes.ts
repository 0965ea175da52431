import { isDeepStrictEqual } from 'node:util';

import type { StoredRecords } from '../../sandbox/service';
import type { Changes } from '../support/samples/sample';

/** State of a service at one moment: each record as text, by kind and ID. */
export type RecordSnapshot = Record<string, Record<string, string>>;

/** Serializes a service's records; faster to create and compare than copies. */
export const serializeRecords = (records: StoredRecords): RecordSnapshot =>
	map(records, (records) => map(records, (record) => JSON.stringify(record)));

/** Compares two states of a service. */
export function changesBetween(before: RecordSnapshot, after: RecordSnapshot): Required<Changes> {
	const changes: Required<Changes> = { added: {}, removed: {}, changed: {} };
	for (const kind of new Set([...Object.keys(before), ...Object.keys(after)])) {
		const [old, now] = [before[kind] ?? {}, after[kind] ?? {}];
		const added = Object.keys(now).filter((id) => !(id in old));
		if (added.length > 0) changes.added[kind] = added.map((id) => JSON.parse(now[id]!) as unknown);
		const removed = Object.keys(old).filter((id) => !(id in now));
		if (removed.length > 0) changes.removed[kind] = removed;
		for (const [id, record] of Object.entries(old)) {
			if (!(id in now) || record === now[id]) continue;
			const values = newValues(JSON.parse(record), JSON.parse(now[id]!));
			// The same fields in another order are no change.
			if (Object.keys(values).length > 0) (changes.changed[kind] ??= {})[id] = values;
		}
	}
	return changes;
}

/** The fields that differ, with their new values; a bare value as a field of its own. */
function newValues(old: unknown, now: unknown): Record<string, unknown> {
	if (typeof old !== 'object' || old === null) return { value: now };
	const [before, after] = [old, now] as [Record<string, unknown>, Record<string, unknown>];
	const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
	return Object.fromEntries(
		names
			.filter((name) => !isDeepStrictEqual(before[name], after[name]))
			.map((name) => [name, after[name]]),
	);
}

const map = <T, U>(record: Record<string, T>, transform: (value: T) => U): Record<string, U> =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [name, transform(value)]));
