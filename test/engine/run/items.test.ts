// Protects runs over many items: results keep order and pairing, writes run one by one, and an error names its item once.
import type { INode } from 'n8n-workflow';

import { BadInput, toNodeError } from '../../../nodes/engine/errors';
import { sendJson } from '../../support/toy';
import { respondTogether, useToy } from '../toyOperations';

const server = useToy();
const run: typeof server.run = async (...args) => await server.run(...args);
const onErrorBranch = { onError: 'continueErrorOutput' };

describe('items', () => {
	const numberedItems = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

	it('1,000 items with concurrency 10 keep their order and pairing', async () => {
		const barrier = respondTogether(server, 10, ({ url }) => ({
			n: Number(url.split('/').pop()),
		}));
		const { items, outputItems } = await run(
			'get',
			{ thingId: '={{ $json.n }}' },
			numberedItems(1000),
		);
		expect(outputItems).toEqual(numberedItems(1000));
		expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
			Array.from({ length: 1000 }, (_, item) => ({ item })),
		);
		expect(barrier.maxInside).toBe(10);
	});

	it('items of a write run sequentially, in order', async () => {
		const barrier = respondTogether(server, 1);
		await run('make', { value: '={{ JSON.stringify($json.n) }}' }, numberedItems(20));
		expect(barrier.maxInside).toBe(1);
		expect(server.requests.map(({ body }) => Number(body))).toEqual(
			numberedItems(20).map(({ n }) => n),
		);
	});

	it('items run with the concurrency limit that the user chose', async () => {
		const barrier = respondTogether(server, 3);
		await run('make', { value: '1', options: { itemsAtATime: 3 } }, numberedItems(12));
		expect(barrier.maxInside).toBe(3);
	});

	it('failed items go to the error output and do not affect the others', async () => {
		server.respondWith((request, response) =>
			request.url.endsWith('/1')
				? sendJson(response, 400, { message: 'Not this one' })
				: sendJson(response, 200, { url: request.url }),
		);
		const { outputItems, errorItems, error } = await run(
			'get',
			{ thingId: '={{ $json.n }}' },
			numberedItems(3),
			onErrorBranch,
		);
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([{ url: '/things/0' }, { url: '/things/2' }]);
		expect(errorItems).toHaveLength(1);
		// The error branch receives the input, so that it knows which person the error is about.
		expect(errorItems[0]!.json).toEqual({
			n: 1,
			error:
				"Toy service: Not this one. Check the values in this node: the service doesn't accept one of them.",
		});
		expect(errorItems[0]!.pairedItem).toEqual({ item: 1 });
	});

	it('the first failure ends the run without Continue On Fail, and the error names the item', async () => {
		server.respondWith((request, response) =>
			request.url.endsWith('/1')
				? sendJson(response, 400, { message: 'Not this one' })
				: sendJson(response, 200, { id: 1 }),
		);
		const { error } = await run('get', { thingId: '={{ $json.n }}' }, numberedItems(3));
		expect((error as { context?: { itemIndex?: number } }).context?.itemIndex).toBe(1);
		expect(error?.message).toBe('Row 2 of 3: Toy service: Not this one');
	});

	it('the error gives no item number if there is only one item', async () => {
		server.respondWith((_, response) => sendJson(response, 400, { message: 'Not this one' }));
		const { error } = await run('get', { thingId: '7' }, numberedItems(1));
		expect(error?.message).toBe('Toy service: Not this one');
	});

	it('the error about a missing value names the item', async () => {
		server.respondWith((_, response) => sendJson(response, 200, { id: 1 }));
		const { error } = await run('get', { thingId: '={{ $json.n || "" }}' }, [{ n: 5 }, { n: 0 }]);
		expect(error?.message).toMatch(/^Row 2 of 2: 'Thing ID' is missing$/);
	});

	it('the error of a row that n8n has named, counted from 0, gives no second number', () => {
		const node = { name: 'N', type: 'toy', typeVersion: 1 } as INode;
		const toMessage = (message: string) =>
			toNodeError(node, new BadInput(message), 1, [], { row: 'Row 2 of 2' }).message;
		expect(toMessage("Invalid input for 'Limit' [item 1]")).toBe(
			"Invalid input for 'Limit' [item 1]",
		);
		expect(toMessage('No such thing')).toBe('Row 2 of 2: No such thing');
	});
});
