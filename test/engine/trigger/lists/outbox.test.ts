import type { ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { OutgoingStart } from '../../../../nodes/engine/trigger/lists/core/changesToStart';
import type { SavedStart } from '../../../../nodes/engine/trigger/lists/core/listSnapshot';
import { Outbox } from '../../../../nodes/engine/trigger/lists/core/outbox';
import type { PendingStarts } from '../../../../nodes/engine/trigger/lists/core/pendingStarts';
import { createList } from './listHarness';

const people = createList();
const { signal } = new AbortController();
const wantedStart = (id: string) => ({
	key: `key of ${id}`,
	change: { list: people, kind: 'created', id, record: {} },
	markRequested: () => undefined,
	markConfirmed: () => undefined,
});
const ids = (from: number, count: number) =>
	Array.from({ length: count }, (_, index) => `${from + index}`);

/** An outbox whose starts are only noted, each by the IDs of its changes. */
function outboxOf(batchesChanges: boolean, saved?: SavedStart[]) {
	const sent: Array<{ key: string; ids: string[] }> = [];
	const dropped: string[] = [];
	const pendingStarts = {
		send: async (starts: Array<OutgoingStart<ListDefinition>>) => {
			for (const { key, changes } of starts) sent.push({ key, ids: changes.map(({ id }) => id) });
		},
		drop: (key: string) => void dropped.push(key),
	} as unknown as PendingStarts<ListDefinition>;
	const outbox = new Outbox(pendingStarts, batchesChanges, saved);
	const add = async (...added: string[]) => {
		const processed = added.map((id) => ({
			repeated: [],
			wantedChanges: [wantedStart(id)],
			isChanged: true,
		}));
		await outbox.add('people', processed, signal);
	};
	return { outbox, sent, dropped, add };
}

describe('an outbox', () => {
	test('sends one start per change, with the key of the change', async () => {
		const { sent, add } = outboxOf(false);
		await add('a', 'b');
		expect(sent).toEqual([
			{ key: 'key of a', ids: ['a'] },
			{ key: 'key of b', ids: ['b'] },
		]);
	});

	test('sends all changes of a round as one start when the round ends, and nothing without any', async () => {
		const { outbox, sent, add } = outboxOf(true);
		await add('a');
		await add('b', 'c');
		expect(sent).toEqual([]);
		await outbox.flushRound(() => true, signal);
		await outbox.flushRound(() => true, signal);
		expect(sent.map((start) => start.ids)).toEqual([['a', 'b', 'c']]);
	});

	test('sends a batch as soon as it has a thousand changes', async () => {
		const { outbox, sent, add } = outboxOf(true);
		await add(...ids(0, 999));
		expect(sent).toEqual([]);
		await add('999');
		expect(sent.map((start) => start.ids)).toEqual([ids(0, 1000)]);
		await add(...ids(1000, 2001));
		await outbox.flushRound(() => true, signal);
		expect(sent.map((start) => start.ids.length)).toEqual([1000, 1000, 1000, 1]);
		expect(new Set(sent.map(({ key }) => key)).size).toBe(4);
	});

	test('repeats a start from before the last restart, or drops it if no change of it holds', async () => {
		const saved = ['k', 'l'].map((key): SavedStart => ({
			key,
			changes: [['people', 'created', key]],
			requestedAt: 0,
		}));
		const { outbox, sent, dropped } = outboxOf(false, saved);
		const repeated = [{ key: 'k', wantedChange: wantedStart('a') }, { key: 'l' }];
		await outbox.add('people', [{ repeated, wantedChanges: [], isChanged: false }], signal);
		expect(sent).toEqual([{ key: 'k', ids: ['a'] }]);
		expect(dropped).toEqual(['l']);
	});
});
