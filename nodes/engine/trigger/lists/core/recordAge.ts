/*
 * Decides whether a record, an event of it or a change of it is old, so that it starts nothing, or new.
 *
 * |                        | compared list                              | filtered list                                   |
 * |------------------------|--------------------------------------------|-------------------------------------------------|
 * | how it is read         | whole, in each poll                        | what changed since the cursor, minus an overlap |
 * | known record           | new: an event that it lacked before, another status, other contents                          |
 * | unknown, first poll    | new: created at `followedSince` or later, by an exact date; not in the second of that time   |
 * | unknown, later polls   | new: created an hour before `followedSince` | new: created at `followedSince` or later, or    |
 * |                        | or later, or without a creation date       | after `knownFrom`; without a date: unclear      |
 * | unknown, not created   | not changed                                | changed, since the service returned it; in the  |
 * |                        |                                            | first poll by its stamp                         |
 *
 * `followedSince` is when following began, `knownFrom` the time from which every changed record is known; both by the
 * service's clock. What a wrong clock or date can do:
 *
 * | clock or date                        | effect                                        | what limits it                     |
 * |--------------------------------------|-----------------------------------------------|------------------------------------|
 * | Date header ahead of the stamps      | a poll begins after changes that it has not read | the cursor follows the stamps    |
 * | Date header set back                 | records count as new again                    | known records are kept for 28 hours |
 * | Date header of another machine       | jumps to and fro                              | believed when a second response agrees |
 * | stamps set back                      | changes are stamped before the cursor         | wide polls, two hours back         |
 * | dates without a time zone            | up to 13 hours off                            | such a date proves nothing in the first poll |
 * | our own clock                        | none: times between polls are monotonic       |                                    |
 *
 * `serviceClock` judges the Date header, `listCursor` the stamps, this file the dates in records.
 */
import type { IDataObject } from 'n8n-workflow';

import { readRecordTime } from '../../../values/recordTime';
import type { RecordTime } from '../../../values/recordTime';
import type { RecordState } from './recordState';
import type { ListDefinition, OneTimeEvent } from './types';

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
	 * Whether dates cannot show if a record is new: the response is from the second in which following began, or it is unknown
	 * when that was, because no response had a Date header.
	 */
	areDatesInconclusive: boolean;
	/** Whether records that existed before count as new. */
	includeExisting: boolean;
	/** Time between two polls. */
	intervalMs: number;
	/** The kinds of changes that the user selected. */
	kinds: ReadonlySet<string>;
}

/** Whether the state of every record of a list is kept. */
export const keepsAllRecords = ({ isFiltered, keepsAll }: ListDefinition): boolean =>
	!isFiltered || keepsAll === true;

/**
 * Whether a one-time event of a record is new: it happened at or after `followedSince`, or the record had no date for it when
 * it was last read.
 */
export function isNewEvent(
	{ isCreation }: OneTimeEvent,
	time: RecordTime | undefined,
	{ isFiltered }: ListDefinition,
	circumstances: PollCircumstances,
): boolean {
	const { known, followedSince, isFirstPoll, areDatesInconclusive } = circumstances;
	const { earliestNewCreation = followedSince } = circumstances;
	if (!isCreation && !time) return false;
	if (known) return !isCreation;
	if (circumstances.includeExisting) return true;
	if (!time || Number.isNaN(time.latest)) return !isFirstPoll && !(isCreation && isFiltered);
	const isInconclusive = isFirstPoll && (areDatesInconclusive || !time.exact);
	return time.latest >= earliestNewCreation && !isInconclusive;
}

/** Whether an unknown record counts as changed. `isNew`: whether its creation is new, which is another kind of change. */
export function isUnknownChanged(
	record: IDataObject,
	isNew: boolean,
	list: ListDefinition,
	circumstances: PollCircumstances,
): boolean {
	const { includeExisting, isFirstPoll, areDatesInconclusive, followedSince } = circumstances;
	if (includeExisting) return true;
	if (keepsAllRecords(list)) return false;
	if (isNew && isUnchangedSinceCreation(record, list, circumstances)) return false;
	// After the first poll, the service returns only changed records.
	if (!isFirstPoll) return true;
	const stamp = lastChangeOf(record, list);
	const isRecent = stamp !== undefined && stamp.exact && stamp.latest >= followedSince;
	return isRecent && !areDatesInconclusive;
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
	const creation = list.changeSchema.oneTimeEvents.find(({ isCreation }) => isCreation);
	const createdAt = readRecordTime(record, creation?.dateFields ?? []);
	const stamp = lastChangeOf(record, list);
	return !(createdAt?.exact && stamp?.exact && stamp.latest - createdAt.latest > intervalMs);
}

/** Returns when a record was last changed, by its stamp. */
export const lastChangeOf = (
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
	const allFields = [
		...(stamp === undefined ? [] : [[stamp]]),
		...oneTimeEvents.map(({ dateFields }) => dateFields),
	];
	const times = (eventFields ? [eventFields] : allFields).map(
		(names) => readRecordTime(record, names)?.latest ?? NaN,
	);
	return Math.max(-Infinity, ...times.filter((time) => !Number.isNaN(time)));
}
