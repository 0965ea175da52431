import type { IDataObject } from 'n8n-workflow';

import { readRecordTime } from '../../../values/recordTime';
import { contentDigest, statusDigest } from './digest';
import { isNewEvent, isUnknownChanged, keepsAllRecords, lastChangeOf } from './recordAge';
import type { PollCircumstances } from './recordAge';
import type { RecordState } from './recordState';
import type { ListDefinition } from './types';

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
	const { known, kinds, followedSince } = circumstances;
	const { oneTimeEvents, ignored, status: statusField, updated } = changeSchema;
	const dated = oneTimeEvents.map((once, index) => {
		const time = readRecordTime(record, once.dateFields);
		const isNew = !hasBit(known, index) && isNewEvent(once, time, list, circumstances);
		return { ...once, time, isNew };
	});
	const content = contentDigest(record, ignored);
	const status = statusDigest(statusField ? record[statusField.field] : '');
	const chain = known?.chain ?? '';
	const versionOf = (digest: string) =>
		keepsAllRecords(list) ? [chain, digest] : [digest, lastChangeOf(record, list)?.text ?? ''];
	const derived = dated
		.filter(({ isNew }) => isNew)
		.map(({ kind, isCreation, time: { text } = { text: '' } }): DerivedEvent => {
			if (isCreation) return { kind, version: [] };
			// If a person is checked in a second time, the record may carry the first time stamp again. The chain makes the keys
			// differ.
			return { kind, version: chain === '' ? [text] : [chain, text] };
		});
	if (statusField && known && known.status !== status)
		derived.push({ kind: statusField.kind, version: versionOf(status) });
	let events = derived.filter(({ kind }) => kinds.has(kind));
	if (updated !== undefined && kinds.has(updated) && events.length === 0) {
		const isCreated = dated.some(({ isNew, isCreation }) => isNew && isCreation);
		const isChanged = known
			? known.content !== content
			: isUnknownChanged(record, isCreated, list, circumstances);
		if (isChanged) events = [{ kind: updated, version: versionOf(content) }];
	}
	const isRecent = dated.some(({ time }) => time !== undefined && time.latest >= followedSince);
	const after: RecordState = {
		content,
		status,
		happenedEvents: dated.reduce(
			(bits, { isCreation, time }, index) => bits | (isCreation || time ? 1 << index : 0),
			0,
		),
		isKept: keepsAllRecords(list) || isRecent || known?.isKept === true,
		chain,
	};
	const creation = dated.find(({ isCreation }) => isCreation);
	const isDated = Number.isFinite(creation?.time?.latest);
	const undated = isFiltered && !known && !isDated ? creation?.dateFields : undefined;
	return { events, after, ...(undated && { undated }) };
}

const hasBit = (entry: RecordState | undefined, index: number) =>
	entry !== undefined && (entry.happenedEvents & (1 << index)) !== 0;

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
