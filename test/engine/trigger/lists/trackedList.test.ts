import type { IDataObject } from 'n8n-workflow';

import type { FollowOptions, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { SavedList } from '../../../../nodes/engine/trigger/lists/core/listSnapshot';
import { TrackedList } from '../../../../nodes/engine/trigger/lists/core/trackedList';
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';
import { HOUR, createList, MINUTE, NOON, formatTime } from './listHarness';

const compared = createList({ isFiltered: false });
const saved = (over: Partial<SavedList> = {}): SavedList => ({
	key: 'people',
	cursor: NOON,
	followedSince: NOON,
	known: [],
	...over,
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
const read = (tracked: TrackedList<ListDefinition>, record: IDataObject, now = NOON + MINUTE) =>
	tracked.processRecord(record, { now, at: 0, isFurtherPass: false }, () => undefined);
const kindsOf = (tracked: TrackedList<ListDefinition>, record: IDataObject) =>
	read(tracked, record).wantedChanges.map(({ change }) => change.kind);
/** Polls a list that has no record, with this Date header. */
const pollEmpty = (tracked: TrackedList<ListDefinition>, date: number) => {
	tracked.beginPoll(date, 0);
	tracked.observeFirstResponse(date, 0);
	return tracked.completePoll(date);
};

describe('the saved state of a list', () => {
	test('has nothing but its key before the list is read', () => {
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
		const all = saved({
			knownFrom: NOON - HOUR,
			known: [[NOON, 'a:abcdefghiA b:abcdefghiA']],
			failureReported: true,
			discoveredAs: 'lists',
			reported: ['undated', 'incomplete'],
		});
		const tracked = track(createList({ discoveredAs: 'lists' }), all);
		expect(tracked.toSaved()).toStrictEqual(all);
		expect(tracked).toMatchObject({ hasNeverBeenRead: false, isFailureReported: true, size: 2 });
		const less = saved({ reported: ['undated'] });
		expect(track(createList(), less).toSaved()).toStrictEqual(less);
		expect(track(createList(), saved()).toSaved()).toStrictEqual(saved());
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

	test('is the first answer of the first complete poll at the latest', () => {
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
		const from = saved({ followedSince, knownFrom: NOON - 10 * HOUR });
		const tracked = track(createList({ isFiltered }), from);
		tracked.beginPoll(NOON - HOUR, 0);
		tracked.observeFirstResponse(NOON - HOUR, 0);
		expect(tracked.toSaved().followedSince).toBe(expected);
	});

	test('stays for a compared list whose clock was not set back', () => {
		const tracked = track(compared, saved({ followedSince: NOON - HOUR }));
		tracked.observeFirstResponse(NOON + MINUTE, 0);
		expect(tracked.toSaved().followedSince).toBe(NOON - HOUR);
	});
});

describe('an unknown record is new', () => {
	const created = (tracked: TrackedList<ListDefinition>, afterMs: number) =>
		kindsOf(tracked, { Id: 'a', CreatedAt: formatTime(afterMs), Stamp: formatTime(0) }).includes(
			'created',
		);

	test('in the first poll if it was created since the list is followed', () => {
		const first = (of: ListDefinition) => track(of, saved({ cursor: undefined }));
		for (const of of [createList(), compared]) {
			expect(created(first(of), 0)).toBe(true);
			expect(created(first(of), -1)).toBe(false);
		}
	});

	test('in a filtered list if it was created when all records were already known', () => {
		const later = (over: Partial<SavedList>) => track(createList(), saved(over));
		const knownFrom = NOON - 10 * HOUR;
		expect(created(later({ knownFrom }), -10 * HOUR)).toBe(true);
		expect(created(later({ knownFrom }), -10 * HOUR - 1)).toBe(false);
		expect(created(later({}), -1)).toBe(false);
		expect(created(later({ knownFrom: NOON + HOUR }), 0)).toBe(true);
	});

	test('in a compared list if it was created no more than the clock skew earlier', () => {
		const later = () => track(compared, saved({ knownFrom: -Infinity }));
		expect(created(later(), -HOUR)).toBe(true);
		expect(created(later(), -HOUR - 1)).toBe(false);
	});

	test('whenever it was created, if it is unknown since when the list is followed', () => {
		expect(created(track(createList(), saved({ followedSince: undefined })), -100 * HOUR)).toBe(
			true,
		);
	});

	test('if existing records are included, in the first poll only', () => {
		const including = (from: Partial<SavedList>) =>
			track(compared, saved({ followedSince: NOON, ...from }), { includeExisting: true });
		expect(created(including({ cursor: undefined }), -100 * HOUR)).toBe(true);
		expect(created(including({}), -100 * HOUR)).toBe(false);
	});

	test('in the second in which following began, only if a repeated pass finds it', () => {
		const inPass = (isFurtherPass: boolean) => {
			const tracked = track(compared, saved({ cursor: undefined }));
			const record = { Id: 'a', CreatedAt: formatTime(0) };
			return tracked.processRecord(record, { now: NOON, at: 0, isFurtherPass }, () => undefined)
				.wantedChanges.length;
		};
		expect([inPass(false), inPass(true)]).toEqual([0, 1]);
	});
});

describe('a complete poll', () => {
	test('ends all failures of the list', () => {
		const tracked = track(createList(), saved({ failureReported: true }));
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
		read(tracked, { Id: 'a', Stamp: formatTime(-5 * MINUTE) }, NOON);
		expect(tracked.completePoll(NOON)).toBe(5 * MINUTE);
	});

	test('forgets records that the list no longer returns: earlier ones are no longer all known', () => {
		const known: SavedList['known'] = [
			[NOON - 40 * HOUR, 'a:abcdefghiA'],
			[NOON - HOUR, 'b:abcdefghiA'],
		];
		const from = saved({ knownFrom: NOON - 50 * HOUR, followedSince: NOON - 60 * HOUR, known });
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
	])('forgets the oldest above the limit: what is followed %s', (_, sinceMs, expectedMs) => {
		const known: SavedList['known'] = [
			[NOON - 3 * HOUR, 'a:abcdefghiA'],
			[NOON - 2 * HOUR, 'b:abcdefghiA'],
			[NOON - HOUR, 'c:abcdefghiA'],
		];
		const from = saved({ knownFrom: NOON - 10 * HOUR, followedSince: NOON + sinceMs, known });
		const tracked = track(createList(), from, { maxKnown: 2 });
		pollEmpty(tracked, NOON);
		expect(tracked.size).toBe(2);
		expect(tracked.toSaved()).toMatchObject({
			knownFrom: NOON - 2 * HOUR,
			followedSince: NOON + expectedMs,
		});
	});
});
