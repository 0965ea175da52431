import type { INodeProperties } from 'n8n-workflow';

import { operation } from '../../../nodes/engine/operation';
import { toNodeProperties } from '../../../nodes/engine/panel/properties';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { respondTogether } from '../toyOperations';

const service = toyService({
	get: operation({ ...operationTexts, request: 'GET /things', fields: {}, idempotent: true }),
	make: operation({
		...operationTexts,
		request: 'POST /things',
		fields: {},
		effect: 'the thing was made',
	}),
	list: operation({
		...operationTexts,
		request: 'GET /things',
		fields: {},
		idempotent: true,
		paging: { identify: ({ id }) => id },
	}),
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

/** An expression that fails for the items whose `fine` is not set. */
const fragile = (value: string) => `={{ $json.fine ? ${value} : $("Nobody").item.json.x }}`;
const continues = { onError: 'continueErrorOutput' } as const;

describe('an options expression that fails for one item', () => {
	it.each([
		['get', 0],
		['get', 2],
		['make', 0],
		['make', 2],
	])('%s fails only item %i', async (name, broken) => {
		server.respondWith((_, response) => sendJson(response, 200, { ok: true }));
		const input = [0, 1, 2].map((n) => ({ n, fine: n !== broken }));
		const { outputItems, errorItems, error } = await runNode(
			toyKit(service, server.url),
			'toy',
			{ resource: 'thing', operation: name, options: { itemsAtATime: fragile('3') } },
			input,
			continues,
		);
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(2);
		expect(errorItems.map(({ json: { n } }) => n)).toEqual([broken]);
		expect(server.requests).toHaveLength(2);
	});
});

describe('Max Concurrent Items', () => {
	it.each([
		['make', 1],
		['list', 10],
	])('Max Concurrent Items is shown for %s with its default: %d', (operation, defaultValue) => {
		const options = toNodeProperties(service).find(
			({ name, displayOptions }) =>
				name === 'options' && displayOptions!.show!.operation!.includes(operation),
		)!.options as INodeProperties[];
		expect(options.find(({ name }) => name === 'itemsAtATime')!.default).toBe(defaultValue);
	});

	it.each([
		['null', '={{ null }}', 1],
		['an empty string', '={{ "" }}', 1],
		['not a number', 'many', 1],
		['a text of digits', '={{ "3" }}', 3],
	])('Max Concurrent Items is read correctly if it is %s', async (_, itemsAtATime, expected) => {
		const barrier = respondTogether(server, expected);
		await runNode(
			toyKit(service, server.url),
			'toy',
			{ resource: 'thing', operation: 'make', options: { itemsAtATime } },
			Array.from({ length: 6 }, () => ({})),
		);
		expect(barrier.maxInside).toBe(expected);
	});
});

describe('Limit', () => {
	it.each([
		['null', '={{ null }}', 50],
		['a missing property', '={{ $json.none }}', 50],
		['an empty string', '={{ "" }}', 50],
		['a blank', '={{ "  " }}', 50],
		['a text of digits', '={{ "7" }}', 7],
		['a fraction', '={{ 2.9 }}', 2],
	])('Limit is applied correctly if an expression returns %s', async (_, limit, expected) => {
		const allRecords = Array.from({ length: 80 }, (_entry, id) => ({ id }));
		server.respondWith((_request, response) => sendJson(response, 200, allRecords));
		const { outputItems, error } = await runNode(toyKit(service, server.url), 'toy', {
			resource: 'thing',
			operation: 'list',
			returnAll: false,
			limit,
		});
		expect(error).toBeUndefined();
		expect(outputItems).toEqual(allRecords.slice(0, expected));
	});
});
