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
	const snapshot: fc.Arbitrary<ListSnapshot> = fc.record({
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
	const written = (one: ListSnapshot): unknown => JSON.parse(JSON.stringify(toStoredSnapshot(one)));

	test('is restored as it was saved', () => {
		fc.assert(
			fc.property(snapshot, (one) => expect(readStoredSnapshot(written(one))).toEqual(one)),
		);
	});

	/** Reads stored state; returns what was read and what was not. */
	function read(column: unknown) {
		const parts: unknown[] = [];
		return { read: readStoredSnapshot(column, (part) => parts.push(part)), parts };
	}
	const empty = { version: 1, saves: 0, activatedAt: 1, lists: [], pendingStarts: [] };

	test('with an invalid part never throws: the part is set aside and the rest restored', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), snapshot, (garbage, other, one) => {
				expect(() => readStoredSnapshot(garbage)).not.toThrow();
				const column = toStoredSnapshot(one) as Record<string, unknown[]>;
				const texts = [garbage, JSON.stringify(garbage), `{${JSON.stringify(other)}`, { a: other }];
				const isGarbage = (item: unknown) => {
					const { read: found } = read({ ...empty, lists: [item], pendingStarts: [item] });
					return found?.lists.length === 0 && found.pendingStarts.length === 0;
				};
				// JSON turns -0 into 0, so what comes back is compared as JSON.
				const spoilt = JSON.parse(JSON.stringify(texts.filter(isGarbage))) as unknown[];
				const restored = read({
					...column,
					lists: [...spoilt, ...column.lists!],
					pendingStarts: [...column.pendingStarts!, ...spoilt],
				});
				expect(restored.read).toEqual(one);
				expect(restored.parts).toEqual([...spoilt, ...spoilt]);
			}),
		);
	});

	test('keeps the valid ones among malformed known records', () => {
		const good = ['1:AAAAABBBBC', '2:AAAAABBBBCdddddddd'];
		const groups = [[1, `${good[0]} x:y ${good[1]}`], 5, [null, good[0]], [3, good[1]], [4, 'z']];
		const source = { key: 'k', cursor: null, followedSince: 7, known: groups };
		const { read: found, parts } = read({ ...empty, lists: [JSON.stringify(source)] });
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
		const asked = { key: 'x', requestedAt: 1, changes: [['s', 'k', 'i'], ['s', 'k'], 5] };
		const { read: found, parts } = read({ ...empty, pendingStarts: [JSON.stringify(asked)] });
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
	])('with the invalid list %j sets it aside', (source) => {
		const text = JSON.stringify(source);
		expect(read({ ...empty, lists: [text] })).toEqual({ read: empty, parts: [text] });
	});

	test.each([
		{ changes: [['s', 'k', 'i']], requestedAt: 1 },
		{ key: 'x', changes: [], requestedAt: 1 },
		{ key: 'x', changes: [['s', 'k', 'i']] },
	])('with the invalid start %j sets it aside', (asked) => {
		const text = JSON.stringify(asked);
		expect(read({ ...empty, pendingStarts: [text] })).toEqual({ read: empty, parts: [text] });
	});

	test('is empty if nothing was saved, and is set aside if it is no state at all', () => {
		for (const nothing of [undefined, null]) {
			expect(read(nothing)).toEqual({ read: undefined, parts: [] });
		}
		for (const other of [
			5,
			'text',
			[],
			{},
			{ ...empty, activatedAt: 'x' },
			{ ...empty, version: 2 },
		]) {
			expect(read(other)).toEqual({ read: undefined, parts: [other] });
		}
		expect(read({ ...empty, saves: undefined })).toEqual({ read: empty, parts: [] });
		expect(read({ ...empty, lists: 5 })).toEqual({ read: empty, parts: [{ lists: 5 }] });
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
