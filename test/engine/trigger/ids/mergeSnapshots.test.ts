// Protects the state of IDs when two snapshots are joined: the more advanced state wins, and no ID is lost.
import { mergeSnapshots } from '../../../../nodes/engine/trigger/ids/mergeSnapshots';
import type { RestoredIds, SavedId } from '../../../../nodes/engine/watch';

describe('mergeSnapshots', () => {
	const createSavedId = (id: string, overrides: Partial<SavedId> = {}): SavedId => ({
		id,
		addedAt: 0,
		polls: 0,
		...overrides,
	});
	const end = { outcome: 'approved', endedAt: 1 };

	it('joins both snapshots and prefers the more advanced state of an ID', () => {
		const previous: RestoredIds = {
			ids: [createSavedId('a'), createSavedId('b', { end }), createSavedId('c')],
			confirmedIds: ['x'],
		};
		const saved = {
			ids: [createSavedId('a', { end }), createSavedId('b')],
			confirmedIds: ['c'],
		};
		expect(mergeSnapshots(previous, saved)).toEqual({
			ids: [createSavedId('a', { end }), createSavedId('b', { end }), createSavedId('c')],
			confirmedIds: ['x', 'c'],
		});
	});

	it('keeps reported outcomes, and IDs that were submitted again after a report', () => {
		const reported = createSavedId('a', { end: { ...end, reportedAs: 'submitted' } });
		const stale = {
			ids: [createSavedId('a', { end }), createSavedId('b', { end })],
			confirmedIds: [],
		};
		const ids = [reported, createSavedId('b', { addedAt: 5 })];
		expect(mergeSnapshots({ ids, confirmedIds: [] }, stale)).toMatchObject({ ids });
	});
});
