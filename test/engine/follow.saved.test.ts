import fc from 'fast-check';

import { newer, readColumn, toColumn } from '../../nodes/engine/follow';
import type { FollowSnapshot } from '../../nodes/engine/follow';

describe('what is saved', () => {
	const time = fc.oneof(fc.integer(), fc.constant(-Infinity));
	const snapshot: fc.Arbitrary<FollowSnapshot> = fc.record({
		version: fc.constant(1 as const),
		saves: fc.nat(),
		began: fc.integer(),
		sources: fc.array(
			fc.record(
				{
					key: fc.string(),
					cursor: time,
					floor: time,
					known: fc.array(fc.tuple(fc.integer(), fc.string())),
					lost: fc.constant(true as const),
				},
				{ requiredKeys: ['key', 'known'] },
			),
		),
		asked: fc.array(
			fc.record(
				{
					key: fc.string(),
					changes: fc.array(fc.tuple(fc.string(), fc.string(), fc.string()), { minLength: 1 }),
					at: fc.integer(),
					told: fc.constant(true as const),
				},
				{ requiredKeys: ['key', 'changes', 'at'] },
			),
		),
	});
	const written = (one: FollowSnapshot): unknown => JSON.parse(JSON.stringify(toColumn(one)));

	test('comes back as it was', () => {
		fc.assert(fc.property(snapshot, (one) => expect(readColumn(written(one))).toEqual(one)));
	});

	test('never fails on what it cannot read, and keeps the rest', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), snapshot, (garbage, other, one) => {
				expect(() => readColumn(garbage)).not.toThrow();
				const column = toColumn(one) as Record<string, unknown[]>;
				const texts = [garbage, JSON.stringify(garbage), `{${JSON.stringify(other)}`, { a: other }];
				const isGarbage = (item: unknown) => {
					const read = readColumn({ began: 1, sources: [item], asked: [item] });
					return read?.sources.length === 0 && read.asked.length === 0;
				};
				const spoilt = texts.filter(isGarbage);
				const kept = readColumn({
					...column,
					sources: [...spoilt, ...column.sources!],
					asked: [...column.asked!, ...spoilt],
				});
				expect(kept).toEqual(one);
			}),
		);
	});

	test('of what is known of records, what can be read is kept', () => {
		const source = { key: 'k', known: [[1, 'a'], 5, [null, 'b'], ['x', 'c'], [2], [3, 'd']] };
		const asked = { key: 'x', at: 1, changes: [['s', 'k', 'i'], ['s', 'k'], 5, ['s', 'k', 1]] };
		const texts = [source, { known: [] }, { key: 5 }].map((one) => JSON.stringify(one));
		const starts = [
			asked,
			{ ...asked, at: 'now' },
			{ ...asked, changes: [] },
			{ ...asked, key: 1 },
		];
		expect(
			readColumn({
				began: 'once',
				sources: [...texts, '{', 7],
				asked: starts.map((one) => JSON.stringify(one)),
			}),
		).toEqual({
			version: 1,
			saves: 0,
			began: 0,
			sources: [
				{
					key: 'k',
					known: [
						[1, 'a'],
						[3, 'd'],
					],
				},
			],
			asked: [{ key: 'x', at: 1, changes: [['s', 'k', 'i']] }],
		});
	});

	test('nothing at all is nothing', () => {
		for (const nothing of [undefined, null, 5, 'text', [], {}, { began: 'x', sources: 5 }]) {
			expect(readColumn(nothing)).toBeUndefined();
		}
		expect(readColumn({ began: 5 })).toEqual({
			version: 1,
			saves: 0,
			began: 5,
			sources: [],
			asked: [],
		});
	});

	test('of two the one that was saved more often is the newer; what this process knows if neither was', () => {
		const of = (saves: number): FollowSnapshot => ({
			version: 1,
			saves,
			began: 0,
			sources: [],
			asked: [],
		});
		const [left, same, later] = [of(5), of(5), of(6)];
		expect(newer(left, same)).toBe(left);
		expect(newer(left, later)).toBe(later);
		expect(newer(later, left)).toBe(later);
		expect(newer(undefined, same)).toBe(same);
		expect(newer(left, undefined)).toBe(left);
		expect(newer(undefined, undefined)).toBeUndefined();
	});
});
