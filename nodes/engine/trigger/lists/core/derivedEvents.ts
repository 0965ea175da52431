import type { IDataObject } from 'n8n-workflow';

import { readRecordTime } from '../../../values/recordTime';
import type { RecordTime } from '../../../values/recordTime';
import { contentDigest, statusDigest } from './digest';
import type { RecordState } from './recordState';
import type { OneTimeEvent, ListDefinition } from './types';

/** The circumstances in which a record is read. */
export interface PollCircumstances {
	/** State of the record when it was last read; missing if the record is unknown. */
	known: RecordState | undefined;
	/** When following began, by the service's clock. Events before it are old. */
	followedSince: number;
	/**
	 * An unknown record created at or after this time is new. Defaults to `followedSince`; the follower passes another time
	 * if it knows more.
	 */
	earliestNewCreation?: number;
	/** Whether the list is read for the first time: then its records existed before, unless their dates show otherwise. */
	isFirstPoll: boolean;
	/**
	 * Whether dates cannot show if a record is new: the response is from the second in which following began, or has no Date
	 * header.
	 */
	areDatesInconclusive: boolean;
	/** Whether records that existed before count as new. */
	includeExisting: boolean;
	/** Time between two polls. */
	intervalMs: number;
	/** The kinds of changes that the user selected. */
	kinds: ReadonlySet<string>;
}

/**
 * An event derived from a record. `version` distinguishes it from an event of the same kind at another time, and is part of
 * the start key.
 */
export interface DerivedEvent {
	kind: string;
	version: string[];
}

/** The events of a record whose kinds are selected, and the record's new state. */
export interface DerivedEvents {
	events: DerivedEvent[];
	after: RecordState;
	/** Set if the record has no date in these fields, although the date would decide whether the record is new. */
	undated?: readonly string[];
}

/**
 * Derives the events of a record since it was last read. A one-time event is reported if its date is not before
 * `followedSince`, or if the record had no date for it when it was last read. Any other change is reported once, as the most
 * specific selected kind. A new record is not reported as changed, unless it was changed more than a polling interval after
 * its creation.
 */
export function deriveEvents(
	record: IDataObject,
	list: ListDefinition,
	circumstances: PollCircumstances,
): DerivedEvents {
	const { changeSchema, isFiltered } = list;
	const { known: knownState, kinds } = circumstances;
	const times = changeSchema.oneTimeEvents.map(({ dateFields }) =>
		readRecordTime(record, dateFields),
	);
	const happened = changeSchema.oneTimeEvents.filter(
		(once, index) =>
			!hasBit(knownState, index) && hasHappened(once, times[index], list, circumstances),
	);
	const isNew = happened.some(({ isCreation }) => isCreation);
	const content = contentDigest(record, changeSchema.ignored);
	const status = changeSchema.status
		? statusDigest(record[changeSchema.status.field])
		: statusDigest('');
	const chain = knownState?.chain ?? '';
	const derived: DerivedEvent[] = happened.map(({ kind, isCreation }) => {
		const { text } = times[changeSchema.oneTimeEvents.findIndex((once) => once.kind === kind)] ?? {
			text: '',
		};
		if (isCreation) return { kind, version: [] };
		// If a person is checked in a second time, the record may carry the first time stamp again. The chain makes the keys
		// differ.
		return { kind, version: chain === '' ? [text] : [chain, text] };
	});
	const versionOf = (digest: string) =>
		keepsAllRecords(list) ? [chain, digest] : [digest, lastChangeOf(record, list)?.text ?? ''];
	if (changeSchema.status && knownState && knownState.status !== status) {
		derived.push({ kind: changeSchema.status.kind, version: versionOf(status) });
	}
	let selected = derived.filter(({ kind }) => kinds.has(kind));
	const { updated } = changeSchema;
	if (updated !== undefined && kinds.has(updated) && selected.length === 0) {
		const changed = knownState
			? knownState.content !== content
			: circumstances.includeExisting ||
				(!keepsAllRecords(list) &&
					!(isNew && isUnchangedSinceCreation(record, list, circumstances)) &&
					hasChanged(record, list, circumstances));
		if (changed) selected = [{ kind: updated, version: versionOf(content) }];
	}
	const isRecent = times.some(
		(time) => time !== undefined && time.latest >= circumstances.followedSince,
	);
	const after: RecordState = {
		content,
		status,
		happenedEvents: changeSchema.oneTimeEvents.reduce(
			(bits, { isCreation }, index) => bits | (isCreation || times[index] ? 1 << index : 0),
			0,
		),
		isKept: keepsAllRecords(list) || isRecent || knownState?.isKept === true,
		chain,
	};
	const creation = changeSchema.oneTimeEvents.find((once) => once.isCreation);
	const time = creation && times[changeSchema.oneTimeEvents.indexOf(creation)];
	const undated = creation && isFiltered && !knownState && !(time && Number.isFinite(time.latest));
	return { events: selected, after, ...(undated && { undated: creation.dateFields }) };
}

