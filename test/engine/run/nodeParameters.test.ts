// Protects the speed of runs over many items: n8n evaluates each parameter only as often as needed, and its own value wins.
import { ExecuteContext } from 'n8n-core';

import { sendJson } from '../../support/toy';
import { useToy } from '../toyOperations';

const server = useToy();
const inputItems = Array.from({ length: 50 }, (_, n) => ({ n }));

interface ParameterReader {
	_getNodeParameter(
		name: string,
		itemIndex: number,
		fallback: unknown,
		options?: { rawExpressions?: boolean },
	): unknown;
}

/** Counts how often n8n evaluates each parameter while `work` runs. */
async function countEvaluations(work: () => Promise<unknown>): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	// Every context calls this method, whichever way a parameter is read.
	const spy = jest.spyOn(
		ExecuteContext.prototype as unknown as ParameterReader,
		'_getNodeParameter',
	);
	try {
		await work();
		for (const [name, , , options] of spy.mock.calls) {
			if (options?.rawExpressions !== true) counts[name] = (counts[name] ?? 0) + 1;
		}
	} finally {
		spy.mockRestore();
	}
	return counts;
}

describe('node parameters', () => {
	beforeEach(() => server.respondWith(({ url }, response) => sendJson(response, 200, { url })));

	it('parameters without an expression are evaluated once for all items, others once per item', async () => {
		let outputItems: unknown;
		const counts = await countEvaluations(async () => {
			({ outputItems } = await server.run(
				'get',
				{ thingId: '={{ $json.n + 1 }}', options: { tries: 2 } },
				inputItems,
			));
		});
		expect(outputItems).toEqual(inputItems.map(({ n }) => ({ url: `/things/${n + 1}` })));
		expect(counts).toEqual({ resource: 1, operation: 1, thingId: 50, options: 1 });
	});

	it('references to item data are read locally if n8n returns an equal value for the first item', async () => {
		let outputItems: unknown;
		const counts = await countEvaluations(async () => {
			({ outputItems } = await server.run('get', { thingId: '={{ $json.n }}' }, inputItems));
		});
		expect(outputItems).toEqual(inputItems.map(({ n }) => ({ url: `/things/${n}` })));
		expect(counts).toMatchObject({ thingId: 1 });
	});

	it('n8n evaluates a reference for items that lack the referenced property', async () => {
		const itemsWithGaps = inputItems.map(({ n }) => (n % 5 === 2 ? {} : { n }));
		const counts = await countEvaluations(async () => {
			const { outputItems, error } = await server.run(
				'get',
				{ thingId: '={{ $json.n }}' },
				itemsWithGaps,
			);
			expect(outputItems).toEqual([]);
			expect(error?.message).toMatch(/Thing ID/);
		});
		expect(counts.thingId).toBeGreaterThan(1);
	});

	it('n8n evaluates all references if its result for the first item differs from the local one', async () => {
		const readValues: unknown[] = [];
		const original = (ExecuteContext.prototype as unknown as ParameterReader)._getNodeParameter;
		const spy = jest.spyOn(
			ExecuteContext.prototype as unknown as ParameterReader,
			'_getNodeParameter',
		);
		// n8n returns another value for the Thing ID than the local evaluation.
		spy.mockImplementation(function (this: ParameterReader, name, itemIndex, fallback, options) {
			const value = original.call(this, name, itemIndex, fallback, options);
			const isThingId = name === 'thingId' && options?.rawExpressions !== true;
			return isThingId ? `other ${value as number}` : value;
		});
		try {
			const { outputItems } = await server.run('get', { thingId: '={{ $json.n }}' }, inputItems);
			readValues.push(...(outputItems as unknown[]));
		} finally {
			spy.mockRestore();
		}
		expect(readValues).toEqual(inputItems.map(({ n }) => ({ url: `/things/other%20${n}` })));
	});

	it('parameters with a nested expression are evaluated for each item', async () => {
		const counts = await countEvaluations(
			async () =>
				await server.run('get', { thingId: '7', options: { tries: '={{ 2 }}' } }, inputItems),
		);
		expect(counts).toEqual({ resource: 1, operation: 1, thingId: 1, options: 50 });
	});
});
