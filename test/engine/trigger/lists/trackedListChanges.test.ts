import type { IDataObject } from 'n8n-workflow';

import type { FollowOptions, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { startKeyOf } from '../../../../nodes/engine/trigger/lists/core/digest';
import type { SavedStart } from '../../../../nodes/engine/trigger/lists/core/listSnapshot';
import { TrackedList } from '../../../../nodes/engine/trigger/lists/core/trackedList';
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const compared = createList({ isFiltered: false });
const followedList = { key: 'people', cursor: NOON, followedSince: NOON, known: [] };

interface TrackSettings {
	definition?: ListDefinition;
	from?: ReturnType<TrackedList<ListDefinition>['toSaved']>;
	starts?: SavedStart[];
	options?: Partial<FollowOptions>;
}
const track = ({
	definition = compared,
	from = followedList,
	starts,
	options,
}: TrackSettings = {}) => {
	const kinds = new Set(['created', 'updated', 'status', 'checkedIn']);
	return new TrackedList(
		definition,
		{ ...FOLLOW_DEFAULTS, kinds, startKeyPrefix: 'w:n', ...options },
		from,
		starts,
	);
};
const page = { now: NOON + MINUTE, at: 0, isFurtherPass: false };
const processRecord = (tracked: TrackedList<ListDefinition>, record: IDataObject) =>
	tracked.processRecord(record, page, () => undefined);
const kindsOf = (tracked: TrackedList<ListDefinition>, record: IDataObject) =>
	processRecord(tracked, record).wantedChanges.map(({ change }) => change.kind);
const requestAll = (tracked: TrackedList<ListDefinition>, record: IDataObject) => {
	const { wantedChanges } = processRecord(tracked, record);
	for (const { markRequested } of wantedChanges) markRequested();
	return wantedChanges.map(({ key }) => key);
};
/** Changes that another process finds in a record after it restores the state saved now. */
const kindsAfterRestart = (
	tracked: TrackedList<ListDefinition>,
	record: IDataObject,
	definition = compared,
) => kindsOf(track({ definition, from: tracked.toSaved() }), record);
const newRecord = { Id: 'a', CreatedAt: formatTime(1) };

describe('processing of records', () => {
	test('a slice has one record at least, and ends with its time or the page', () => {
		const records = ['a', 'b', 'c', 'd'].map((Id) => ({ ...newRecord, Id }));
		const processSlice = (from: number, maxRecords: number) => {
			let processedCount = 0;
			const isOver = () => ++processedCount >= maxRecords;
			return track()
				.processSome(records, from, page, () => undefined, isOver)
				.map(({ wantedChanges }) => wantedChanges[0]!.change.id);
		};
		expect(processSlice(0, 1)).toEqual(['a']);
		expect(processSlice(1, 2)).toEqual(['b', 'c']);
		expect(processSlice(1, 9)).toEqual(['b', 'c', 'd']);
		expect(processSlice(3, 9)).toEqual(['d']);
	});

	test.each([undefined, null, true, { a: 1 }])('a record without an ID is ignored: %p', (Id) => {
		const tracked = track();
		const processed = processRecord(tracked, { ...newRecord, Id: Id });
		expect(processed).toEqual({ repeated: [], wantedChanges: [], isChanged: false });
		expect(tracked.size).toBe(0);
	});

	test('a record may have a number as its ID', () => {
		expect(processRecord(track(), { ...newRecord, Id: 7 }).wantedChanges[0]!.change.id).toBe('7');
	});

	test('a record is changed if its contents changed or it is unknown', () => {
		const tracked = track();
		expect(processRecord(tracked, { Id: 'a', Name: 'A' }).isChanged).toBe(true);
		expect(processRecord(tracked, { Id: 'a', Name: 'A' }).isChanged).toBe(false);
		expect(processRecord(tracked, { Id: 'a', Name: 'B' }).isChanged).toBe(true);
	});

	test('missing dates that decide whether a record is new are reported by field', () => {
		const undated: Array<readonly string[]> = [];
		const tracked = track({ definition: createList() });
		tracked.processRecord({ Id: 'a' }, page, (fields) => void undated.push(fields));
		tracked.processRecord({ ...newRecord, Id: 'b' }, page, (fields) => void undated.push(fields));
		expect(undated).toStrictEqual([['CreatedAt']]);
	});

	test('without a Date header, a record counts as seen at the latest known time', () => {
		const tracked = track({
			definition: createList(),
			from: { ...followedList, cursor: NOON - 2 * HOUR },
		});
		const { wantedChanges } = tracked.processRecord(
			{ Id: 'a', Stamp: formatTime(-HOUR) },
			{ ...page, now: undefined },
			() => undefined,
		);
		wantedChanges[0]!.markRequested();
		expect(tracked.toSaved().known.map(([seenAt]) => seenAt)).toEqual([NOON - HOUR]);
	});

	test('records that the filters of the user exclude start nothing but become known', () => {
		const definition = createList({ isFiltered: false, matches: ({ Name }) => Name === 'A' });
		const tracked = track({ definition });
		expect(kindsOf(tracked, { ...newRecord, Name: 'B' })).toEqual([]);
		expect(tracked.size).toBe(1);
		expect(kindsOf(tracked, { ...newRecord, Name: 'A' })).toEqual(['updated']);
	});
});

describe('the known state of a record', () => {
	const twoEventsRecord = { ...newRecord, CheckIn: formatTime(2) };

	test('advances event by event, as their starts are requested', () => {
		const tracked = track();
		const { wantedChanges } = processRecord(tracked, twoEventsRecord);
		expect(wantedChanges.map(({ change }) => change.kind)).toEqual(['created', 'checkedIn']);
		expect(kindsAfterRestart(tracked, twoEventsRecord)).toEqual(['created', 'checkedIn']);
		wantedChanges[0]!.markRequested();
		expect(kindsOf(tracked, twoEventsRecord)).toEqual([]);
		expect(kindsAfterRestart(tracked, twoEventsRecord)).toEqual(['checkedIn']);
		wantedChanges[1]!.markRequested();
		expect(kindsOf(tracked, twoEventsRecord)).toEqual([]);
		expect(kindsAfterRestart(tracked, twoEventsRecord)).toEqual([]);
	});

	test('advances at once if the record shows no event, also after an event was requested', () => {
		const options = { kinds: new Set(['created']) };
		const tracked = track({ options });
		requestAll(tracked, newRecord);
		expect(processRecord(tracked, { ...newRecord, Name: 'A' }).wantedChanges).toEqual([]);
		expect(kindsAfterRestart(tracked, { ...newRecord, Name: 'A' })).toEqual([]);
	});

	test('does not advance before an earlier event of the record is requested', () => {
		const definition = createList({ isFiltered: false, matches: ({ Name }) => Name !== 'B' });
		const tracked = track({ definition });
		processRecord(tracked, newRecord);
		expect(processRecord(tracked, { ...newRecord, Name: 'B' }).wantedChanges).toEqual([]);
		expect(tracked.size).toBe(0);
	});

	test('does not skip a newer state that was read before the start was requested', () => {
		const tracked = track();
		const { wantedChanges } = processRecord(tracked, newRecord);
		const newerChanges = processRecord(tracked, { ...newRecord, Name: 'B' }).wantedChanges;
		expect(newerChanges.map(({ change }) => change.kind)).toEqual(['updated']);
		wantedChanges[0]!.markRequested();
		expect(kindsOf(tracked, { ...newRecord, Name: 'B' })).toEqual([]);
		expect(kindsAfterRestart(tracked, { ...newRecord, Name: 'B' })).toEqual(['updated']);
	});
});

describe('the keys of starts', () => {
	test('differ each time that a record of a compared list changes back and forth', () => {
		const tracked = track();
		requestAll(tracked, { ...newRecord, Name: 'A' });
		const keys = ['B', 'A', 'B', 'A'].flatMap((Name) =>
			requestAll(tracked, { ...newRecord, Name }),
		);
		expect(new Set(keys).size).toBe(4);
	});

	test.each([
		[
			'ten characters of a filtered list, whose stamps make keys differ',
			createList(),
			newRecord,
			10,
		],
		[
			'ten characters of a compared list before the first reported change',
			compared,
			{ CreatedAt: formatTime(-HOUR * 9) },
			10,
		],
		['eighteen characters of a compared list after it', compared, newRecord, 18],
	])('need a saved state of %s', (_, definition, record, length) => {
		const tracked = track({ definition });
		requestAll(tracked, { ...record, Id: 'a' });
		expect(tracked.toSaved().known[0]![1]).toHaveLength('a:'.length + length);
	});
});

describe('a start from before the last restart, whose record is read again', () => {
	const createStart = (key: string, kind: string): SavedStart => ({
		key,
		changes: [['people', kind, 'a']],
		requestedAt: NOON,
	});
	const record = { ...newRecord, Name: 'A', Status: 'x' };
	const restoreList = (starts: SavedStart[], definition = compared) => {
		const previous = track();
		requestAll(previous, record);
		return track({ definition, from: previous.toSaved(), starts });
	};
	const repeatedStarts = (
		starts: SavedStart[],
		currentRecord: IDataObject,
		definition = compared,
	) =>
		processRecord(restoreList(starts, definition), currentRecord).repeated.map(
			({ key, wantedChange: wanted }) => [key, wanted?.change.kind],
		);

	test('is repeated once, as long as the record shows its change', () => {
		expect(repeatedStarts([createStart('k', 'updated')], record)).toEqual([['k', 'updated']]);
		expect(repeatedStarts([createStart('k', 'updated')], { ...record, Name: 'B' })).toEqual([
			['k', undefined],
		]);
		const tracked = restoreList([createStart('k', 'updated')]);
		expect(processRecord(tracked, record).repeated).toHaveLength(1);
		expect(processRecord(tracked, record).repeated).toHaveLength(0);
	});

	test('is no longer wanted if a later start of the same kind follows', () => {
		const starts = [
			createStart('k', 'status'),
			createStart('l', 'updated'),
			createStart('m', 'status'),
		];
		expect(repeatedStarts(starts, record)).toEqual([
			['k', undefined],
			['l', 'updated'],
			['m', 'status'],
		]);
	});

	test('is no longer wanted if the filters of the user exclude the record now', () => {
		const definition = createList({ isFiltered: false, matches: () => false });
		expect(repeatedStarts([createStart('k', 'updated')], record, definition)).toEqual([
			['k', undefined],
		]);
	});

	test('is not repeated beside a present event with the same key', () => {
		const key = startKeyOf('w:n', 'people', 'created', 'a');
		const { repeated: repeatedChanges, wantedChanges } = processRecord(
			track({ starts: [createStart(key, 'created')] }),
			newRecord,
		);
		expect(repeatedChanges).toEqual([]);
		expect(wantedChanges.map((wanted) => wanted.key)).toEqual([key]);
	});
});

describe('the saved cursor', () => {
	test('does not pass a change whose start is not confirmed', () => {
		const tracked = track({ definition: createList() });
		tracked.beginPoll(NOON, 0);
		const { wantedChanges } = processRecord(tracked, { ...newRecord, Stamp: formatTime(30_000) });
		tracked.observeFirstResponse(NOON + MINUTE, 0);
		tracked.completePoll(NOON + MINUTE);
		expect(tracked.toSaved().cursor).toBe(NOON);
		wantedChanges[0]!.markRequested();
		expect(tracked.toSaved().cursor).toBe(NOON);
		wantedChanges[0]!.markConfirmed();
		expect(tracked.toSaved().cursor).toBe(NOON + 30_000);
	});

	test('repeats the first poll as long as one of its changes is not confirmed', () => {
		const tracked = track({
			definition: createList(),
			from: { ...followedList, cursor: undefined },
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
