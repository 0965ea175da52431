import { isDeepStrictEqual } from 'node:util';

import type { Holdings } from '../../sandbox/service';
import type { Changes } from '../support/samples/sample';

/** What is different at a service between two looks at all that it holds. */
export function changesBetween(before: Holdings, after: Holdings): Required<Changes> {
	const changes: Required<Changes> = { added: {}, removed: {}, changed: {} };
	for (const kind of new Set([...Object.keys(before), ...Object.keys(after)])) {
		const [old, now] = [before[kind] ?? {}, after[kind] ?? {}];
		const added = Object.keys(now).filter((id) => !(id in old));
		if (added.length > 0) changes.added[kind] = added.map((id) => now[id]);
		const removed = Object.keys(old).filter((id) => !(id in now));
		if (removed.length > 0) changes.removed[kind] = removed;
		for (const [id, record] of Object.entries(old)) {
			if (!(id in now) || isDeepStrictEqual(record, now[id])) continue;
			changes.changed[`${kind} ${id}`] = newValues(record, now[id]);
		}
	}
	return changes;
}

/** The fields that differ, with their new values; a bare value as a field of its own. */
function newValues(old: unknown, now: unknown): Record<string, unknown> {
	if (typeof old !== 'object' || old === null) return { value: now };
	const [was, is] = [old, now] as Array<Record<string, unknown>>;
	const names = new Set([...Object.keys(was!), ...Object.keys(is!)]);
	return Object.fromEntries(
		[...names].flatMap((name) =>
			isDeepStrictEqual(was![name], is![name]) ? [] : [[name, is![name]]],
		),
	);
}
