import { Workflow } from 'n8n-workflow';

import { fromColumn, toColumn } from '../../nodes/engine/trigger/column';
import type { SavedId, Snapshot } from '../../nodes/engine/watch';

const ids = (count: number): SavedId[] =>
	Array.from({ length: count }, (_, index) => ({
		id: `id-${index}`,
		since: 1,
		polls: 2,
		data: { order: index },
		end: { outcome: 'approved', at: 3 },
	}));
const snapshot = (count = 2): Snapshot => ({ version: 1, ids: ids(count), ended: ['x'] });

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

it('has as few objects as can be, however many ids there are', () => {
	const written = (count: number): unknown => JSON.parse(JSON.stringify(toColumn(snapshot(count))));
	expect(objectsIn(written(500))).toBe(objectsIn(written(1)));
});

it('gives back what was put in: from the database, from memory, and from a workflow of n8n', () => {
	const column = toColumn(snapshot());
	const text = JSON.stringify(column);
	for (const kept of [
		JSON.parse(text),
		column,
		structuredClone(snapshot()),
		(workflowWith(JSON.parse(text)).staticData.global as { n: unknown }).n,
		(workflowWith(toColumn(snapshot())).staticData.global as { n: unknown }).n,
	]) {
		expect(fromColumn(kept)).toEqual(snapshot());
	}
});

it('is written as it is when n8n writes it, not as it was', () => {
	const given = snapshot();
	const column = toColumn(given);
	given.ids[0]!.seen = true;
	expect(fromColumn(JSON.parse(JSON.stringify(column)))).toMatchObject({
		ids: [{ seen: true }, {}],
	});
});

it.each([undefined, null, 7, 'text'])('is none if it is %j', (kept) => {
	expect(fromColumn(kept)).toBeUndefined();
});

it.each([[], {}, { ids: 'x' }, { ids: ['{', 7, null] }])('makes do with %j', (kept) => {
	expect(fromColumn(kept)).toHaveProperty('ids');
});
