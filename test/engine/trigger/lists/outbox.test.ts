// Protects the outbox of a list trigger: which changes become one start, and which starts are repeated after a restart.
import type { ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import type { SavedStart } from '../../../../nodes/engine/trigger/lists/core/listSnapshot';
import { Outbox } from '../../../../nodes/engine/trigger/lists/core/outbox';
import { createList } from './listHarness';

const people = createList();
const { signal } = new AbortController();
const createWantedChange = (id: string) => ({
	key: `key of ${id}`,
	change: { list: people, kind: 'created', id, record: {} },
	markConfirmed: () => undefined,
});
const createIds = (firstId: number, count: number) =>
	Array.from({ length: count }, (_, index) => `${firstId + index}`);

/** Creates an outbox whose starts are confirmed at once. Notes each start with its key and the IDs of its changes. */
function createOutbox(
	{ batchesChanges, maxUnconfirmed = 10 }: { batchesChanges: boolean; maxUnconfirmed?: number },
	savedStarts?: SavedStart[],
) {
	const sentStarts: Array<{ key: string; ids: string[] }> = [];
	const outbox = new Outbox<ListDefinition>(
		{
			emit: async ({ key, changes }) =>
				void sentStarts.push({ key, ids: changes.map(({ id }) => id) }),
			save: () => undefined,
			report: () => undefined,
			sleep: async () => undefined,
			clock: { now: () => 0, monotonic: () => 0 },
		},
		{ batchesChanges, maxUnconfirmed, repeatStartsForMs: 1 },
		savedStarts,
	);
	/** Adds one changed record for each ID. */
	const addRecords = async (...ids: string[]) => {
		const processedRecords = ids.map((id) => ({
			repeated: [],
			wanted: { wantedChanges: [createWantedChange(id)], markRequested: () => undefined },
			isChanged: true,
		}));
		await outbox.add('people', processedRecords, signal);
	};
	/** Ends a round in which all lists were read. */
	const endRound = async () => await outbox.flushRound(() => true, signal);
	return { outbox, sentStarts, addRecords, endRound };
}

describe('an outbox', () => {
	test('sends one start per change, with the key of the change', async () => {
		const { sentStarts, addRecords } = createOutbox({ batchesChanges: false });
		await addRecords('a', 'b');
		expect(sentStarts).toEqual([
			{ key: 'key of a', ids: ['a'] },
			{ key: 'key of b', ids: ['b'] },
		]);
	});

	test('requests the starts of all changes of a record in one turn', async () => {
		const { outbox } = createOutbox({ batchesChanges: false, maxUnconfirmed: 1 });
		const markRequested = jest.fn();
		const wanted = { wantedChanges: ['a', 'b', 'c'].map(createWantedChange), markRequested };
		void outbox.add('people', [{ repeated: [], wanted, isChanged: true }], signal);
		expect(outbox.toSaved()).toHaveLength(3);
		expect(markRequested).toHaveBeenCalledTimes(1);
	});

	test('that batches changes sends one start at the end of each round that has changes', async () => {
		const { sentStarts, addRecords, endRound } = createOutbox({ batchesChanges: true });
		await addRecords('a');
		await addRecords('b', 'c');
		expect(sentStarts).toEqual([]);
		await endRound();
		await endRound();
		expect(sentStarts.map(({ ids }) => ids)).toEqual([['a', 'b', 'c']]);
	});

	test('that batches changes sends a batch as soon as it has the changes of a thousand records', async () => {
		const { sentStarts, addRecords, endRound } = createOutbox({ batchesChanges: true });
		await addRecords(...createIds(0, 999));
		expect(sentStarts).toEqual([]);
		await addRecords('999');
		expect(sentStarts.map(({ ids }) => ids)).toEqual([createIds(0, 1000)]);
		await addRecords(...createIds(1000, 2001));
		await endRound();
		expect(sentStarts.map(({ ids }) => ids.length)).toEqual([1000, 1000, 1000, 1]);
		expect(new Set(sentStarts.map(({ key }) => key)).size).toBe(4);
	});

	test('repeats no start that is too old to be restored, since it may have expired', async () => {
		const savedStarts = createIds(0, 1001).map((id): SavedStart => ({
			key: `key of ${id}`,
			changes: [['people', 'created', id]],
			requestedAt: 0,
			expired: true,
		}));
		const { outbox } = createOutbox({ batchesChanges: false }, savedStarts);
		expect(outbox.toSaved()).toHaveLength(1000);
		expect(outbox.takeRestored('people', '0')).toEqual([]);
		expect(outbox.takeRestored('people', '1')).toEqual([{ key: 'key of 1', kind: 'created' }]);
	});

	test('repeats a start from before the last restart, or drops it if its change is obsolete', async () => {
		const savedStarts = ['repeated key', 'obsolete key'].map((key): SavedStart => ({
			key,
			changes: [['people', 'created', key]],
			requestedAt: 0,
		}));
		const { outbox, sentStarts } = createOutbox({ batchesChanges: false }, savedStarts);
		const repeated = [
			{ key: 'repeated key', wantedChange: createWantedChange('a') },
			{ key: 'obsolete key' },
		];
		await outbox.add('people', [{ repeated, isChanged: false }], signal);
		expect(sentStarts).toEqual([{ key: 'repeated key', ids: ['a'] }]);
		expect(outbox.toSaved()).toEqual([]);
	});
});
