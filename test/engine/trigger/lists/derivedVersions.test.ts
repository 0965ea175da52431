// Protects the version of an event, which keeps starts apart, and the check whether a record still shows a requested event.
import type { IDataObject } from 'n8n-workflow';

import { deriveEvents, eventTimeOf } from '../../../../nodes/engine/trigger/lists/core';
import { stillHolds } from '../../../../nodes/engine/trigger/lists/core/derivedEvents';
import {
	HOUR,
	FOLLOWED_SINCE,
	formatTime,
	formatCanonical,
	formatWithoutZone,
	changeSchema,
	filtered,
	compared,
	keepsAll,
	laterPoll,
	derive,
	deriveState,
} from './derivedEventSamples';
import type { DeriveArguments } from './derivedEventSamples';

describe('the version of an event', () => {
	const deriveVersions = (...args: DeriveArguments) =>
		derive(...args).events.map(({ version }) => version);

	test('is empty for a creation, and the date of a check-in', () => {
		expect(deriveVersions({ Made: formatTime(1), CheckIn: formatTime(2) }, filtered)).toEqual([
			[],
			[formatCanonical(2)],
		]);
	});

	test('is the chain of earlier starts and the date of a check-in in a compared list', () => {
		const known = { ...deriveState({}, compared), chain: 'chained1' };
		expect(deriveVersions({ CheckIn: formatTime(2) }, compared, { known })).toEqual([
			['chained1', formatCanonical(2)],
		]);
	});

	test('is the digest and the stamp of a change with a stamp', () => {
		const { content } = deriveState({ Made: formatTime(-1), Stamp: formatTime(3) });
		expect(deriveVersions({ Made: formatTime(-1), Stamp: formatTime(3) }, filtered)).toEqual([
			[content, formatCanonical(3)],
		]);
	});

	test('is the digest and an empty stamp of a change if the record has no stamp', () => {
		const { content } = deriveState({ Made: formatTime(-1) });
		expect(deriveVersions({ Made: formatTime(-1) }, filtered)).toEqual([[content, '']]);
	});

	test('is the digest and the chain of earlier starts of a change without a stamp', () => {
		const known = { ...deriveState({ Name: 'A', Status: 'x' }, compared), chain: 'chained1' };
		const renamed = deriveState({ Name: 'B', Status: 'x' }, compared);
		expect(deriveVersions({ Name: 'B', Status: 'x' }, compared, { known })).toEqual([
			['chained1', renamed.content],
		]);
		const withOtherStatus = deriveState({ Name: 'A', Status: 'y' }, compared);
		expect(deriveVersions({ Name: 'A', Status: 'y' }, keepsAll, { known })).toEqual([
			['chained1', withOtherStatus.status],
		]);
		expect(deriveEvents({ Name: 'B' }, compared, { ...laterPoll, known }).after.chain).toBe(
			'chained1',
		);
	});
});

describe('the state of a record', () => {
	test('must be kept if the record would count as new, and in every list that keeps all records', () => {
		const isKept = (...args: DeriveArguments) => derive(...args).after.isKept;
		expect(isKept({ Made: formatTime(0) })).toBe(true);
		expect(isKept({ Made: formatTime(-1) })).toBe(false);
		expect(isKept({ Made: formatTime(-1), CheckIn: formatTime(0) })).toBe(true);
		expect(isKept({ Made: formatWithoutZone(-13 * HOUR) })).toBe(true);
		expect(isKept({ Made: formatTime(-1) }, compared)).toBe(true);
		expect(isKept({ Made: formatTime(-1) }, keepsAll)).toBe(true);
		expect(
			isKept({ Made: formatTime(-1) }, filtered, { known: deriveState({ Made: formatTime(0) }) }),
		).toBe(true);
	});
});

test('stillHolds accepts a requested event as long as the record shows it', () => {
	const previousState = deriveState({
		Made: formatTime(0),
		CheckIn: formatTime(1),
		Status: 'x',
		Name: 'A',
	});
	const isStillShown = (
		record: IDataObject,
		kind: string,
		known: typeof previousState | undefined = previousState,
	) => stillHolds(kind, filtered, known, deriveState({ Made: formatTime(0), ...record }));
	expect(isStillShown({}, 'created')).toBe(true);
	expect(isStillShown({}, 'checkedIn')).toBe(false);
	expect(isStillShown({ CheckIn: formatTime(7) }, 'checkedIn')).toBe(true);
	expect(isStillShown({ Status: 'x' }, 'status')).toBe(true);
	expect(isStillShown({ Status: 'y' }, 'status')).toBe(false);
	expect(isStillShown({ CheckIn: formatTime(1), Status: 'x', Name: 'A' }, 'updated')).toBe(true);
	expect(isStillShown({ CheckIn: formatTime(1), Status: 'x', Name: 'B' }, 'updated')).toBe(false);
	expect(stillHolds('updated', filtered, undefined, previousState)).toBe(true);
});

test('eventTimeOf returns the date of a one-time event, and otherwise the latest date of the record', () => {
	const record = { Made: formatTime(1), CheckIn: formatTime(2), Stamp: formatTime(3) };
	expect(eventTimeOf(record, changeSchema, 'created')).toBe(FOLLOWED_SINCE + 1);
	expect(eventTimeOf(record, changeSchema, 'checkedIn')).toBe(FOLLOWED_SINCE + 2);
	expect(eventTimeOf(record, changeSchema, 'updated')).toBe(FOLLOWED_SINCE + 3);
	expect(eventTimeOf({ ...record, Stamp: 'soon' }, changeSchema, 'updated')).toBe(
		FOLLOWED_SINCE + 2,
	);
	expect(eventTimeOf(record, { oneTimeEvents: changeSchema.oneTimeEvents }, 'updated')).toBe(
		FOLLOWED_SINCE + 2,
	);
	expect(eventTimeOf({}, changeSchema, 'updated')).toBe(-Infinity);
});
