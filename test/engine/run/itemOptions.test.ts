// Protects options set by expressions: one that fails for an item affects that item only, an unusable one means the default.
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

/** Returns an expression that fails for the items whose `fine` is not set. */
const failUnlessFine = (value: string) => `={{ $json.fine ? ${value} : $("Nobody").item.json.x }}`;
const onErrorBranch = { onError: 'continueErrorOutput' } as const;

describe('an options expression that fails for one item', () => {
	it.each([
		['get', 0],
		['get', 2],
		['make', 0],
		['make', 2],
	])('the operation %s fails only for item %i', async (name, failingIndex) => {
		server.respondWith((_, response) => sendJson(response, 200, { ok: true }));
		const input = [0, 1, 2].map((n) => ({ n, fine: n !== failingIndex }));
		const { outputItems, errorItems, error } = await runNode(
			toyKit(service, server.url),
			'toy',
			{ resource: 'thing', operation: name, options: { itemsAtATime: failUnlessFine('3') } },
			input,
			onErrorBranch,
		);
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(2);
		expect(errorItems.map(({ json: { n } }) => n)).toEqual([failingIndex]);
		expect(server.requests).toHaveLength(2);
	});
});

describe('Max Concurrent Items', () => {
	it.each([
		['make', 1],
		['list', 10],
	])('is shown for the operation %s with the default %d', (operation, defaultValue) => {
		const options = toNodeProperties(service).find(
			({ name, displayOptions }) =>
				name === 'options' && displayOptions!.show!.operation!.includes(operation),
		)!.options as INodeProperties[];
		expect(options.find(({ name }) => name === 'itemsAtATime')!.default).toBe(defaultValue);
	});

	it.each([
		['null', 1, '={{ null }}'],
		['an empty string', 1, '={{ "" }}'],
		['a word', 1, 'many'],
		['a text of digits', 3, '={{ "3" }}'],
	])('of %s means a concurrency of %d', async (_, expected, itemsAtATime) => {
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
		['null', 50, '={{ null }}'],
		['a missing property', 50, '={{ $json.none }}'],
		['an empty string', 50, '={{ "" }}'],
		['a blank', 50, '={{ "  " }}'],
		['a text of digits', 7, '={{ "7" }}'],
		['a fraction', 2, '={{ 2.9 }}'],
	])('of %s cuts a list after %d records', async (_, expected, limit) => {
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
