import { ExecuteContext } from 'n8n-core';

import { json } from '../support/toy';
import { useToy } from './toyOperations';

const server = useToy();
const things = Array.from({ length: 50 }, (_, n) => ({ n }));

interface Asked {
	_getNodeParameter(
		name: string,
		itemIndex: number,
		fallback: unknown,
		options?: { rawExpressions?: boolean },
	): unknown;
}

/** How often n8n was asked to work out each parameter while something ran. */
async function counting(work: () => Promise<unknown>): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	// What every context comes to, however it is asked.
	const spy = jest.spyOn(ExecuteContext.prototype as unknown as Asked, '_getNodeParameter');
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

describe('parameters', () => {
	beforeEach(() => server.answer(({ url }, response) => json(response, 200, { url })));

	it('that hold no expression are worked out once for all items, the others once for each', async () => {
		let out: unknown;
		const counts = await counting(async () => {
			({ out } = await server.run(
				'get',
				{ thingId: '={{ $json.n }}', options: { tries: 2 } },
				things,
			));
		});
		expect(out).toEqual(things.map(({ n }) => ({ url: `/things/${n}` })));
		expect(counts).toEqual({ resource: 1, operation: 1, thingId: 50, options: 1 });
	});

	it('are worked out for each item where an expression is deep inside', async () => {
		const counts = await counting(
			async () => await server.run('get', { thingId: '7', options: { tries: '={{ 2 }}' } }, things),
		);
		expect(counts).toEqual({ resource: 1, operation: 1, thingId: 1, options: 50 });
	});
});
