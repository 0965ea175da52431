// Protects workflows from old ends: IDs that ended before startFrom start nothing; ignored and late ones are reported once.
import type { SavedId } from '../../../nodes/engine/watch';
import { OldEnds } from '../../../nodes/engine/watch/oldEnds';

const HOUR = 3_600_000;
const CREATED_AT = 100 * HOUR;
const MOMENT = 99 * HOUR;
const end = { outcome: 'approved', endedAt: CREATED_AT + 1000 };
const createEntry = (overrides: Partial<SavedId> = {}): SavedId => ({
	id: 'a',
	addedAt: 90 * HOUR,
	polls: 1,
	...overrides,
});

test.each([
	['ended before the moment', 'is', {}, MOMENT - 1],
	['ended at the moment', 'is not', {}, MOMENT],
	['was added at the moment', 'is not', { addedAt: MOMENT }, MOMENT - 1],
	['has no time of its end', 'is', {}, undefined],
	['has none, and was outstanding with this moment', 'is not', { followedFrom: MOMENT }, undefined],
	['has none, and was outstanding with another', 'is', { followedFrom: MOMENT - 1 }, undefined],
])('with startFrom, an ID that %s %s ignored', (_, expected, overrides, happenedAt) => {
	const isIgnored = expected === 'is';
	const oldEnds = new OldEnds({ startFrom: MOMENT }, CREATED_AT);
	expect(oldEnds.noteIfIgnored(createEntry(overrides), end, happenedAt)).toBe(isIgnored);
	const reports = oldEnds.takeReports([], end.endedAt + 30_000);
	expect(reports).toMatchObject(isIgnored ? [{ kind: 'idsIgnored', ended: [{ id: 'a' }] }] : []);
	expect(oldEnds.takeReports([], end.endedAt + 60_000)).toEqual([]);
});

test('without startFrom, no ID is ignored', () => {
	const oldEnds = new OldEnds({}, CREATED_AT);
	expect(oldEnds.noteIfIgnored(createEntry(), end, undefined)).toBe(false);
});

test.each([
	['more than an hour before', 'is', {}, CREATED_AT - HOUR - 1],
	['an hour before', 'is not', {}, CREATED_AT - HOUR],
	['at an unknown time', 'is not', {}, undefined],
	['long ago, and was added since,', 'is not', { addedAt: CREATED_AT }, 0],
])('an ID that ended %s %s reported as late', (_, expected, overrides, happenedAt) => {
	const oldEnds = new OldEnds({ reportOlderThanMs: HOUR }, CREATED_AT);
	oldEnds.noteStarted(createEntry(overrides), end, happenedAt);
	const now = end.endedAt + 30_000;
	expect(oldEnds.takeReports([], now)).toMatchObject(
		expected === 'is' ? [{ kind: 'idsLate', ended: [{ id: 'a' }], byMs: now - happenedAt! }] : [],
	);
});

test('IDs are reported together once none has followed for half a minute', () => {
	const oldEnds = new OldEnds({ startFrom: MOMENT }, CREATED_AT);
	const endOf = (afterMs: number) => ({ ...end, endedAt: CREATED_AT + afterMs });
	oldEnds.noteIfIgnored(createEntry(), endOf(0), undefined);
	oldEnds.noteIfIgnored(createEntry({ id: 'b' }), endOf(20_000), undefined);
	expect(oldEnds.takeReports([], CREATED_AT + 49_999)).toEqual([]);
	expect(oldEnds.takeReports([], CREATED_AT + 50_000)).toMatchObject([
		{ ended: [{ id: 'a' }, { id: 'b' }] },
	]);
});
