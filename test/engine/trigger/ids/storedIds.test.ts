import fc from 'fast-check';
import { Workflow } from 'n8n-workflow';

import { readStoredIds, toStoredIds } from '../../../../nodes/engine/trigger/ids/storedIds';
import type { SavedId, IdSnapshot } from '../../../../nodes/engine/watch';

const ids = (count: number): SavedId[] =>
	Array.from({ length: count }, (_, index) => ({
		id: `id-${index}`,
		addedAt: 1,
		polls: 2,
		data: { order: index },
		end: { outcome: 'approved', endedAt: 3 },
	}));
const snapshot = (count = 2): IdSnapshot => ({ version: 1, ids: ids(count), confirmedIds: ['x'] });

/** A workflow with this in its static data, as n8n makes one for each request. */
const workflowWith = (column: unknown) =>
	new Workflow({
		id: 'w',
		nodes: [],
		connections: {},
		active: true,
		nodeTypes: {} as never,
		staticData: { global: { n: column } },
	});
const objectsIn = (value: unknown): number =>
	typeof value === 'object' && value !== null
		? Object.values(value).reduce<number>((sum, inner) => sum + objectsIn(inner), 1)
		: 0;

it('stored IDs consist of few objects, however many IDs there are', () => {
	const written = (count: number): unknown =>
		JSON.parse(JSON.stringify(toStoredIds(snapshot(count))));
	expect(objectsIn(written(500))).toBe(objectsIn(written(1)));
});

it('stored IDs are restored from the database, from memory and from a workflow of n8n', () => {
	const column = toStoredIds(snapshot());
	const text = JSON.stringify(column);
	for (const storedValue of [
		JSON.parse(text),
		column,
		structuredClone(snapshot()),
		(workflowWith(JSON.parse(text)).staticData.global as { n: unknown }).n,
		(workflowWith(toStoredIds(snapshot())).staticData.global as { n: unknown }).n,
	]) {
		expect(readStoredIds(storedValue)).toEqual(snapshot());
	}
});

const some = fc
	.jsonValue({ maxDepth: 2 })
	.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const entries = fc.array(
	fc.record(
		{
			id: fc.string({ unit: 'binary' }),
			addedAt: fc.integer(),
			polls: fc.nat(),
			seenOutstanding: fc.constant(true as const),
			submitted: fc.constant(true as const),
			data: some,
			subject: fc.string(),
			end: fc.record(
				{
					outcome: fc.string(),
					endedAt: fc.integer(),
					result: some,
					trouble: fc.string(),
					requestedAt: fc.constantFrom(undefined, 7),
				},
				{ requiredKeys: ['outcome', 'endedAt'] },
			),
		},
		{ requiredKeys: ['id', 'addedAt', 'polls'] },
	),
	{ maxLength: 4 },
);

it('stored IDs contain each ID as JSON would, whatever data was submitted with it', () => {
	fc.assert(
		fc.property(entries, (savedEntries) => {
			const { ids: texts } = JSON.parse(
				JSON.stringify(toStoredIds({ version: 1, ids: savedEntries, confirmedIds: [] })),
			) as { ids: string[] };
			expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(
				JSON.parse(JSON.stringify(savedEntries)),
			);
		}),
	);
});

it('stored IDs are serialized with their state at the time when n8n saves them', () => {
	const saved = snapshot();
	const column = toStoredIds(saved);
	saved.ids[0]!.seenOutstanding = true;
	expect(readStoredIds(JSON.parse(JSON.stringify(column)))).toMatchObject({
		ids: [{ seenOutstanding: true }, {}],
	});
});

it.each([undefined, null, 7, 'text', [], {}, { ids: 'x' }])(
	'readStoredIds returns %j unchanged',
	(kept) => {
		expect(readStoredIds(kept)).toEqual(kept);
	},
);

it('readStoredIds sets strings aside that are not JSON, and parses the others', () => {
	const parts: unknown[] = [];
	const stored = { version: 1, ids: ['{', 7, null, '{"id":"a"}'], confirmedIds: [] };
	expect(readStoredIds(stored, (part) => parts.push(part))).toEqual({
		version: 1,
		ids: [7, null, { id: 'a' }],
		confirmedIds: [],
	});
	expect(parts).toEqual(['{']);
});
