import { isNewId } from './newId';
import type { SavedId, Snapshot } from './types';

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** JSON holds no number without an end. */
const time = (value: unknown): number | undefined =>
	typeof value === 'number' ? value : undefined;

/** Reads what was saved, from whatever came back: what cannot be understood is left out rather than fatal. */
export function readSnapshot(saved: unknown): Pick<Snapshot, 'ids' | 'ended'> {
	// n8n gives static data back as proxies that watch for changes; a copy is faster and ours.
	const copy: unknown = isObject(saved) ? JSON.parse(JSON.stringify(saved)) : undefined;
	const { ids, ended } = isObject(copy) ? copy : {};
	return {
		ids: list(ids)
			.filter(isObject)
			.flatMap((entry) => readEntry(entry)),
		ended: list(ended).filter((id) => typeof id === 'string'),
	};
}

function readEntry(entry: Record<string, unknown>): SavedId[] {
	const { id, since, polls, seen, handed, data, subject, end } = entry;
	const known = { id, data, subject };
	if (!isNewId(known)) return [];
	const saved: SavedId = { id: known.id, since: time(since) ?? 0, polls: time(polls) ?? 0 };
	if (seen === true) saved.seen = true;
	if (handed === true) saved.handed = true;
	if (data !== undefined) saved.data = data;
	if (known.subject !== undefined) saved.subject = known.subject;
	if (isObject(end) && typeof end.outcome === 'string') {
		const { outcome, at, emittedAt, told } = end;
		saved.end = { ...end, outcome, at: time(at) ?? 0, emittedAt: time(emittedAt) };
		saved.end.told = told === 'typed' || told === 'handed' ? told : undefined;
	}
	return [saved];
}
