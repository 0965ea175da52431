import type { IDataObject } from 'n8n-workflow';

import { contentDigest, statusDigest } from './digest';
import type { RecordState } from './recordState';
import { readRecordTime } from './time';
import type { RecordTime } from './time';
import type { OneTimeEvent, Source } from './types';

/** What is known when a record is looked at. */
export interface PollCircumstances {
	/** What was known of the record; nothing if it was not. */
	known: RecordState | undefined;
	/** When following began, by the service's clock: what happened before is old. */
	floor: number;
	/** From when on an unknown record is new; the floor unless more is known. */
	newFrom?: number;
	/** Whether the list is read for the first time: what is in it was there before, unless its dates say otherwise. */
	isFirstPoll: boolean;
	/** Whether dates say nothing yet: the answer came in the very second in which following began. */
	areDatesInconclusive: boolean;
	/** Whether what was there before counts, too. */
	includeExisting: boolean;
	/** The time between two looks. */
	intervalMs: number;
	/** The kinds of changes that are wanted. */
	kinds: ReadonlySet<string>;
}

/** One thing that has happened to a record, and what tells it from the same thing at another time. */
export interface DerivedEvent {
	kind: string;
	version: string[];
}

/** What has happened to a record, as far as it is wanted, and what to keep of the record. */
export interface DerivedEvents {
	events: DerivedEvent[];
	after: RecordState;
	/** The fields that lack a date by which one could tell whether the record is new. */
	undated?: readonly string[];
}

/**
 * Says what has happened to a record since it was seen last. What happens once is told if its date is not before the floor, or
 * if it was still missing when the record was seen. Any other change is told by the most special of the kinds that are wanted,
 * and never of a record that is new itself, unless it was changed so long after that its news were none any more.
 */
export function deriveEvents(
	record: IDataObject,
	source: Source,
	given: PollCircumstances,
): DerivedEvents {
	const { facets, filtered } = source;
	const { known, kinds } = given;
	const times = facets.once.map(({ at }) => readRecordTime(record, at));
	const happened = facets.once.filter(
		(once, index) => !hasBit(known, index) && hasHappened(once, times[index], source, given),
	);
	const isNew = happened.some(({ creation }) => creation);
	const content = contentDigest(record, facets.ignored);
	const status = facets.status ? statusDigest(record[facets.status.field]) : statusDigest('');
	const chain = known?.chain ?? '';
	const derived: DerivedEvent[] = happened.map(({ kind, creation }) => {
		const { text } = times[facets.once.findIndex((once) => once.kind === kind)] ?? { text: '' };
		if (creation) return { kind, version: [] };
		// Whoever is let in again may bear the time of before.
		return { kind, version: chain === '' ? [text] : [chain, text] };
	});
	const versionOf = (digest: string) =>
		keepsAllRecords(source) ? [chain, digest] : [digest, lastChangeOf(record, source)?.text ?? ''];
	if (facets.status && known && known.status !== status) {
		derived.push({ kind: facets.status.kind, version: versionOf(status) });
	}
	let wanted = derived.filter(({ kind }) => kinds.has(kind));
	const { updated } = facets;
	if (updated !== undefined && kinds.has(updated) && wanted.length === 0) {
		const changed = known
			? known.content !== content
			: given.includeExisting ||
				(!keepsAllRecords(source) &&
					!(isNew && isUnchangedSinceCreation(record, source, given)) &&
					hasChanged(record, source, given));
		if (changed) wanted = [{ kind: updated, version: versionOf(content) }];
	}
	const isRecent = times.some((time) => time !== undefined && time.latest >= given.floor);
	const after: RecordState = {
		content,
		status,
		bits: facets.once.reduce(
			(bits, { creation }, index) => bits | (creation || times[index] ? 1 << index : 0),
			0,
		),
		kept: keepsAllRecords(source) || isRecent || known?.kept === true,
		chain,
	};
	const creation = facets.once.find((once) => once.creation);
	const time = creation && times[facets.once.indexOf(creation)];
	const undated = creation && filtered && !known && !(time && Number.isFinite(time.latest));
	return { events: wanted, after, ...(undated && { undated: creation.at }) };
}

