// Protects the saved IDs of a trigger: they are restored with any data, and are few objects for n8n however many there are.
import fc from 'fast-check';
import { Workflow } from 'n8n-workflow';

import { readStoredIds, toStoredIds } from '../../../../nodes/engine/trigger/ids/storedIds';
import type { SavedId, IdSnapshot } from '../../../../nodes/engine/watch';

const createSavedIds = (count: number): SavedId[] =>
	Array.from({ length: count }, (_, index) => ({
		id: `id-${index}`,
		addedAt: 1,
		polls: 2,
		data: { order: index },
		end: { outcome: 'approved', endedAt: 3 },
	}));
const createSnapshot = (count = 2): IdSnapshot => ({
	version: 1,
	ids: createSavedIds(count),
	confirmedIds: ['x'],
});

/** Creates a workflow with stored IDs in its static data, as n8n does for each request. */
const createWorkflowWith = (storedIds: unknown) =>
	new Workflow({
		id: 'w',
		nodes: [],
		connections: {},
		active: true,
		nodeTypes: {} as never,
		staticData: { global: { n: storedIds } },
	});
/** Counts the objects and arrays in a value, the value included. */
const countObjects = (value: unknown): number =>
	typeof value === 'object' && value !== null
		? Object.values(value).reduce<number>((sum, inner) => sum + countObjects(inner), 1)
		: 0;

it('stored IDs consist of few objects, however many IDs there are', () => {
	const storeAndParse = (count: number): unknown =>
		JSON.parse(JSON.stringify(toStoredIds(() => createSnapshot(count))));
	expect(countObjects(storeAndParse(500))).toBe(countObjects(storeAndParse(1)));
});

it('stored IDs are restored from the database, from memory and from a workflow of n8n', () => {
	const storedIds = toStoredIds(() => createSnapshot());
	const text = JSON.stringify(storedIds);
	for (const storedValue of [
		JSON.parse(text),
		storedIds,
		structuredClone(createSnapshot()),
		(createWorkflowWith(JSON.parse(text)).staticData.global as { n: unknown }).n,
		(createWorkflowWith(toStoredIds(() => createSnapshot())).staticData.global as { n: unknown }).n,
	]) {
		expect(readStoredIds(storedValue)).toEqual(createSnapshot());
	}
});

const anyJson = fc
	.jsonValue({ maxDepth: 2 })
	.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const anyEntries = fc.array(
	fc.record(
		{
			id: fc.string({ unit: 'binary' }),
			addedAt: fc.integer(),
			polls: fc.nat(),
			seenOutstanding: fc.constant(true as const),
			submitted: fc.constant(true as const),
			data: anyJson,
			subject: fc.string(),
			end: fc.record(
				{
					outcome: fc.string(),
					endedAt: fc.integer(),
					result: anyJson,
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

it('stored IDs contain the JSON of each ID, with any data', () => {
	fc.assert(
		fc.property(anyEntries, (savedEntries) => {
			const { ids: texts } = JSON.parse(
				JSON.stringify(toStoredIds(() => ({ version: 1, ids: savedEntries, confirmedIds: [] }))),
			) as { ids: string[] };
			expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(
				JSON.parse(JSON.stringify(savedEntries)),
			);
		}),
	);
});

it('stored IDs are serialized with their state at the time of the save', () => {
	const snapshot = createSnapshot();
	const storedIds = toStoredIds(() => snapshot);
	snapshot.ids[0]!.seenOutstanding = true;
	expect(readStoredIds(JSON.parse(JSON.stringify(storedIds)))).toMatchObject({
		ids: [{ seenOutstanding: true }, {}],
	});
});

it.each([undefined, null, 7, 'text', [], {}, { ids: 'x' }])(
	'readStoredIds returns %j unchanged',
	(otherValue) => {
		expect(readStoredIds(otherValue)).toEqual(otherValue);
	},
);

it('readStoredIds sets strings aside that are not JSON, and parses the others', () => {
	const partsSetAside: unknown[] = [];
	const stored = { version: 1, ids: ['{', 7, null, '{"id":"a"}'], confirmedIds: [] };
	expect(readStoredIds(stored, (part) => partsSetAside.push(part))).toEqual({
		version: 1,
		ids: [7, null, { id: 'a' }],
		confirmedIds: [],
	});
	expect(partsSetAside).toEqual(['{']);
});
