import { isNewId } from './newId';
import type { SavedId, IdSnapshot } from './types';

/** Receives each part of stored state that cannot be read. */
export type UnrecognizedHandler = (part: unknown) => void;

/** The IDs of a snapshot that was read. */
export type RestoredIds = Pick<IdSnapshot, 'ids' | 'confirmedIds'>;

interface ReadSnapshotOptions {
	onUnrecognized?: UnrecognizedHandler;
	/** Replaces a time that is missing or unrecognized. */
	now?: number;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isFlag = (value: unknown) => value === undefined || value === true;
const isOptionalNumber = (value: unknown) => value === undefined || isNumber(value);

/** Reads stored state. Passes each part that cannot be read to `onUnrecognized` and returns the others. Never throws. */
export function readSnapshot(
	snapshot: unknown,
	{ onUnrecognized = () => undefined, now = 0 }: ReadSnapshotOptions = {},
): RestoredIds {
	if (snapshot === undefined || snapshot === null) return { ids: [], confirmedIds: [] };
	// n8n 2.41.1 returns static data as proxies that watch for changes (n8n-workflow, observable-object). A copy is faster,
	// and changes to it stay local.
	const copy: unknown = JSON.parse(JSON.stringify(snapshot));
	if (!isRecord(copy) || copy.version !== 1) {
		onUnrecognized(withoutSetAside(copy));
		return { ids: [], confirmedIds: [] };
	}
	const list = (name: 'ids' | 'confirmedIds'): unknown[] => {
		const value: unknown = copy[name];
		if (Array.isArray(value)) return value;
		onUnrecognized({ [name]: value });
		return [];
	};
	return {
		ids: list('ids').flatMap((entry) => readEntry(entry, onUnrecognized, now)),
		confirmedIds: list('confirmedIds').filter((id): id is string => {
			if (typeof id !== 'string') onUnrecognized({ confirmedIds: [id] });
			return typeof id === 'string';
		}),
	};
}

/** Returns state without the parts that were set aside before; the trigger keeps those separately. */
export function withoutSetAside(state: unknown): unknown {
	if (!isRecord(state) || !('setAside' in state)) return state;
	return Object.fromEntries(Object.entries(state).filter(([name]) => name !== 'setAside'));
}

/**
 * Reads one ID. An unrecognized time or counter gets its default, and an unrecognized `submitted` counts as true, so that
 * the ID is still watched. An ID with an unrecognized `end` is dropped: n8n may have started the workflow for this ID, and
 * watching the ID again might start the workflow a second time.
 */
function readEntry(entry: unknown, onUnrecognized: UnrecognizedHandler, now: number): SavedId[] {
	const { id, addedAt, polls, seenOutstanding, submitted, data, subject, followedFrom, end } =
		isRecord(entry) ? entry : {};
	const candidate = { id, data, subject };
	const readEnd = readEndOf(end);
	if (!isNewId(candidate) || readEnd === 'unrecognized') {
		onUnrecognized(entry);
		return [];
	}
	if (!isNumber(addedAt) || !isNumber(polls) || !isFlag(seenOutstanding) || !isFlag(submitted))
		onUnrecognized(entry);
	const savedId: SavedId = {
		id: candidate.id,
		addedAt: isNumber(addedAt) ? addedAt : now,
		polls: isNumber(polls) ? polls : 0,
	};
	if (seenOutstanding === true) savedId.seenOutstanding = true;
	// An ID with an unrecognized flag counts as submitted. Otherwise it would be dropped once it is no longer entered in the
	// node.
	if (!isFlag(submitted) || submitted === true) savedId.submitted = true;
	if (data !== undefined) savedId.data = data;
	if (candidate.subject !== undefined) savedId.subject = candidate.subject;
	if (isNumber(followedFrom)) savedId.followedFrom = followedFrom;
	if (readEnd) savedId.end = readEnd;
	return [savedId];
}

function readEndOf(end: unknown): SavedId['end'] | 'unrecognized' {
	if (end === undefined) return undefined;
	if (!isRecord(end)) return 'unrecognized';
	const { outcome, endedAt, result, trouble, requestedAt, reportedAs } = end;
	const isValidEnd =
		typeof outcome === 'string' &&
		isNumber(endedAt) &&
		isOptionalNumber(requestedAt) &&
		(trouble === undefined || typeof trouble === 'string') &&
		(reportedAs === undefined || reportedAs === 'entered' || reportedAs === 'submitted');
	if (!isValidEnd) return 'unrecognized';
	return {
		outcome,
		endedAt,
		requestedAt,
		reportedAs,
		...(result !== undefined && { result }),
		...(trouble !== undefined && { trouble }),
	};
}
