// Protects the saved state of a list trigger: it is restored as it was, and invalid parts are set aside instead of lost.
import fc from 'fast-check';

import {
	newerSnapshot,
	readStoredSnapshot,
	toStoredSnapshot,
} from '../../../../nodes/engine/trigger/lists/core';
import type { ListSnapshot } from '../../../../nodes/engine/trigger/lists/core';

describe('the saved state of a follower', () => {
	const anyTime = fc.oneof(fc.integer(), fc.constant(-Infinity));
	const anyLetters = (length: number) => fc.stringMatching(new RegExp(`^[\\w-]{${length}}$`));
	/** The saved form of some known records, whose states have ten or eighteen characters. */
	const anyEntries = fc
		.array(fc.tuple(fc.nat(), fc.oneof(anyLetters(10), anyLetters(18))), { minLength: 1 })
		.map((records) => records.map(([id, state]) => `${id}:${state}`).join(' '));
	const anySnapshot: fc.Arbitrary<ListSnapshot> = fc.record({
		version: fc.constant(1 as const),
		saves: fc.nat(),
		activatedAt: fc.integer(),
		lists: fc.array(
			fc.record(
				{
					key: fc.string(),
					cursor: anyTime,
					followedSince: anyTime,
					known: fc.array(fc.tuple(fc.integer(), anyEntries)),
					failureReported: fc.constant(true as const),
					reported: fc.array(fc.string(), { minLength: 1 }),
				},
				{ requiredKeys: ['key', 'known'] },
			),
		),
		pendingStarts: fc.array(
			fc.record(
				{
					key: fc.string(),
					changes: fc.array(fc.tuple(fc.string(), fc.string(), fc.string()), { minLength: 1 }),
					requestedAt: fc.integer(),
					expired: fc.constant(true as const),
				},
				{ requiredKeys: ['key', 'changes', 'requestedAt'] },
			),
		),
	});
	/** Returns a snapshot as the database returns it. */
	const storeAsJson = (snapshot: ListSnapshot): unknown =>
		JSON.parse(JSON.stringify(toStoredSnapshot(snapshot)));

	test('is the same after it was restored', () => {
		fc.assert(
			fc.property(anySnapshot, (snapshot) =>
				expect(readStoredSnapshot(storeAsJson(snapshot))).toEqual(snapshot),
			),
		);
	});

	/** Reads stored state. Returns the snapshot, and the parts that were set aside because they are invalid. */
	function readStored(stored: unknown) {
		const invalidParts: unknown[] = [];
		const snapshot = readStoredSnapshot(stored, (part) => invalidParts.push(part));
		return { snapshot, invalidParts };
	}
	const emptySnapshot = { version: 1, saves: 0, activatedAt: 1, lists: [], pendingStarts: [] };

	test('is restored without an invalid part, which is set aside', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), anySnapshot, (value, other, snapshot) => {
				expect(() => readStoredSnapshot(value)).not.toThrow();
				const stored = toStoredSnapshot(snapshot) as Record<string, unknown[]>;
				const parts = [value, JSON.stringify(value), `{${JSON.stringify(other)}`, { a: other }];
				/** Whether a part is neither a list nor a start. */
				const isInvalid = (part: unknown) => {
					const stored = { ...emptySnapshot, lists: [part], pendingStarts: [part] };
					const { snapshot: readSnapshot } = readStored(stored);
					return readSnapshot?.lists.length === 0 && readSnapshot.pendingStarts.length === 0;
				};
				// JSON turns -0 into 0, so the parts are converted to JSON before they are compared.
				const invalidParts = JSON.parse(JSON.stringify(parts.filter(isInvalid))) as unknown[];
				const restored = readStored({
					...stored,
					lists: [...invalidParts, ...stored.lists!],
					pendingStarts: [...stored.pendingStarts!, ...invalidParts],
				});
				expect(restored.snapshot).toEqual(snapshot);
				expect(restored.invalidParts).toEqual([...invalidParts, ...invalidParts]);
			}),
		);
	});

	test('is restored with the valid known records of a list, and malformed ones are set aside', () => {
		const validRecords = ['1:AAAAABBBBC', '2:AAAAABBBBCdddddddd'];
		const groups = [
			[1, `${validRecords[0]} x:y ${validRecords[1]}`],
			5,
			[null, validRecords[0]],
			[3, validRecords[1]],
			[4, 'z'],
		];
		const list = { key: 'k', cursor: null, followedSince: 7, known: groups };
		const { snapshot, invalidParts } = readStored({
			...emptySnapshot,
			lists: [JSON.stringify(list)],
		});
		expect(snapshot?.lists).toEqual([
			{
				key: 'k',
				cursor: -Infinity,
				followedSince: 7,
				known: [
					[1, validRecords.join(' ')],
					[3, validRecords[1]],
				],
			},
		]);
		expect(invalidParts).toEqual([
			{ key: 'k', known: [[1, 'x:y']] },
			{ key: 'k', known: [5] },
			{ key: 'k', known: [[null, validRecords[0]]] },
			{ key: 'k', known: [[4, 'z']] },
		]);
	});

	test('is restored with the valid changes of a start, and malformed ones are set aside', () => {
		const start = { key: 'x', requestedAt: 1, changes: [['s', 'k', 'i'], ['s', 'k'], 5] };
		const { snapshot, invalidParts } = readStored({
			...emptySnapshot,
			pendingStarts: [JSON.stringify(start)],
		});
		expect(snapshot?.pendingStarts).toEqual([
			{ key: 'x', requestedAt: 1, changes: [['s', 'k', 'i']] },
		]);
		expect(invalidParts).toEqual([
			{ key: 'x', requestedAt: 1, changes: [['s', 'k']] },
			{ key: 'x', requestedAt: 1, changes: [5] },
		]);
	});

	test.each([
		{ known: [] },
		{ key: 5, known: [] },
		{ key: 'k', known: 7 },
		{ key: 'k', known: [], cursor: 'x' },
		{ key: 'k', known: [], followedSince: {} },
	])('is restored without the invalid list %j, which is set aside', (list) => {
		const text = JSON.stringify(list);
		expect(readStored({ ...emptySnapshot, lists: [text] })).toEqual({
			snapshot: emptySnapshot,
			invalidParts: [text],
		});
	});

	test.each([
		{ changes: [['s', 'k', 'i']], requestedAt: 1 },
		{ key: 'x', changes: [], requestedAt: 1 },
		{ key: 'x', changes: [['s', 'k', 'i']] },
	])('is restored without the invalid start %j, which is set aside', (start) => {
		const text = JSON.stringify(start);
		expect(readStored({ ...emptySnapshot, pendingStarts: [text] })).toEqual({
			snapshot: emptySnapshot,
			invalidParts: [text],
		});
	});

	test('is undefined if nothing was saved, and is set aside if it has another format', () => {
		for (const nothing of [undefined, null]) {
			expect(readStored(nothing)).toEqual({ snapshot: undefined, invalidParts: [] });
		}
		for (const other of [
			5,
			'text',
			[],
			{},
			{ ...emptySnapshot, activatedAt: 'x' },
			{ ...emptySnapshot, version: 2 },
		]) {
			expect(readStored(other)).toEqual({ snapshot: undefined, invalidParts: [other] });
		}
		expect(readStored({ ...emptySnapshot, saves: undefined })).toEqual({
			snapshot: emptySnapshot,
			invalidParts: [],
		});
		expect(readStored({ ...emptySnapshot, lists: 5 })).toEqual({
			snapshot: emptySnapshot,
			invalidParts: [{ lists: 5 }],
		});
	});

	test('is taken from the snapshot with more saves, or from this process if neither has more', () => {
		const createSnapshot = (saves: number): ListSnapshot => ({
			version: 1,
			saves,
			activatedAt: 0,
			lists: [],
			pendingStarts: [],
		});
		const [older, equal, later] = [createSnapshot(5), createSnapshot(5), createSnapshot(6)];
		expect(newerSnapshot(older, equal)).toBe(older);
		expect(newerSnapshot(older, later)).toBe(later);
		expect(newerSnapshot(later, older)).toBe(later);
		expect(newerSnapshot(undefined, equal)).toBe(equal);
		expect(newerSnapshot(older, undefined)).toBe(older);
		expect(newerSnapshot(undefined, undefined)).toBeUndefined();
	});
});
