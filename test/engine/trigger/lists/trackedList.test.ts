import type { IDataObject } from 'n8n-workflow';

import type { FollowOptions, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { SavedList } from '../../../../nodes/engine/trigger/lists/core/listSnapshot';
import { TrackedList } from '../../../../nodes/engine/trigger/lists/core/trackedList';
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const compared = createList({ isFiltered: false });
const createSaved = (overrides: Partial<SavedList> = {}): SavedList => ({
	key: 'people',
	cursor: NOON,
	followedSince: NOON,
	known: [],
	...overrides,
});
const track = (
	definition: ListDefinition = createList(),
	from?: SavedList,
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
		from,
	);
const processRecord = (
	tracked: TrackedList<ListDefinition>,
	record: IDataObject,
	now = NOON + MINUTE,
) => tracked.processRecord(record, { now, at: 0, isFurtherPass: false }, () => undefined);
const kindsOf = (tracked: TrackedList<ListDefinition>, record: IDataObject) =>
	processRecord(tracked, record).wantedChanges.map(({ change }) => change.kind);
/** Polls a list that has no record, with this Date header. */
const pollEmpty = (tracked: TrackedList<ListDefinition>, date: number) => {
	tracked.beginPoll(date, 0);
	tracked.observeFirstResponse(date, 0);
	return tracked.completePoll(date);
};

describe('the saved state of a list', () => {
	test('contains only its key before the list is read', () => {
		const tracked = track();
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

	test('is restored as it was saved', () => {
		const savedList = createSaved({
			knownFrom: NOON - HOUR,
			known: [[NOON, 'a:abcdefghiA b:abcdefghiA']],
			failureReported: true,
			discoveredAs: 'lists',
			reported: ['undated', 'incomplete'],
		});
		const tracked = track(createList({ discoveredAs: 'lists' }), savedList);
		expect(tracked.toSaved()).toStrictEqual(savedList);
		expect(tracked).toMatchObject({ hasNeverBeenRead: false, isFailureReported: true, size: 2 });
		const less = createSaved({ reported: ['undated'] });
		expect(track(createList(), less).toSaved()).toStrictEqual(less);
		expect(track(createList(), createSaved()).toSaved()).toStrictEqual(createSaved());
	});
});

describe('the time since which a list is followed', () => {
	test('is set once', () => {
		const tracked = track();
		tracked.setFollowedSince(NOON);
		tracked.setFollowedSince(NOON + 1);
		expect(tracked.toSaved().followedSince).toBe(NOON);
	});

	test('lies before everything if existing records are included', () => {
		const tracked = track(createList(), undefined, { includeExisting: true });
		tracked.setFollowedSince(NOON);
		expect(tracked.toSaved().followedSince).toBe(-Infinity);
	});

	test('is also the cursor of a list that begins as if it had been read', () => {
		const tracked = track();
		tracked.startFrom(NOON);
		expect(tracked.toSaved()).toMatchObject({
			cursor: NOON,
			followedSince: NOON,
			knownFrom: NOON,
		});
		tracked.startFrom(NOON + 1);
		expect(tracked.toSaved().followedSince).toBe(NOON);
	});

	test('is the first response of the first complete poll at the latest', () => {
		const tracked = track();
		pollEmpty(tracked, NOON);
		pollEmpty(tracked, NOON + MINUTE);
		expect(tracked.toSaved().followedSince).toBe(NOON);
	});

	test.each([
		['moves back with the clock of a compared list', false, NOON, NOON - 10 * HOUR],
		['is set if it was unknown', false, undefined, NOON - 10 * HOUR],
		['never moves ahead', false, NOON - 20 * HOUR, NOON - 20 * HOUR],
		['stays for a filtered list', true, NOON, NOON],
	])('%s when the clock was set back', (_, isFiltered, followedSince, expected) => {
		const from = createSaved({ followedSince, knownFrom: NOON - 10 * HOUR });
		const tracked = track(createList({ isFiltered }), from);
		tracked.beginPoll(NOON - HOUR, 0);
		tracked.observeFirstResponse(NOON - HOUR, 0);
		expect(tracked.toSaved().followedSince).toBe(expected);
	});

	test('stays for a compared list whose clock was not set back', () => {
		const tracked = track(compared, createSaved({ followedSince: NOON - HOUR }));
		tracked.observeFirstResponse(NOON + MINUTE, 0);
		expect(tracked.toSaved().followedSince).toBe(NOON - HOUR);
	});
});

describe('unknown records', () => {
	const isCreated = (tracked: TrackedList<ListDefinition>, afterMs: number) =>
		kindsOf(tracked, { Id: 'a', CreatedAt: formatTime(afterMs), Stamp: formatTime(0) }).includes(
			'created',
		);

	test('the first poll returns as new what was created since the list is followed', () => {
		const first = (definition: ListDefinition) =>
			track(definition, createSaved({ cursor: undefined }));
		for (const definition of [createList(), compared]) {
			expect(isCreated(first(definition), 0)).toBe(true);
			expect(isCreated(first(definition), -1)).toBe(false);
		}
	});

	test('a filtered list returns as new what was created when all records were already known', () => {
		const trackLater = (over: Partial<SavedList>) => track(createList(), createSaved(over));
		const knownFrom = NOON - 10 * HOUR;
		expect(isCreated(trackLater({ knownFrom }), -10 * HOUR)).toBe(true);
		expect(isCreated(trackLater({ knownFrom }), -10 * HOUR - 1)).toBe(false);
		expect(isCreated(trackLater({}), -1)).toBe(false);
		expect(isCreated(trackLater({ knownFrom: NOON + HOUR }), 0)).toBe(true);
	});

	test('a compared list returns as new what was created up to the clock skew earlier', () => {
		const trackLater = () => track(compared, createSaved({ knownFrom: -Infinity }));
		expect(isCreated(trackLater(), -HOUR)).toBe(true);
		expect(isCreated(trackLater(), -HOUR - 1)).toBe(false);
	});

	test('every record is new if it is unknown since when the list is followed', () => {
		expect(
			isCreated(track(createList(), createSaved({ followedSince: undefined })), -100 * HOUR),
		).toBe(true);
	});

	test('existing records are new in the first poll only, if they are included', () => {
		const including = (from: Partial<SavedList>) =>
			track(compared, createSaved({ followedSince: NOON, ...from }), { includeExisting: true });
		expect(isCreated(including({ cursor: undefined }), -100 * HOUR)).toBe(true);
		expect(isCreated(including({}), -100 * HOUR)).toBe(false);
	});

	test('a record from the second in which following began is new only in a repeated pass', () => {
		const inPass = (isFurtherPass: boolean) => {
			const tracked = track(compared, createSaved({ cursor: undefined }));
			const record = { Id: 'a', CreatedAt: formatTime(0) };
			return tracked.processRecord(record, { now: NOON, at: 0, isFurtherPass }, () => undefined)
				.wantedChanges.length;
		};
		expect([inPass(false), inPass(true)]).toEqual([0, 1]);
	});
});

describe('a complete poll', () => {
	test('ends all failures of the list', () => {
		const tracked = track(createList(), createSaved({ failureReported: true }));
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

	test('returns how far stamps lag behind', () => {
		const tracked = track();
		pollEmpty(tracked, NOON);
		tracked.beginPoll(NOON, 0);
		processRecord(tracked, { Id: 'a', Stamp: formatTime(-5 * MINUTE) }, NOON);
		expect(tracked.completePoll(NOON)).toBe(5 * MINUTE);
	});

	test('forgets records that the list no longer returns: earlier ones are no longer all known', () => {
		const known: SavedList['known'] = [
			[NOON - 40 * HOUR, 'a:abcdefghiA'],
			[NOON - HOUR, 'b:abcdefghiA'],
		];
		const from = createSaved({
			knownFrom: NOON - 50 * HOUR,
			followedSince: NOON - 60 * HOUR,
			known,
		});
		const tracked = track(createList(), from);
		pollEmpty(tracked, NOON);
		expect(tracked.size).toBe(1);
		expect(tracked.toSaved()).toMatchObject({
			knownFrom: NOON - 39 * HOUR,
			followedSince: NOON - 60 * HOUR,
		});
	});

	test.each([
		['moves there', -10 * HOUR, -3 * HOUR],
		['does not move back', -HOUR, -HOUR],
	])(
		'forgets the oldest records above the limit: the followed time %s',
		(_, sinceMs, expectedMs) => {
			const known: SavedList['known'] = [
				[NOON - 3 * HOUR, 'a:abcdefghiA'],
				[NOON - 2 * HOUR, 'b:abcdefghiA'],
				[NOON - HOUR, 'c:abcdefghiA'],
			];
			const from = createSaved({
				knownFrom: NOON - 10 * HOUR,
				followedSince: NOON + sinceMs,
				known,
			});
			const tracked = track(createList(), from, { maxKnown: 2 });
			pollEmpty(tracked, NOON);
			expect(tracked.size).toBe(2);
			expect(tracked.toSaved()).toMatchObject({
				knownFrom: NOON - 2 * HOUR,
				followedSince: NOON + expectedMs,
			});
		},
	);
});
