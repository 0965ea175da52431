// Protects a followed list across restarts: new records stay new, and records that were forgotten do not count as new.
import type { IDataObject } from 'n8n-workflow';

import type { FollowOptions, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { SavedList } from '../../../../nodes/engine/trigger/lists/core/listSnapshot';
import { TrackedList } from '../../../../nodes/engine/trigger/lists/core/trackedList';
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const compared = createList({ isFiltered: false });
/** The saved state of a list that is followed, and was read, since noon. */
const createSavedList = (overrides: Partial<SavedList> = {}): SavedList => ({
	key: 'people',
	cursor: NOON,
	followedSince: NOON,
	known: [],
	...overrides,
});
const createTrackedList = (
	definition: ListDefinition = createList(),
	savedList?: SavedList,
	options: Partial<FollowOptions> = {},
) =>
	new TrackedList(
		definition,
		{
			...FOLLOW_DEFAULTS,
			kinds: new Set(['created', 'updated', 'status', 'checkedIn']),
			startKeyPrefix: 'w:n',
			...options,
		},
		savedList,
	);
const processRecord = (
	tracked: TrackedList<ListDefinition>,
	record: IDataObject,
	serviceTime: number | null = NOON + MINUTE,
) =>
	tracked.processRecord(
		record,
		{ serviceTimeMs: serviceTime ?? undefined, monotonicMs: 0, isFurtherPass: false },
		() => undefined,
	);
const readChangeKinds = (tracked: TrackedList<ListDefinition>, record: IDataObject) =>
	(processRecord(tracked, record).wanted?.wantedChanges ?? []).map(({ change }) => change.kind);
/** Polls a list that has no record, with this Date header. Returns how far stamps lag behind the header. */
const pollEmpty = (tracked: TrackedList<ListDefinition>, date: number) => {
	tracked.beginPoll(date, 0);
	tracked.observeFirstResponse(date, 0);
	return tracked.completePoll(date);
};

describe('the saved state of a list', () => {
	test('has a key and no known records before the list is read', () => {
		const tracked = createTrackedList();
		expect(tracked.toSaved()).toStrictEqual({
			key: 'people',
			cursor: undefined,
			followedSince: undefined,
			known: [],
		});
		expect(tracked).toMatchObject({
			hasNeverBeenRead: true,
			isFailureReported: false,
			failures: 0,
			dueAt: -Infinity,
			lastPolledAt: -Infinity,
			unavailablePolls: 0,
			wasRead: false,
			size: 0,
		});
	});

	test('is the same after it was restored', () => {
		const savedList = createSavedList({
			knownFrom: NOON - HOUR,
			known: [[NOON, 'a:abcdefghiA b:abcdefghiA']],
			failureReported: true,
			discoveredAs: 'lists',
			reported: ['undated', 'incomplete'],
		});
		const tracked = createTrackedList(createList({ discoveredAs: 'lists' }), savedList);
		expect(tracked.toSaved()).toStrictEqual(savedList);
		expect(tracked).toMatchObject({ hasNeverBeenRead: false, isFailureReported: true, size: 2 });
		const savedWithReport = createSavedList({ reported: ['undated'] });
		expect(createTrackedList(createList(), savedWithReport).toSaved()).toStrictEqual(
			savedWithReport,
		);
		expect(createTrackedList(createList(), createSavedList()).toSaved()).toStrictEqual(
			createSavedList(),
		);
	});
});

describe('the time since which a list is followed', () => {
	test('does not change once it is set', () => {
		const tracked = createTrackedList();
		tracked.setFollowedSince(NOON);
		tracked.setFollowedSince(NOON + 1);
		expect(tracked.toSaved().followedSince).toBe(NOON);
	});

	test('is minus infinity if existing records are included', () => {
		const tracked = createTrackedList(createList(), undefined, { includeExisting: true });
		tracked.setFollowedSince(NOON);
		expect(tracked.toSaved().followedSince).toBe(-Infinity);
	});

	test('is equal to the cursor if the list begins as if it had been read up to a time', () => {
		const tracked = createTrackedList();
		tracked.startFrom(NOON);
		expect(tracked.toSaved()).toMatchObject({
			cursor: NOON,
			followedSince: NOON,
			knownFrom: NOON,
		});
		tracked.startFrom(NOON + 1);
		expect(tracked.toSaved().followedSince).toBe(NOON);
	});

	test('is the first response of the first complete poll if it was not set before', () => {
		const tracked = createTrackedList();
		pollEmpty(tracked, NOON);
		pollEmpty(tracked, NOON + MINUTE);
		expect(tracked.toSaved().followedSince).toBe(NOON);
	});

	/** The next poll reaches back to the time from which all records are known. */
	const setBackTo = NOON - 10 * HOUR + FOLLOW_DEFAULTS.overlapMs;
	test.each([
		['moves back, in a compared list,', false, NOON, setBackTo],
		['is set, in a compared list where it was unknown,', false, undefined, setBackTo],
		['does not move ahead, in a compared list,', false, NOON - 20 * HOUR, NOON - 20 * HOUR],
		['does not change, in a filtered list,', true, NOON, NOON],
	])("%s when the service's clock was set back", (_, isFiltered, followedSince, expected) => {
		const savedList = createSavedList({ followedSince, knownFrom: NOON - 10 * HOUR });
		const tracked = createTrackedList(createList({ isFiltered }), savedList);
		tracked.beginPoll(NOON - HOUR, 0);
		tracked.observeFirstResponse(NOON - HOUR, 0);
		expect(tracked.toSaved().followedSince).toBe(expected);
	});

	test("does not change, in a compared list, unless the service's clock was set back", () => {
		const tracked = createTrackedList(compared, createSavedList({ followedSince: NOON - HOUR }));
		tracked.observeFirstResponse(NOON + MINUTE, 0);
		expect(tracked.toSaved().followedSince).toBe(NOON - HOUR);
	});
});

describe('an unknown record', () => {
	/** Whether the list returns a record that was created this long after noon as new. */
	const isNew = (tracked: TrackedList<ListDefinition>, afterMs: number) =>
		readChangeKinds(tracked, {
			Id: 'a',
			CreatedAt: formatTime(afterMs),
			Stamp: formatTime(0),
		}).includes('created');

	test('is new in the first poll if it was created since the list is followed', () => {
		const createUnreadList = (definition: ListDefinition) =>
			createTrackedList(definition, createSavedList({ cursor: undefined }));
		for (const definition of [createList(), compared]) {
			expect(isNew(createUnreadList(definition), 0)).toBe(true);
			expect(isNew(createUnreadList(definition), -1)).toBe(false);
		}
	});

	test('is new in a filtered list if it was created since the time from which all records are known', () => {
		const createFilteredList = (overrides: Partial<SavedList>) =>
			createTrackedList(createList(), createSavedList(overrides));
		const knownFrom = NOON - 10 * HOUR;
		expect(isNew(createFilteredList({ knownFrom }), -10 * HOUR)).toBe(true);
		expect(isNew(createFilteredList({ knownFrom }), -10 * HOUR - 1)).toBe(false);
		expect(isNew(createFilteredList({}), -1)).toBe(false);
		expect(isNew(createFilteredList({ knownFrom: NOON + HOUR }), 0)).toBe(true);
	});

	test('is new in a compared list if it was created at most an hour before the list was followed', () => {
		const createComparedList = () =>
			createTrackedList(compared, createSavedList({ knownFrom: -Infinity }));
		expect(isNew(createComparedList(), -HOUR)).toBe(true);
		expect(isNew(createComparedList(), -HOUR - 1)).toBe(false);
	});

	test('is always new if the time since which the list is followed is unknown', () => {
		expect(
			isNew(
				createTrackedList(createList(), createSavedList({ followedSince: undefined })),
				-100 * HOUR,
			),
		).toBe(true);
	});

	test('is new in the first poll, however old it is, if existing records are included', () => {
		const createListWithExisting = (overrides: Partial<SavedList>) =>
			createTrackedList(compared, createSavedList({ followedSince: NOON, ...overrides }), {
				includeExisting: true,
			});
		expect(isNew(createListWithExisting({ cursor: undefined }), -100 * HOUR)).toBe(true);
		expect(isNew(createListWithExisting({}), -100 * HOUR)).toBe(false);
	});

	test('is new only in a repeated pass if it is from the second in which following began', () => {
		const countChanges = (isFurtherPass: boolean) => {
			const tracked = createTrackedList(compared, createSavedList({ cursor: undefined }));
			const record = { Id: 'a', CreatedAt: formatTime(0) };
			return tracked.processRecord(
				record,
				{ serviceTimeMs: NOON, monotonicMs: 0, isFurtherPass },
				() => undefined,
			).wanted?.wantedChanges.length;
		};
		expect([countChanges(false), countChanges(true)]).toEqual([undefined, 1]);
	});
});

describe('a complete poll', () => {
	test('resets the failures of the list', () => {
		const tracked = createTrackedList(createList(), createSavedList({ failureReported: true }));
		Object.assign(tracked, { failures: 3, unavailablePolls: 2 });
		expect(tracked.wasRead).toBe(false);
		expect(pollEmpty(tracked, NOON)).toBeUndefined();
		expect(tracked).toMatchObject({
			wasRead: true,
			failures: 0,
			unavailablePolls: 0,
			isFailureReported: false,
		});
	});

	test('returns how far stamps lag behind the Date header', () => {
		const tracked = createTrackedList();
		pollEmpty(tracked, NOON);
		tracked.beginPoll(NOON, 0);
		processRecord(tracked, { Id: 'a', Stamp: formatTime(-5 * MINUTE) }, NOON);
		expect(tracked.completePoll(NOON)).toBe(5 * MINUTE);
	});

	test('forgets no changed record whose start is not requested, however long ago it was read', () => {
		const tracked = createTrackedList(compared, createSavedList({ known: [[1, 'a:abcdefghiA']] }));
		processRecord(tracked, { Id: 'a' }, NOON);
		pollEmpty(tracked, NOON);
		expect(tracked.toSaved().known).toEqual([[NOON, 'a:abcdefghiA']]);
	});

	test('forgets a record that was read without a Date header seven days after the next one', () => {
		const beforeRestart = createTrackedList(compared);
		processRecord(beforeRestart, { Id: 'a' }, null);
		const tracked = createTrackedList(compared, beforeRestart.toSaved());
		for (const date of [NOON, NOON + 7 * 24 * HOUR]) pollEmpty(tracked, date);
		expect(tracked.size).toBe(1);
		pollEmpty(tracked, NOON + 7 * 24 * HOUR + 1);
		expect(tracked.size).toBe(0);
	});

	test('forgets unneeded records, so that not all records of that time are known any more', () => {
		const known: SavedList['known'] = [
			[NOON - 40 * HOUR, 'a:abcdefghiA'],
			[NOON - HOUR, 'b:abcdefghiA'],
		];
		const savedList = createSavedList({
			knownFrom: NOON - 50 * HOUR,
			followedSince: NOON - 60 * HOUR,
			known,
		});
		const tracked = createTrackedList(createList(), savedList);
		pollEmpty(tracked, NOON);
		expect(tracked.size).toBe(1);
		expect(tracked.toSaved()).toMatchObject({
			knownFrom: NOON - 39 * HOUR,
			followedSince: NOON - 60 * HOUR,
		});
	});

	test.each([
		['moves ahead to when the last forgotten one was read', -10 * HOUR, -3 * HOUR],
		['does not move back', -HOUR, -HOUR],
	])(
		'forgets the oldest records above the limit: the time since which the list is followed %s',
		(_, sinceMs, expectedMs) => {
			const known: SavedList['known'] = [
				[NOON - 3 * HOUR, 'a:abcdefghiA'],
				[NOON - 2 * HOUR, 'b:abcdefghiA'],
				[NOON - HOUR, 'c:abcdefghiA'],
			];
			const savedList = createSavedList({
				knownFrom: NOON - 10 * HOUR,
				followedSince: NOON + sinceMs,
				known,
			});
			const tracked = createTrackedList(createList(), savedList, { maxKnown: 2 });
			pollEmpty(tracked, NOON);
			expect(tracked.size).toBe(2);
			expect(tracked.toSaved()).toMatchObject({
				knownFrom: NOON - 2 * HOUR,
				followedSince: NOON + expectedMs,
			});
		},
	);
});