/** Whether all records of a list are kept in mind. */
export const keepsAllRecords = ({ filtered, keepsAll: all }: Source): boolean =>
	!filtered || all === true;

const hasBit = (entry: RecordState | undefined, index: number) =>
	entry !== undefined && (entry.bits & (1 << index)) !== 0;

function hasHappened(
	{ creation }: OneTimeEvent,
	time: RecordTime | undefined,
	{ filtered }: Source,
	{
		known,
		floor,
		newFrom = floor,
		isFirstPoll,
		areDatesInconclusive,
		includeExisting,
	}: PollCircumstances,
): boolean {
	if (!creation && !time) return false;
	if (known) return !creation;
	if (includeExisting) return true;
	if (!time || Number.isNaN(time.latest)) return !isFirstPoll && !(creation && filtered);
	return time.latest >= newFrom && !(isFirstPoll && (areDatesInconclusive || !time.exact));
}

/** Whether a record that nobody knows has changed: where the service was asked for what has, unless it was so for the first time. */
function hasChanged(
	record: IDataObject,
	source: Source,
	{ isFirstPoll, areDatesInconclusive, floor }: PollCircumstances,
): boolean {
	if (!isFirstPoll) return true;
	const stamp = lastChangeOf(record, source);
	return stamp !== undefined && stamp.exact && stamp.latest >= floor && !areDatesInconclusive;
}

/** Whether a new record was not changed since: not so much later than it was made that a look lay in between. */
function isUnchangedSinceCreation(
	record: IDataObject,
	source: Source,
	{ intervalMs }: PollCircumstances,
): boolean {
	const createdAt = readRecordTime(
		record,
		source.facets.once.find(({ creation }) => creation)?.at ?? [],
	);
	const stamp = lastChangeOf(record, source);
	return !(createdAt?.exact && stamp?.exact && stamp.latest - createdAt.latest > intervalMs);
}

/** Whether what was asked for with a record is still so, now that it is seen again. */
export function stillHolds(
	kind: string,
	{ facets: { once, status } }: Source,
	known: RecordState | undefined,
	now: RecordState,
): boolean {
	const index = once.findIndex((one) => one.kind === kind);
	if (index >= 0) return hasBit(now, index);
	if (!known) return true;
	return kind === status?.kind ? known.status === now.status : known.content === now.content;
}

/** What to keep of a record as long as some of what happened to it has not been asked for: another life must find that anew. */
export function withoutUnrequested(
	unrequested: string[],
	{ facets: { once, status } }: Source,
	known: RecordState | undefined,
	after: RecordState,
): RecordState {
	const bits = once.reduce((left, { kind }, index) => {
		return unrequested.includes(kind) ? left & ~(1 << index) : left;
	}, after.bits);
	const isStatusRequested = status === undefined || !unrequested.includes(status.kind);
	return {
		...after,
		bits,
		status: isStatusRequested ? after.status : (known?.status ?? after.status),
		chain: known?.chain ?? '',
	};
}

const lastChangeOf = (
	record: IDataObject,
	{ facets: { stamp } }: Source,
): RecordTime | undefined => (stamp === undefined ? undefined : readRecordTime(record, [stamp]));

/** When something happened to a record, by the record itself: the latest that it says of that, or else of anything. */
export function eventTimeOf(
	record: IDataObject,
	{ once, stamp }: Source['facets'],
	kind: string,
): number {
	const eventFields = once.find((one) => one.kind === kind)?.at;
	const fields = eventFields
		? [eventFields]
		: [...(stamp === undefined ? [] : [[stamp]]), ...once.map(({ at }) => at)];
	const times = fields.map((names) => readRecordTime(record, names)?.latest ?? NaN);
	return Math.max(-Infinity, ...times.filter((time) => !Number.isNaN(time)));
}
