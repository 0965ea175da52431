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
	['ended before the moment', {}, MOMENT - 1, true],
	['ended at the moment', {}, MOMENT, false],
	['was added at the moment', { addedAt: MOMENT }, MOMENT - 1, false],
	['has no time of its end', {}, undefined, true],
	['has none, and was outstanding with this moment', { followedFrom: MOMENT }, undefined, false],
	['has none, and was outstanding with another', { followedFrom: MOMENT - 1 }, undefined, true],
])('with startFrom, an ID that %s', (_, overrides, happenedAt, isIgnored) => {
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
	['more than an hour before', {}, CREATED_AT - HOUR - 1, true],
	['an hour before', {}, CREATED_AT - HOUR, false],
	['at an unknown time', {}, undefined, false],
	['long ago, and added since', { addedAt: CREATED_AT }, 0, false],
])('an ID that ended %s is late or not', (_, overrides, happenedAt, isLate) => {
	const oldEnds = new OldEnds({ reportOlderThanMs: HOUR }, CREATED_AT);
	oldEnds.noteStarted(createEntry(overrides), end, happenedAt);
	const now = end.endedAt + 30_000;
	expect(oldEnds.takeReports([], now)).toMatchObject(
		isLate ? [{ kind: 'idsLate', ended: [{ id: 'a' }], byMs: now - happenedAt! }] : [],
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
