import type { ListSnapshot, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { TrackedLists } from '../../../../nodes/engine/trigger/lists/core/trackedLists';
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';

const options = { ...FOLLOW_DEFAULTS, kinds: new Set(['created']), startKeyPrefix: 'w:n' };
const clock = { now: () => 1_000_000, monotonic: () => 0 };
const createList = (key: string, overrides: Partial<ListDefinition> = {}): ListDefinition => ({
	key,
	name: key,
	isFiltered: true,
	changeSchema: { oneTimeEvents: [{ kind: 'created', dateFields: ['At'], isCreation: true }] },
	identify: ({ Id }) => Id,
	...overrides,
});
const createSnapshot = (keys: string[], overrides: object = {}): ListSnapshot => ({
	version: 1,
	saves: 1,
	activatedAt: 0,
	lists: keys.map((key) => ({
		key,
		cursor: 500_000,
		followedSince: 1000,
		known: [],
		...overrides,
	})),
	pendingStarts: [],
});
const keys = Array.from({ length: 120 }, (_, index) => `orders ${index}`);

test('saved state is kept until the tracked lists are known', () => {
	const trackedLists = new TrackedLists(options, clock, createSnapshot(keys));
	expect(trackedLists.toSaved().lists).toHaveLength(120);
	trackedLists.setLists([createList('orders 0')], 900_000);
	expect(trackedLists.toSaved().lists).toHaveLength(101);
});

test.each([
	['of its kind', 'orders', 500_000],
	['of another kind', 'registrations', 900_000],
	['that was chosen', undefined, 900_000],
])('a discovered list counts from the last poll of a list %s only', (_, discoveredAs, from) => {
	const trackedLists = new TrackedLists(
		options,
		clock,
		createSnapshot(['orders 1'], { discoveredAs }),
	);
	trackedLists.setLists([createList('orders 2', { discoveredAs: 'orders' })], 900_000);
	expect(trackedLists.all[0]!.toSaved().followedSince).toBe(from);
});

describe('the lists that are followed', () => {
	const keysOf = (lists: TrackedLists<ListDefinition>) => lists.all.map(({ list: { key } }) => key);
	const savedKeysOf = (lists: TrackedLists<ListDefinition>) =>
		lists.toSaved().lists.map(({ key }) => key);

	test('are replaced, and keep their state with their new definition', () => {
		const lists = new TrackedLists(options, clock);
		lists.setLists([createList('a'), createList('b')], 900_000);
		const [a] = lists.all;
		lists.setLists([createList('a', { name: 'Another name' }), createList('c')], 950_000);
		expect(keysOf(lists)).toEqual(['a', 'c']);
		expect(lists.all[0]).toBe(a);
		expect(a!.list.name).toBe('Another name');
		expect(a!.toSaved().followedSince).toBe(900_000);
	});

	test('leave their state saved, in case they are followed again', () => {
		const lists = new TrackedLists(options, clock);
		lists.setLists([createList('a'), createList('b')], 900_000);
		lists.setLists([createList('b')], 950_000);
		expect(savedKeysOf(lists)).toEqual(['a', 'b']);
		lists.setLists([createList('a')], 950_000);
		expect(savedKeysOf(lists)).toEqual(['b', 'a']);
		expect(lists.all[0]!.toSaved().followedSince).toBe(900_000);
	});

	test('leave the state of the latest hundred others saved at most', () => {
		const lists = new TrackedLists(options, clock);
		lists.setLists(
			keys.map((key) => createList(key)),
			900_000,
		);
		lists.setLists([], 900_000);
		expect(savedKeysOf(lists)).toEqual(keys.slice(-100));
	});

	test('are restored once, and then no longer saved as earlier ones', () => {
		const lists = new TrackedLists(options, clock, createSnapshot(['a', 'b']));
		lists.setLists([createList('a')], 900_000);
		expect(lists.all[0]!.toSaved()).toMatchObject({ cursor: 500_000, followedSince: 1000 });
		expect(savedKeysOf(lists)).toEqual(['b', 'a']);
	});

	test('are polled in the order in which they were last polled', () => {
		const lists = new TrackedLists(options, clock);
		lists.setLists([createList('a'), createList('b'), createList('c')], 900_000);
		lists.all[0]!.lastPolledAt = 5;
		lists.all[1]!.lastPolledAt = 3;
		const order = lists.leastRecentlyPolledFirst.map(({ list: { key } }) => key);
		expect(order).toEqual(['c', 'b', 'a']);
	});

	test('count as read after a complete poll since the last restart', () => {
		const lists = new TrackedLists(options, clock, createSnapshot(['a', 'b']));
		lists.setLists([createList('a'), createList('b')], 900_000);
		lists.all[0]!.wasRead = true;
		expect(['a', 'b', 'c'].map((key) => lists.wasRead(key))).toEqual([true, false, false]);
	});
});

describe('a list that the trigger discovers', () => {
	const discovered = { discoveredAs: 'orders' };
	const discoverList = (
		lists: TrackedLists<ListDefinition>,
		over: Partial<ListDefinition> = {},
	) => {
		lists.setLists([createList('new', { ...discovered, ...over })], 900_000);
		return lists.all[0]!.toSaved();
	};

	test('counts from the last round on; a filtered one is read from there', () => {
		const lists = () => {
			const before = new TrackedLists(options, clock);
			before.endRound(700_000);
			before.endRound(undefined);
			return before;
		};
		expect(discoverList(lists())).toMatchObject({ cursor: 700_000, followedSince: 700_000 });
		const compared = discoverList(lists(), { isFiltered: false });
		expect([compared.cursor, compared.followedSince]).toEqual([undefined, 700_000]);
		expect(discoverList(lists(), { discoveredAs: undefined }).followedSince).toBe(900_000);
	});

	test('counts after a restart from the latest time at which a list of its category was read', () => {
		const snapshot = createSnapshot(['a', 'b', 'c'], discovered);
		snapshot.lists[1]!.cursor = 600_000;
		snapshot.lists[2]!.cursor = undefined;
		expect(discoverList(new TrackedLists(options, clock, snapshot)).followedSince).toBe(600_000);
	});

	test('counts from now on if no list of its category was read to a known time', () => {
		for (const cursor of [undefined, -Infinity]) {
			const snapshot = createSnapshot(['a'], { ...discovered, cursor });
			expect(discoverList(new TrackedLists(options, clock, snapshot)).cursor).toBeUndefined();
		}
	});

	test('keeps its own state if it was followed before', () => {
		const lists = new TrackedLists(options, clock, createSnapshot(['new'], { cursor: undefined }));
		lists.endRound(700_000);
		expect(discoverList(lists)).toMatchObject({ cursor: undefined, followedSince: 1000 });
	});
});

describe('the beginning of following', () => {
	const DAY = 24 * 3_600_000;
	/** Returns the beginning if the service first responds this long after the activation, partly after a restart. */
	const beginningOffsetMs = (
		waitedMs: number,
		beforeRestartMs = 0,
		over: Partial<ListSnapshot> = {},
	) => {
		let nowMs = 0;
		const time = { now: () => 10 * DAY + nowMs, monotonic: () => 77 + nowMs };
		const snapshot = { ...createSnapshot([]), activatedAt: 10 * DAY - beforeRestartMs, ...over };
		const lists = new TrackedLists(options, time, beforeRestartMs > 0 ? snapshot : undefined);
		nowMs = waitedMs - beforeRestartMs;
		lists.setLists([createList('a')], 20 * DAY);
		return 20 * DAY - lists.all[0]!.toSaved().followedSince!;
	};

	test('is the activation, even if the service responds later', () => {
		expect(beginningOffsetMs(60_000)).toBe(59_000);
		expect(beginningOffsetMs(60_000, 20_000)).toBe(59_000);
	});

	test('is the first response if it arrives within two seconds or after seven days', () => {
		expect([beginningOffsetMs(2000), beginningOffsetMs(2001)]).toEqual([0, 1001]);
		expect([beginningOffsetMs(7 * DAY - 1), beginningOffsetMs(7 * DAY)]).toEqual([
			7 * DAY - 1001,
			0,
		]);
	});

	test('is the discovery if some list was read before', () => {
		const { lists } = createSnapshot(['b', 'c']);
		delete lists[1]!.cursor;
		expect(beginningOffsetMs(60_000, 20_000, { lists })).toBe(0);
		expect(beginningOffsetMs(60_000, 20_000, { lists: lists.slice(1) })).toBe(59_000);
	});
});
