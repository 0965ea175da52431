import { joinedSnapshots } from '../../../../nodes/engine/trigger/ids/joinedSnapshots';
import type { SavedId, IdSnapshot } from '../../../../nodes/engine/watch';

describe('what was known and what was saved', () => {
	const known = (id: string, more: Partial<SavedId> = {}): SavedId => ({
		id,
		since: 0,
		polls: 0,
		...more,
	});
	const end = { outcome: 'approved', at: 1 };

	it('come together, and of an id that is in both the one that is further counts', () => {
		const parked: IdSnapshot = {
			version: 1,
			ids: [known('a'), known('b', { end }), known('c')],
			ended: ['x'],
		};
		const saved = { version: 1, ids: [known('a', { end }), known('b')], ended: ['c'] };
		expect(joinedSnapshots(parked, saved)).toEqual({
			version: 1,
			ids: [known('a', { end }), known('b', { end }), known('c')],
			ended: ['x', 'c'],
		});
	});

	it('know that people were told, and that an id has begun anew after that', () => {
		const told = known('a', { end: { ...end, reportedAs: 'submitted' } });
		const stale = { version: 1, ids: [known('a', { end }), known('b', { end })], ended: [] };
		const parked: IdSnapshot = { version: 1, ids: [told, known('b', { since: 5 })], ended: [] };
		expect(joinedSnapshots(parked, stale)).toMatchObject({ ids: [told, known('b', { since: 5 })] });
	});
});
