// Protects stored IDs: valid parts of a saved state are restored unchanged, and all other parts are set aside.
import { readSnapshot, waitedSeconds, withoutSetAside } from '../../../nodes/engine/watch';
import type { EndedId } from '../../../nodes/engine/watch';

describe('readSnapshot', () => {
	const entry = { id: 'a', addedAt: 5, polls: 2 };
	/** Reads stored state; `parts` are the parts that were not recognized. */
	function readState(saved: unknown, now = 0) {
		const parts: unknown[] = [];
		return { ...readSnapshot(saved, { onUnrecognized: (part) => parts.push(part), now }), parts };
	}
	const readIds = (...ids: unknown[]) => readState({ version: 1, ids, confirmedIds: [] }, 99);
	const emptySnapshot = { ids: [], confirmedIds: [] };

	test.each([undefined, null])('returns an empty snapshot for %j', (saved) => {
		expect(readState(saved)).toEqual({ ...emptySnapshot, parts: [] });
	});

	test.each([
		7,
		'text',
		[],
		{},
		{ ids: [entry], confirmedIds: [] },
		{ version: 2, ids: [], confirmedIds: [] },
	])('sets aside the whole of %j', (saved) => {
		expect(readState(saved)).toEqual({ ...emptySnapshot, parts: [saved] });
	});

	test('returns saved IDs unchanged, as a copy', () => {
		const end = {
			outcome: 'done',
			endedAt: 9,
			result: { x: 1 },
			trouble: 'no',
			requestedAt: 10,
			reportedAs: 'entered',
		};
		const fullEntry = {
			...entry,
			seenOutstanding: true,
			submitted: true,
			data: { n: 1 },
			subject: 's',
			end,
		};
		const saved = { version: 1, ids: [fullEntry, { ...entry, id: 'b' }], confirmedIds: ['c', 'd'] };
		const restored = readState(saved);
		expect(restored).toEqual({ ids: saved.ids, confirmedIds: saved.confirmedIds, parts: [] });
		expect(restored.ids[0]).not.toBe(fullEntry);
		expect(Object.keys(restored.ids[1]!)).toEqual(['id', 'addedAt', 'polls']);
	});

	test.each([
		{ ...entry, id: '' },
		{ addedAt: 5, polls: 2 },
		{ ...entry, subject: 7 },
		{ ...entry, end: null },
		{ ...entry, end: 'done' },
		{ ...entry, end: { endedAt: 1 } },
		{ ...entry, end: { outcome: 7, endedAt: 1 } },
		{ ...entry, end: { outcome: 'x', endedAt: 'y' } },
		{ ...entry, end: { outcome: 'x', endedAt: 1, requestedAt: 'z' } },
		{ ...entry, end: { outcome: 'x', endedAt: 1, trouble: 5 } },
		{ ...entry, end: { outcome: 'x', endedAt: 1, reportedAs: 'w' } },
		null,
		7,
		'a',
		[],
	])('sets aside the invalid ID %j', (invalidId) => {
		expect(readIds(invalidId, entry)).toEqual({
			ids: [entry],
			confirmedIds: [],
			parts: [invalidId],
		});
	});

	test.each<[object, object]>([
		[{ id: 'a', addedAt: 'x', polls: 2 }, { addedAt: 99 }],
		[{ id: 'a', addedAt: 5, polls: null }, { polls: 0 }],
		[{ ...entry, seenOutstanding: 1 }, {}],
		[{ ...entry, submitted: 'yes' }, { submitted: true }],
	])('corrects the ID %j, and sets the original aside', (oddEntry, changed) => {
		expect(readIds(oddEntry)).toEqual({
			ids: [{ ...entry, ...changed }],
			confirmedIds: [],
			parts: [oddEntry],
		});
	});

	test('sets aside lists that are not arrays, and confirmed IDs that are not strings', () => {
		expect(readState({ version: 1, ids: 5, confirmedIds: ['a'] })).toEqual({
			ids: [],
			confirmedIds: ['a'],
			parts: [{ ids: 5 }],
		});
		expect(readState({ version: 1, ids: [], confirmedIds: ['a', 7, null, 'b'] })).toEqual({
			ids: [],
			confirmedIds: ['a', 'b'],
			parts: [{ confirmedIds: [7] }, { confirmedIds: [null] }],
		});
	});

	test.each(['entered', 'submitted'])(
		'restores an ID that was given up while it was %s',
		(reportedAs) => {
			const ended = { ...entry, end: { outcome: 'x', endedAt: 1, reportedAs } };
			expect(readIds(ended)).toEqual({ ids: [ended], confirmedIds: [], parts: [] });
		},
	);
});

test.each<[unknown, unknown]>([
	[
		{ version: 1, setAside: [7], ids: [] },
		{ version: 1, ids: [] },
	],
	[
		{ version: 1, ids: [] },
		{ version: 1, ids: [] },
	],
	[undefined, undefined],
	['text', 'text'],
])('withoutSetAside of %j is %j', (state, expectedState) => {
	expect(withoutSetAside(state)).toEqual(expectedState);
});

test.each([
	[0, 0],
	[49, 0],
	[50, 0.1],
	[1234, 1.2],
	[3_600_000, 3600],
])('waitedSeconds rounds %d ms to %d seconds', (ms, seconds) => {
	const ended = { addedAt: 1000, endedAt: 1000 + ms } as EndedId;
	expect(waitedSeconds(ended)).toBe(seconds);
});
