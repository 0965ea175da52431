// Protects changes whose starts are not requested or confirmed yet: the saved state and cursor do not move past them.
import type { IDataObject } from 'n8n-workflow';

import type { FollowOptions, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { startKeyOf } from '../../../../nodes/engine/trigger/lists/core/digest';
import type { SavedStart } from '../../../../nodes/engine/trigger/lists/core/listSnapshot';
import { Outbox } from '../../../../nodes/engine/trigger/lists/core/outbox';
import { TrackedList } from '../../../../nodes/engine/trigger/lists/core/trackedList';
import type { PageContext } from '../../../../nodes/engine/trigger/lists/core/trackedList';
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const compared = createList({ isFiltered: false });
const noHooks = {
	emit: async () => undefined,
	save: () => undefined,
	report: () => undefined,
	sleep: async () => undefined,
	clock: { now: () => NOON, monotonic: () => 0 },
};
/** The saved state of a list that is followed, and was read, since noon. */
const savedAtNoon = { key: 'people', cursor: NOON, followedSince: NOON, known: [] };

interface TrackSettings {
	definition?: ListDefinition;
	savedList?: ReturnType<TrackedList<ListDefinition>['toSaved']>;
	savedStarts?: SavedStart[];
	options?: Partial<FollowOptions>;
}
const createTrackedList = ({
	definition = compared,
	savedList = savedAtNoon,
	savedStarts,
	options,
}: TrackSettings = {}) => {
	const kinds = new Set(['created', 'updated', 'status', 'checkedIn']);
	return new TrackedList(
		definition,
		{ ...FOLLOW_DEFAULTS, kinds, startKeyPrefix: 'w:n', ...options },
		savedList,
		new Outbox(noHooks, FOLLOW_DEFAULTS, savedStarts).takeRestored,
	);
};
const page = { serviceTimeMs: NOON + MINUTE, monotonicMs: 0, isFurtherPass: false };
const processRecord = (
	tracked: TrackedList<ListDefinition>,
	record: IDataObject,
	context: PageContext = page,
) => {
	const { wanted, ...processed } = tracked.processRecord(record, context, () => undefined);
	const { wantedChanges = [], markRequested = () => undefined } = wanted ?? {};
	return { ...processed, wantedChanges, markRequested };
};
const readChangeKinds = (tracked: TrackedList<ListDefinition>, record: IDataObject) =>
	processRecord(tracked, record).wantedChanges.map(({ change }) => change.kind);
/** Requests the starts of all changes of a record. Returns their keys. */
const requestStarts = (tracked: TrackedList<ListDefinition>, record: IDataObject) => {
	const { wantedChanges, markRequested } = processRecord(tracked, record);
	markRequested();
	return wantedChanges.map(({ key }) => key);
};
/** Returns the changes that another process finds in a record, after it restored the present state of the list. */
const readChangeKindsAfterRestart = (
	tracked: TrackedList<ListDefinition>,
	record: IDataObject,
	definition = compared,
) => readChangeKinds(createTrackedList({ definition, savedList: tracked.toSaved() }), record);
const newRecord = { Id: 'a', CreatedAt: formatTime(1) };

describe('processing of records', () => {
	test.each([undefined, null, true, { a: 1 }])('a record is ignored if its ID is %p', (Id) => {
		const tracked = createTrackedList();
		const processed = tracked.processRecord({ ...newRecord, Id }, page, () => undefined);
		expect(processed).toEqual({ repeated: [], isChanged: false });
		expect(tracked.size).toBe(0);
	});

	test('a record may have a number as its ID', () => {
		expect(
			processRecord(createTrackedList(), { ...newRecord, Id: 7 }).wantedChanges[0]!.change.id,
		).toBe('7');
	});

	test('a record counts as changed if it is unknown or its contents have changed', () => {
		const tracked = createTrackedList();
		const isChanged = (record: IDataObject) => processRecord(tracked, record).isChanged;
		expect(isChanged({ Id: 'a', Name: 'A' })).toBe(true);
		expect(isChanged({ Id: 'a', Name: 'A' })).toBe(false);
		expect(isChanged({ Id: 'a', Name: 'B' })).toBe(true);
	});

	test('the field of a missing creation date is reported', () => {
		const undatedFields: Array<readonly string[]> = [];
		const tracked = createTrackedList({ definition: createList() });
		const onUndated = (fields: readonly string[]) => void undatedFields.push(fields);
		tracked.processRecord({ Id: 'a' }, page, onUndated);
		tracked.processRecord({ ...newRecord, Id: 'b' }, page, onUndated);
		expect(undatedFields).toStrictEqual([['CreatedAt']]);
	});

	test('without a Date header, a record counts as seen at the latest known time', () => {
		const tracked = createTrackedList({
			definition: createList(),
			savedList: { ...savedAtNoon, cursor: NOON - 2 * HOUR },
		});
		const record = { Id: 'a', Stamp: formatTime(-HOUR) };
		processRecord(tracked, record, { ...page, serviceTimeMs: undefined }).markRequested();
		expect(tracked.toSaved().known.map(([seenAt]) => seenAt)).toEqual([NOON - HOUR]);
	});

	test('without a Date header, a record is new in a repeated first poll if its date is after following began', () => {
		const context = { ...page, serviceTimeMs: undefined };
		const record = { Id: 'a', CreatedAt: formatTime(1) };
		const countChanges = (followedSince?: number) => {
			const savedList = { key: 'people', cursor: undefined, followedSince, known: [] };
			const tracked = createTrackedList({ definition: createList(), savedList });
			return processRecord(tracked, record, context).wantedChanges.length;
		};
		expect([NOON, NOON + 2, undefined].map(countChanges)).toEqual([1, 0, 0]);
	});

	test('a record that the filters of the user exclude starts nothing but becomes known', () => {
		const definition = createList({ isFiltered: false, matches: ({ Name }) => Name === 'A' });
		const tracked = createTrackedList({ definition });
		expect(readChangeKinds(tracked, { ...newRecord, Name: 'B' })).toEqual([]);
		expect(tracked.size).toBe(1);
		expect(readChangeKinds(tracked, { ...newRecord, Name: 'A' })).toEqual(['updated']);
	});
});

describe('the known state of a record', () => {
	const recordWithTwoEvents = { ...newRecord, CheckIn: formatTime(2) };

	test('advances when the starts of all its events are requested', () => {
		const tracked = createTrackedList();
		const { wantedChanges, markRequested } = processRecord(tracked, recordWithTwoEvents);
		expect(wantedChanges.map(({ change }) => change.kind)).toEqual(['created', 'checkedIn']);
		expect(readChangeKindsAfterRestart(tracked, recordWithTwoEvents)).toEqual([
			'created',
			'checkedIn',
		]);
		markRequested();
		expect(readChangeKinds(tracked, recordWithTwoEvents)).toEqual([]);
		expect(readChangeKindsAfterRestart(tracked, recordWithTwoEvents)).toEqual([]);
	});

	test('advances at once if the record shows no event that the user selected', () => {
		const options = { kinds: new Set(['created']) };
		const tracked = createTrackedList({ options });
		requestStarts(tracked, newRecord);
		expect(processRecord(tracked, { ...newRecord, Name: 'A' }).wantedChanges).toEqual([]);
		expect(readChangeKindsAfterRestart(tracked, { ...newRecord, Name: 'A' })).toEqual([]);
	});

	test('does not advance before the start of an earlier event is requested', () => {
		const definition = createList({ isFiltered: false, matches: ({ Name }) => Name !== 'B' });
		const tracked = createTrackedList({ definition });
		processRecord(tracked, newRecord);
		expect(processRecord(tracked, { ...newRecord, Name: 'B' }).wantedChanges).toEqual([]);
		expect(tracked.size).toBe(0);
	});

	test('does not advance to a newer state when the starts of earlier events are requested', () => {
		const tracked = createTrackedList();
		const { markRequested } = processRecord(tracked, newRecord);
		const newerRecord = { ...newRecord, Name: 'B' };
		expect(readChangeKinds(tracked, newerRecord)).toEqual(['updated']);
		markRequested();
		expect(readChangeKinds(tracked, newerRecord)).toEqual([]);
		expect(readChangeKindsAfterRestart(tracked, newerRecord)).toEqual(['updated']);
	});
});

describe('the keys of starts', () => {
	test('differ whenever a record of a compared list changes back and forth between two states', () => {
		const tracked = createTrackedList();
		requestStarts(tracked, { ...newRecord, Name: 'A' });
		const keys = ['B', 'A', 'B', 'A'].flatMap((Name) =>
			requestStarts(tracked, { ...newRecord, Name }),
		);
		expect(new Set(keys).size).toBe(4);
	});

	test.each([
		[
			'ten characters, in a filtered list, whose stamps make keys differ,',
			createList(),
			newRecord,
			10,
		],
		[
			'ten characters, in a compared list before the first reported change,',
			compared,
			{ CreatedAt: formatTime(-HOUR * 9) },
			10,
		],
		['eighteen characters, in a compared list after a reported change,', compared, newRecord, 18],
	])('need %s in the saved state of a record', (_, definition, record, stateLength) => {
		const tracked = createTrackedList({ definition });
		requestStarts(tracked, { ...record, Id: 'a' });
		expect(tracked.toSaved().known[0]![1]).toHaveLength('a:'.length + stateLength);
	});
});

describe('a start that was requested before the last restart', () => {
	const createSavedStart = (key: string, kind: string): SavedStart => ({
		key,
		changes: [['people', kind, 'a']],
		requestedAt: NOON,
	});
	const record = { ...newRecord, Name: 'A', Status: 'x' };
	/** Restores the list of a process that knew the record and had requested these starts. */
	const restoreList = (savedStarts: SavedStart[], definition = compared) => {
		const previousList = createTrackedList();
		requestStarts(previousList, record);
		return createTrackedList({ definition, savedList: previousList.toSaved(), savedStarts });
	};
	/** Returns the key of each start to repeat, with the kind of its change; without the kind if it is obsolete. */
	const readRepeatedStarts = (
		savedStarts: SavedStart[],
		currentRecord: IDataObject,
		definition = compared,
	) =>
		processRecord(restoreList(savedStarts, definition), currentRecord).repeated.map(
			({ key, wantedChange }) => [key, wantedChange?.change.kind],
		);

	test('is repeated once if the record still shows the change', () => {
		expect(readRepeatedStarts([createSavedStart('k', 'updated')], record)).toEqual([
			['k', 'updated'],
		]);
		expect(
			readRepeatedStarts([createSavedStart('k', 'updated')], { ...record, Name: 'B' }),
		).toEqual([['k', undefined]]);
		const tracked = restoreList([createSavedStart('k', 'updated')]);
		expect(processRecord(tracked, record).repeated).toHaveLength(1);
		expect(processRecord(tracked, record).repeated).toHaveLength(0);
	});

	test('is obsolete if a later start has the same kind of change', () => {
		const savedStarts = [
			createSavedStart('k', 'status'),
			createSavedStart('l', 'updated'),
			createSavedStart('m', 'status'),
		];
		expect(readRepeatedStarts(savedStarts, record)).toEqual([
			['k', undefined],
			['l', 'updated'],
			['m', 'status'],
		]);
	});

	test('is obsolete if the filters of the user exclude the record now', () => {
		const definition = createList({ isFiltered: false, matches: () => false });
		expect(readRepeatedStarts([createSavedStart('k', 'updated')], record, definition)).toEqual([
			['k', undefined],
		]);
	});

	test('is not repeated if a present event of the record has the same key', () => {
		const key = startKeyOf('w:n', 'people', 'created', 'a');
		const { repeated, wantedChanges } = processRecord(
			createTrackedList({ savedStarts: [createSavedStart(key, 'created')] }),
			newRecord,
		);
		expect(repeated).toEqual([]);
		expect(wantedChanges.map((change) => change.key)).toEqual([key]);
	});
});

describe('the saved cursor', () => {
	test('does not move past a change whose start is not confirmed', () => {
		const tracked = createTrackedList({ definition: createList() });
		tracked.beginPoll(NOON, 0);
		const processed = processRecord(tracked, { ...newRecord, Stamp: formatTime(30_000) });
		tracked.observeFirstResponse(NOON + MINUTE, 0);
		tracked.completePoll(NOON + MINUTE);
		expect(tracked.toSaved().cursor).toBe(NOON);
		processed.markRequested();
		expect(tracked.toSaved().cursor).toBe(NOON);
		processed.wantedChanges[0]!.markConfirmed();
		expect(tracked.toSaved().cursor).toBe(NOON + 30_000);
	});

	test('is that of the first poll as long as one of its changes is not confirmed', () => {
		const tracked = createTrackedList({
			definition: createList(),
			savedList: { ...savedAtNoon, cursor: undefined },
		});
		tracked.beginPoll(NOON, 0);
		tracked.observeFirstResponse(NOON + MINUTE, 0);
		const { wantedChanges } = processRecord(tracked, { ...newRecord, Stamp: formatTime(1) });
		tracked.completePoll(NOON + MINUTE);
		expect(tracked.toSaved().cursor).toBe(NOON - 28 * HOUR);
		wantedChanges[0]!.markConfirmed();
		expect(tracked.toSaved().cursor).toBe(NOON + 1);
	});
});
