import type { ListSnapshot, ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { TrackedLists } from '../../../../nodes/engine/trigger/lists/core/trackedLists';
import { FOLLOW_DEFAULTS } from '../../../../nodes/engine/trigger/lists/core/types';

const options = { ...FOLLOW_DEFAULTS, kinds: new Set(['created']), owner: 'w:n' };
const clock = { now: () => 1_000_000, monotonic: () => 0 };
const source = (key: string, more: Partial<ListDefinition> = {}): ListDefinition => ({
	key,
	name: key,
	isFiltered: true,
	changeSchema: { oneTimeEvents: [{ kind: 'created', dateFields: ['At'], isCreation: true }] },
	identify: ({ Id }) => Id,
	...more,
});
const saved = (keys: string[], more: object = {}): ListSnapshot => ({
	version: 1,
	saves: 1,
	began: 0,
	sources: keys.map((key) => ({ key, cursor: 500_000, followedSince: 1000, known: [], ...more })),
	pendingStarts: [],
});
const keys = Array.from({ length: 120 }, (_, index) => `orders ${index}`);

test('what was saved is saved again as long as nobody knows what is still followed', () => {
	const roster = new TrackedLists(options, clock, saved(keys));
	expect(roster.toSaved().sources).toHaveLength(120);
	roster.setLists([source('orders 0')], 900_000);
	expect(roster.toSaved().sources).toHaveLength(101);
});

test.each([
	['of its kind', 'orders', 500_000],
	['of another kind', 'registrations', 900_000],
	['that was chosen', undefined, 900_000],
])('a list that is found counts from the last look at one %s only', (_, discoveredAs, from) => {
	const roster = new TrackedLists(options, clock, saved(['orders 1'], { discoveredAs }));
	roster.setLists([source('orders 2', { discoveredAs: 'orders' })], 900_000);
	expect(roster.all[0]!.toSaved().followedSince).toBe(from);
});
