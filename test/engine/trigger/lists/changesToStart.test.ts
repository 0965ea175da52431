import type { ListDefinition } from '../../../../nodes/engine/trigger/lists/core';
import { toOutgoingStart } from '../../../../nodes/engine/trigger/lists/core/changesToStart';
import type { WantedChange } from '../../../../nodes/engine/trigger/lists/core/changesToStart';
import { createList } from './listHarness';

test('a start of several changes marks each of them as requested, and later as confirmed', () => {
	const log: string[] = [];
	const wantedChanges = ['a', 'b'].map((id): WantedChange<ListDefinition> => ({
		key: `key of ${id}`,
		change: { list: createList(), kind: 'created', id, record: {} },
		markRequested: () => void log.push(`requested ${id}`),
		markConfirmed: () => void log.push(`confirmed ${id}`),
	}));
	const start = toOutgoingStart('key', wantedChanges);
	expect(start.key).toBe('key');
	expect(start.changes).toEqual(wantedChanges.map(({ change }) => change));
	expect(log).toEqual([]);
	start.markRequested();
	expect(log).toEqual(['requested a', 'requested b']);
	start.markConfirmed();
	expect(log.slice(2)).toEqual(['confirmed a', 'confirmed b']);
});
