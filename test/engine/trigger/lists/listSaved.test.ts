import fc from 'fast-check';

import {
	newerSnapshot,
	readStoredSnapshot,
	toStoredSnapshot,
} from '../../../../nodes/engine/trigger/lists/core';
import type { ListSnapshot } from '../../../../nodes/engine/trigger/lists/core';

describe('the saved state of a follower', () => {
	const time = fc.oneof(fc.integer(), fc.constant(-Infinity));
	const letters = (length: number) => fc.stringMatching(new RegExp(`^[\\w-]{${length}}$`));
	const entries = fc
		.array(fc.tuple(fc.nat(), fc.oneof(letters(10), letters(18))), { minLength: 1 })
		.map((all) => all.map(([id, entry]) => `${id}:${entry}`).join(' '));
	const anySnapshot: fc.Arbitrary<ListSnapshot> = fc.record({
		version: fc.constant(1 as const),
		saves: fc.nat(),
		activatedAt: fc.integer(),
		lists: fc.array(
			fc.record(
				{
					key: fc.string(),
					cursor: time,
					followedSince: time,
					known: fc.array(fc.tuple(fc.integer(), entries)),
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
	const toJson = (snapshotToStore: ListSnapshot): unknown =>
		JSON.parse(JSON.stringify(toStoredSnapshot(snapshotToStore)));

	test('is restored as it was saved', () => {
		fc.assert(
			fc.property(anySnapshot, (snapshot) =>
				expect(readStoredSnapshot(toJson(snapshot))).toEqual(snapshot),
			),
		);
	});

	/** Reads stored state; returns what was read and what was not. */
	function readStored(column: unknown) {
		const parts: unknown[] = [];
		return { read: readStoredSnapshot(column, (part) => parts.push(part)), parts };
	}
	const empty = { version: 1, saves: 0, activatedAt: 1, lists: [], pendingStarts: [] };

	test('is restored without an invalid part, which is set aside', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), anySnapshot, (garbage, other, snapshot) => {
				expect(() => readStoredSnapshot(garbage)).not.toThrow();
				const column = toStoredSnapshot(snapshot) as Record<string, unknown[]>;
				const texts = [garbage, JSON.stringify(garbage), `{${JSON.stringify(other)}`, { a: other }];
				const isGarbage = (item: unknown) => {
					const { read: readItem } = readStored({ ...empty, lists: [item], pendingStarts: [item] });
					return readItem?.lists.length === 0 && readItem.pendingStarts.length === 0;
				};
				// JSON turns -0 into 0, so what comes back is compared as JSON.
				const invalidParts = JSON.parse(JSON.stringify(texts.filter(isGarbage))) as unknown[];
				const restored = readStored({
					...column,
					lists: [...invalidParts, ...column.lists!],
					pendingStarts: [...column.pendingStarts!, ...invalidParts],
				});
				expect(restored.read).toEqual(snapshot);
				expect(restored.parts).toEqual([...invalidParts, ...invalidParts]);
			}),
		);
	});

	test('keeps the valid known records among malformed ones', () => {
		const good = ['1:AAAAABBBBC', '2:AAAAABBBBCdddddddd'];
		const groups = [[1, `${good[0]} x:y ${good[1]}`], 5, [null, good[0]], [3, good[1]], [4, 'z']];
		const source = { key: 'k', cursor: null, followedSince: 7, known: groups };
		const { read: found, parts } = readStored({ ...empty, lists: [JSON.stringify(source)] });
		expect(found?.lists).toEqual([
			{
				key: 'k',
				cursor: -Infinity,
				followedSince: 7,
				known: [
					[1, good.join(' ')],
					[3, good[1]],
				],
			},
		]);
		expect(parts).toEqual([
			{ key: 'k', known: [[1, 'x:y']] },
			{ key: 'k', known: [5] },
			{ key: 'k', known: [[null, good[0]]] },
			{ key: 'k', known: [[4, 'z']] },
		]);
	});

	test('keeps the valid changes of a start', () => {
		const start = { key: 'x', requestedAt: 1, changes: [['s', 'k', 'i'], ['s', 'k'], 5] };
		const { read: found, parts } = readStored({ ...empty, pendingStarts: [JSON.stringify(start)] });
		expect(found?.pendingStarts).toEqual([
			{ key: 'x', requestedAt: 1, changes: [['s', 'k', 'i']] },
		]);
		expect(parts).toEqual([
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
	])('is restored without the invalid list %j, which is set aside', (source) => {
		const text = JSON.stringify(source);
		expect(readStored({ ...empty, lists: [text] })).toEqual({ read: empty, parts: [text] });
	});

	test.each([
		{ changes: [['s', 'k', 'i']], requestedAt: 1 },
		{ key: 'x', changes: [], requestedAt: 1 },
		{ key: 'x', changes: [['s', 'k', 'i']] },
	])('is restored without the invalid start %j, which is set aside', (start) => {
		const text = JSON.stringify(start);
		expect(readStored({ ...empty, pendingStarts: [text] })).toEqual({ read: empty, parts: [text] });
	});

	test('is empty if nothing was saved, and is set aside if it is no state at all', () => {
		for (const nothing of [undefined, null]) {
			expect(readStored(nothing)).toEqual({ read: undefined, parts: [] });
		}
		for (const other of [
			5,
			'text',
			[],
			{},
			{ ...empty, activatedAt: 'x' },
			{ ...empty, version: 2 },
		]) {
			expect(readStored(other)).toEqual({ read: undefined, parts: [other] });
		}
		expect(readStored({ ...empty, saves: undefined })).toEqual({ read: empty, parts: [] });
		expect(readStored({ ...empty, lists: 5 })).toEqual({ read: empty, parts: [{ lists: 5 }] });
	});

	test('is taken from the snapshot with more saves, or from this process if neither has more', () => {
		const snapshotOf = (saves: number): ListSnapshot => ({
			version: 1,
			saves,
			activatedAt: 0,
			lists: [],
			pendingStarts: [],
		});
		const [older, same, later] = [snapshotOf(5), snapshotOf(5), snapshotOf(6)];
		expect(newerSnapshot(older, same)).toBe(older);
		expect(newerSnapshot(older, later)).toBe(later);
		expect(newerSnapshot(later, older)).toBe(later);
		expect(newerSnapshot(undefined, same)).toBe(same);
		expect(newerSnapshot(older, undefined)).toBe(older);
		expect(newerSnapshot(undefined, undefined)).toBeUndefined();
	});
});
