// Protects lists that appear, vanish and return: each keeps its state, and is followed since a round or its discovery.
import type { ListSnapshot, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { TrackedLists } from '../../../../nodes/engine/trigger/lists/core/trackedLists';
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';

/** Times of the service's clock, in the order in which they occur. */
const SAVED_FOLLOWED_SINCE = 1000;
const SAVED_CURSOR = 500_000;
const LATER_SAVED_CURSOR = 600_000;
const LAST_ROUND = 700_000;
const DISCOVERY = 900_000;
const LATER_DISCOVERY = 950_000;

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
/** Creates a snapshot of lists that were read up to the saved cursor. */
const createSnapshot = (keys: string[], overrides: object = {}): ListSnapshot => ({
	version: 1,
	saves: 1,
	activatedAt: 0,
	lists: keys.map((key) => ({
		key,
		cursor: SAVED_CURSOR,
		followedSince: SAVED_FOLLOWED_SINCE,
		known: [],
		...overrides,
	})),
	pendingStarts: [],
});
const manyKeys = Array.from({ length: 120 }, (_, index) => `orders ${index}`);

test('all restored lists are saved before the first discovery, and at most a hundred others after it', () => {
	const trackedLists = new TrackedLists(options, clock, createSnapshot(manyKeys));
	expect(trackedLists.toSaved().lists).toHaveLength(120);
	trackedLists.setLists([createList('orders 0')], DISCOVERY);
	expect(trackedLists.toSaved().lists).toHaveLength(101);
});

test.each([
	['the saved cursor of a list of its category', 'orders', SAVED_CURSOR],
	['its discovery if the saved list has another category', 'registrations', DISCOVERY],
	['its discovery if the user selected the saved list', undefined, DISCOVERY],
])('a discovered list is followed since %s', (_, discoveredAs, followedSince) => {
	const trackedLists = new TrackedLists(
		options,
		clock,
		createSnapshot(['orders 1'], { discoveredAs }),
	);
	trackedLists.setLists([createList('orders 2', { discoveredAs: 'orders' })], DISCOVERY);
	expect(trackedLists.all[0]!.toSaved().followedSince).toBe(followedSince);
});

describe('TrackedLists', () => {
	const followedKeys = (lists: TrackedLists<ListDefinition>) =>
		lists.all.map(({ list: { key } }) => key);
	const savedKeys = (lists: TrackedLists<ListDefinition>) =>
		lists.toSaved().lists.map(({ key }) => key);

	test('keeps the state of a list that gets a new definition', () => {
		const lists = new TrackedLists(options, clock);
		lists.setLists([createList('a'), createList('b')], DISCOVERY);
		const [listA] = lists.all;
		lists.setLists([createList('a', { name: 'Another name' }), createList('c')], LATER_DISCOVERY);
		expect(followedKeys(lists)).toEqual(['a', 'c']);
		expect(lists.all[0]).toBe(listA);
		expect(listA!.list.name).toBe('Another name');
		expect(listA!.toSaved().followedSince).toBe(DISCOVERY);
	});

	test('saves a list that is no longer followed, and restores its state when it is followed again', () => {
		const lists = new TrackedLists(options, clock);
		lists.setLists([createList('a'), createList('b')], DISCOVERY);
		lists.setLists([createList('b')], LATER_DISCOVERY);
		expect(savedKeys(lists)).toEqual(['a', 'b']);
		lists.setLists([createList('a')], LATER_DISCOVERY);
		expect(savedKeys(lists)).toEqual(['b', 'a']);
		expect(lists.all[0]!.toSaved().followedSince).toBe(DISCOVERY);
	});

	test('saves only the latest hundred lists that are no longer followed', () => {
		const lists = new TrackedLists(options, clock);
		lists.setLists(
			manyKeys.map((key) => createList(key)),
			DISCOVERY,
		);
		lists.setLists([], DISCOVERY);
		expect(savedKeys(lists)).toEqual(manyKeys.slice(-100));
	});

	test('restores the state of a saved list, and then saves the list only once', () => {
		const lists = new TrackedLists(options, clock, createSnapshot(['a', 'b']));
		lists.setLists([createList('a')], DISCOVERY);
		expect(lists.all[0]!.toSaved()).toMatchObject({
			cursor: SAVED_CURSOR,
			followedSince: SAVED_FOLLOWED_SINCE,
		});
		expect(savedKeys(lists)).toEqual(['b', 'a']);
	});

	test('returns the list first that was not polled for longest', () => {
		const lists = new TrackedLists(options, clock);
		lists.setLists([createList('a'), createList('b'), createList('c')], DISCOVERY);
		lists.all[0]!.lastPolledAt = 5;
		lists.all[1]!.lastPolledAt = 3;
		const order = lists.leastRecentlyPolledFirst.map(({ list: { key } }) => key);
		expect(order).toEqual(['c', 'b', 'a']);
	});

	test('awaits the records of a followed list until a complete poll, and of a discovered list that is missing', () => {
		const snapshot = createSnapshot(['read', 'unread', 'no longer selected', 'missing']);
		snapshot.lists[3]!.discoveredAs = 'event';
		const lists = new TrackedLists(options, clock, snapshot);
		lists.setLists([createList('read'), createList('unread')], DISCOVERY);
		lists.all[0]!.wasRead = true;
		const done = snapshot.lists.filter(({ key }) => lists.isDone(key));
		expect(done.map(({ key }) => key)).toEqual(['read', 'no longer selected']);
	});
});

describe('a list that the trigger discovers', () => {
	const orders = { discoveredAs: 'orders' };
	/** Adds a list of the category orders. Returns its saved state. */
	const discoverList = (
		lists: TrackedLists<ListDefinition>,
		overrides: Partial<ListDefinition> = {},
	) => {
		lists.setLists([createList('new', { ...orders, ...overrides })], DISCOVERY);
		return lists.all[0]!.toSaved();
	};

	test('is followed since the last round, and a filtered one is also read from there', () => {
		const endTwoRounds = () => {
			const lists = new TrackedLists(options, clock);
			lists.endRound(LAST_ROUND);
			// This round had no Date header.
			lists.endRound(undefined);
			return lists;
		};
		expect(discoverList(endTwoRounds())).toMatchObject({
			cursor: LAST_ROUND,
			followedSince: LAST_ROUND,
		});
		const compared = discoverList(endTwoRounds(), { isFiltered: false });
		expect([compared.cursor, compared.followedSince]).toEqual([undefined, LAST_ROUND]);
		const selected = discoverList(endTwoRounds(), { discoveredAs: undefined });
		expect(selected.followedSince).toBe(DISCOVERY);
	});

	test('is followed after a restart since the latest saved cursor of its category', () => {
		const snapshot = createSnapshot(['a', 'b', 'c'], orders);
		snapshot.lists[1]!.cursor = LATER_SAVED_CURSOR;
		snapshot.lists[2]!.cursor = undefined;
		expect(discoverList(new TrackedLists(options, clock, snapshot)).followedSince).toBe(
			LATER_SAVED_CURSOR,
		);
	});

	test('has no cursor if no list of its category has a saved cursor', () => {
		for (const cursor of [undefined, -Infinity]) {
			const snapshot = createSnapshot(['a'], { ...orders, cursor });
			expect(discoverList(new TrackedLists(options, clock, snapshot)).cursor).toBeUndefined();
		}
	});

	test('restores its state if it was followed before', () => {
		const lists = new TrackedLists(options, clock, createSnapshot(['new'], { cursor: undefined }));
		lists.endRound(LAST_ROUND);
		expect(discoverList(lists)).toMatchObject({
			cursor: undefined,
			followedSince: SAVED_FOLLOWED_SINCE,
		});
	});
});

describe('following begins', () => {
	const DAY = 24 * 3_600_000;
	/**
	 * Returns how long before its first response the service is followed, if it responds this long after the activation.
	 * n8n restarts `beforeRestartMs` after the activation, if that is not 0.
	 */
	const followedBeforeResponseMs = (
		waitedMs: number,
		beforeRestartMs = 0,
		overrides: Partial<ListSnapshot> = {},
	) => {
		const responseTime = 20 * DAY;
		let elapsedMs = 0;
		const movingClock = { now: () => 10 * DAY + elapsedMs, monotonic: () => 77 + elapsedMs };
		const snapshot = {
			...createSnapshot([]),
			activatedAt: 10 * DAY - beforeRestartMs,
			...overrides,
		};
		const restored = beforeRestartMs > 0 ? snapshot : undefined;
		const lists = new TrackedLists(options, movingClock, restored);
		elapsedMs = waitedMs - beforeRestartMs;
		lists.setLists([createList('a')], responseTime);
		return responseTime - lists.all[0]!.toSaved().followedSince!;
	};

	test('with the activation, even if the service responds later', () => {
		// A second less than the wait: the Date header is rounded down to the second.
		expect(followedBeforeResponseMs(60_000)).toBe(59_000);
		expect(followedBeforeResponseMs(60_000, 20_000)).toBe(59_000);
	});

	test('with the first response if it arrives within two seconds or after seven days', () => {
		expect([followedBeforeResponseMs(2000), followedBeforeResponseMs(2001)]).toEqual([0, 1001]);
		expect([followedBeforeResponseMs(7 * DAY - 1), followedBeforeResponseMs(7 * DAY)]).toEqual([
			7 * DAY - 1001,
			0,
		]);
	});

	test('with the first response if some list was read before the restart', () => {
		const { lists } = createSnapshot(['read list', 'unread list']);
		delete lists[1]!.cursor;
		expect(followedBeforeResponseMs(60_000, 20_000, { lists })).toBe(0);
		const unreadLists = lists.slice(1);
		expect(followedBeforeResponseMs(60_000, 20_000, { lists: unreadLists })).toBe(59_000);
	});
});