/** Whether the state of every record of a list is kept. */
export const keepsAllRecords = ({ isFiltered, keepsAll: all }: ListDefinition): boolean =>
	!isFiltered || all === true;

const hasBit = (entry: RecordState | undefined, index: number) =>
	entry !== undefined && (entry.happenedEvents & (1 << index)) !== 0;

function hasHappened(
	{ isCreation }: OneTimeEvent,
	time: RecordTime | undefined,
	{ isFiltered }: ListDefinition,
	{
		known: knownState,
		followedSince,
		earliestNewCreation = followedSince,
		isFirstPoll,
		areDatesInconclusive,
		includeExisting,
	}: PollCircumstances,
): boolean {
	if (!isCreation && !time) return false;
	if (knownState) return !isCreation;
	if (includeExisting) return true;
	if (!time || Number.isNaN(time.latest)) return !isFirstPoll && !(isCreation && isFiltered);
	return (
		time.latest >= earliestNewCreation && !(isFirstPoll && (areDatesInconclusive || !time.exact))
	);
}

/**
 * Whether an unknown record of a filtered list has changed. After the first poll, every such record has, since the service
 * returns only changed records. In the first poll, the record's stamp decides.
 */
function hasChanged(
	record: IDataObject,
	list: ListDefinition,
	{ isFirstPoll, areDatesInconclusive, followedSince }: PollCircumstances,
): boolean {
	if (!isFirstPoll) return true;
	const stamp = lastChangeOf(record, list);
	return (
		stamp !== undefined && stamp.exact && stamp.latest >= followedSince && !areDatesInconclusive
	);
}

/**
 * Whether a new record is unchanged since its creation, or was changed within one polling interval of it. If more time has
 * passed, a poll lies between creation and change, so the change counts by itself. A record whose dates are not exact counts
 * as unchanged.
 */
function isUnchangedSinceCreation(
	record: IDataObject,
	list: ListDefinition,
	{ intervalMs }: PollCircumstances,
): boolean {
	const createdAt = readRecordTime(
		record,
		list.changeSchema.oneTimeEvents.find(({ isCreation }) => isCreation)?.dateFields ?? [],
	);
	const stamp = lastChangeOf(record, list);
	return !(createdAt?.exact && stamp?.exact && stamp.latest - createdAt.latest > intervalMs);
}

/** Whether an event that was requested before a restart still holds, now that its record is read again. */
export function stillHolds(
	kind: string,
	{ changeSchema: { oneTimeEvents, status } }: ListDefinition,
	knownState: RecordState | undefined,
	current: RecordState,
): boolean {
	const index = oneTimeEvents.findIndex((one) => one.kind === kind);
	if (index >= 0) return hasBit(current, index);
	if (!knownState) return true;
	return kind === status?.kind
		? knownState.status === current.status
		: knownState.content === current.content;
}

/**
 * Returns a record's state without the events that are not requested yet. If n8n stops before their starts are requested,
 * the next process derives these events again from that state.
 */
export function withoutUnrequested(
	unrequested: string[],
	{ changeSchema: { oneTimeEvents, status } }: ListDefinition,
	knownState: RecordState | undefined,
	after: RecordState,
): RecordState {
	const happenedEvents = oneTimeEvents.reduce((remaining, { kind }, index) => {
		return unrequested.includes(kind) ? remaining & ~(1 << index) : remaining;
	}, after.happenedEvents);
	const isStatusRequested = status === undefined || !unrequested.includes(status.kind);
	return {
		...after,
		happenedEvents,
		status: isStatusRequested ? after.status : (knownState?.status ?? after.status),
		chain: knownState?.chain ?? '',
	};
}

const lastChangeOf = (
	record: IDataObject,
	{ changeSchema: { stamp } }: ListDefinition,
): RecordTime | undefined => (stamp === undefined ? undefined : readRecordTime(record, [stamp]));

/**
 * Returns when an event happened, by the dates in the record: the event's own date or, for a kind without a date, the latest
 * of all dates.
 */
export function eventTimeOf(
	record: IDataObject,
	{ oneTimeEvents, stamp }: ListDefinition['changeSchema'],
	kind: string,
): number {
	const eventFields = oneTimeEvents.find((one) => one.kind === kind)?.dateFields;
	const fields = eventFields
		? [eventFields]
		: [
				...(stamp === undefined ? [] : [[stamp]]),
				...oneTimeEvents.map(({ dateFields }) => dateFields),
			];
	const times = fields.map((names) => readRecordTime(record, names)?.latest ?? NaN);
	return Math.max(-Infinity, ...times.filter((time) => !Number.isNaN(time)));
}
