// Protects users of 'Ask Once for Equal Items': equal items share one read and get the results of separate reads.
import fc from 'fast-check';

import { field } from '../../../nodes/engine/field';
import { operation } from '../../../nodes/engine/operation';
import type { Operation } from '../../../nodes/engine/operation';
import { canShareResult } from '../../../nodes/engine/operationTraits';
import { toNodeProperties } from '../../../nodes/engine/panel/properties';
import { packServices } from '../../support/pack';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { thingId } from '../toyOperations';

const color = field({
	displayName: 'Color',
	name: 'color',
	type: 'string',
	default: '',
	target: { in: 'query' },
});
const readOperation = {
	...operationTexts,
	request: 'GET /things/{thingId}',
	fields: { thingId },
	idempotent: true,
} as const;
const service = toyService({
	get: operation({ ...readOperation, options: { color }, simplify: ['id', 'tags'] }),
	list: operation({ ...readOperation, request: 'GET /things/{thingId}/parts', paging: {} }),
	change: operation({ ...readOperation, request: 'PUT /things/{thingId}' }),
	message: operation({
		...operationTexts,
		request: 'GET /sms/{thingId}',
		fields: { thingId },
		effect: 'x',
	}),
});
const onErrorBranch = { onError: 'continueErrorOutput' };

let server: ToyServer;
beforeAll(async () => void (server = await startToyServer()));
afterAll(async () => await server.close());
beforeEach(() =>
	server.respondWith(({ url }, response, count) => {
		const [path, query] = url.split('?');
		const [, , id, parts] = path!.split('/');
		if (id === 'bad') return sendJson(response, 400, { message: 'Not this one' });
		const thing = { id, query, count, tags: ['a', { b: 1 }] };
		sendJson(response, 200, parts ? [thing, { ...thing, id: `${id} too` }] : thing);
	}),
);

const run = async (
	operationName: string,
	ids: string[],
	parameters: { options?: object; [name: string]: unknown } = {},
	node: object = {},
) =>
	await runNode(
		toyKit(service, server.url),
		'toy',
		{
			resource: 'thing',
			operation: operationName,
			thingId: '={{ $json.id }}',
			simplify: false,
			...parameters,
			options: { askOnce: true, ...parameters.options },
		},
		ids.map((id) => ({ id })),
		node,
	);
const requestedUrls = () => server.requests.map(({ url }) => url);

describe('items with equal requests', () => {
	it('equal items are requested separately by default', async () => {
		await run('get', ['1', '1', '1'], { options: { askOnce: false } });
		expect(requestedUrls()).toHaveLength(3);
	});

	it('equal items share one request, and keep their order and pairing', async () => {
		const { outputItems, items } = await run('get', ['1', '2', '1', '1', '2']);
		expect(requestedUrls().sort()).toEqual(['/things/1', '/things/2']);
		expect(outputItems.map(({ id }) => id)).toEqual(['1', '2', '1', '1', '2']);
		expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
	});

	it('equal items share no object that one of them could modify', async () => {
		const { outputItems } = await run('get', ['1', '1']);
		(outputItems[0]!.tags as unknown[]).push('changed');
		((outputItems[0]!.tags as unknown[])[1] as { b: number }).b = 2;
		outputItems[0]!.id = 'changed';
		expect(outputItems[1]).toMatchObject({ id: '1', tags: ['a', { b: 1 }] });
	});

	it('items that wait for the request of an equal item do not count against the concurrency limit', async () => {
		const ids = [...Array<string>(50).fill('1'), '2'];
		const pendingResponses: Array<() => void> = [];
		server.respondWith(({ url }, response) => {
			pendingResponses.push(() => sendJson(response, 200, { id: url }));
			// Both must be under way before either is answered.
			if (pendingResponses.length === 2) pendingResponses.forEach((respond) => respond());
		});
		const { outputItems } = await run('get', ids, { options: { itemsAtATime: 2 } });
		expect(outputItems).toHaveLength(51);
		expect(requestedUrls()).toHaveLength(2);
	});

	it('each of equal items fails, paired with its own input, if the shared request fails', async () => {
		const { outputItems, errorItems } = await run('get', ['bad', '1', 'bad'], {}, onErrorBranch);
		expect(requestedUrls().sort()).toEqual(['/things/1', '/things/bad']);
		expect(outputItems.map(({ id }) => id)).toEqual(['1']);
		expect(errorItems.map((item) => [item.json.error, item.pairedItem])).toEqual([
			[expect.stringContaining('Toy service: Not this one'), { item: 0 }],
			[expect.stringContaining('Toy service: Not this one'), { item: 2 }],
		]);
	});

	it('equal items share one request for a list', async () => {
		const { outputItems, items } = await run('list', ['1', '1'], { returnAll: true });
		expect(requestedUrls()).toHaveLength(1);
		expect(outputItems.map(({ id }) => id)).toEqual(['1', '1 too', '1', '1 too']);
		expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1].map((item) => ({ item })),
		);
	});

	it.each([
		['their limit', 'list', { limit: '={{ $itemIndex + 1 }}' }],
		['Simplify', 'get', { simplify: '={{ $itemIndex === 0 }}' }],
		['an option', 'get', { options: { color: '={{ $itemIndex }}' } }],
		['a request option', 'get', { options: { tries: '={{ $itemIndex + 1 }}' } }],
	])('items that differ in %s share no request', async (_, name, parameters) => {
		const { error } = await run(name, ['1', '1'], parameters);
		expect(error).toBeUndefined();
		expect(requestedUrls()).toHaveLength(2);
	});

	it('equal items are requested again in the next execution', async () => {
		await run('get', ['1']);
		await run('get', ['1']);
		expect(requestedUrls()).toHaveLength(2);
	});

	it.each(['change', 'message'])(
		'items of an operation that writes share no request: %s',
		async (name) => {
			const { outputItems } = await run(name, ['1', '1']);
			expect(requestedUrls()).toHaveLength(2);
			expect(outputItems).toHaveLength(2);
		},
	);

	it('any items get the results that they get without sharing', async () => {
		const anyIds = fc.array(fc.constantFrom('1', '2', ' 2', 'bad', '3', ''), {
			minLength: 1,
			maxLength: 15,
		});
		await fc.assert(
			fc.asyncProperty(anyIds, fc.integer({ min: 1, max: 5 }), async (ids, itemsAtATime) => {
				const results = [];
				const requests = [];
				for (const askOnce of [false, true]) {
					server.requests.length = 0;
					const options = { askOnce, itemsAtATime };
					const { outputItems, errorItems, items } = await run(
						'get',
						ids,
						{ options },
						onErrorBranch,
					);
					for (const item of outputItems) delete item.count;
					results.push({
						outputItems,
						errorItems,
						pairs: items('Node').map(({ pairedItem }) => pairedItem),
					});
					requests.push(requestedUrls());
				}
				expect(results[1]).toEqual(results[0]);
				expect(requests[1]!.sort()).toEqual([...new Set(requests[0])].sort());
			}),
			{ numRuns: 25 },
		);
	});
});

it('the option to ask once exists only for operations that read with one request', () => {
	const offersSharing = (definition: Operation) =>
		toNodeProperties(toyService({ only: definition }))
			.find(({ name }) => name === 'options')!
			.options!.some(({ name }) => name === 'askOnce');
	const packOperations = packServices.flatMap(({ service: { resources } }) =>
		Object.entries(resources).flatMap(([name, { operations }]) =>
			Object.entries(operations).map(([value, definition]) => ({
				name: `${name} ${value}`,
				definition,
			})),
		),
	);
	for (const { definition } of packOperations)
		expect(offersSharing(definition)).toBe(canShareResult(definition));
	const sharingNames = packOperations
		.filter(({ definition }) => canShareResult(definition))
		.map(({ name }) => name);
	expect(sharingNames).toContain('registration get');
	expect(sharingNames).toContain('contact search');
	expect(sharingNames).toContain('user getStatus');
	for (const name of [
		'oneTimeCode verify',
		'oneTimeCode sendBySms',
		'phoneVerification check',
		'approvalRequest waitForDecision',
		'scopeJob get',
		'scopeJob waitUntilFinished',
		'login complete',
		'contact createOrUpdate',
		'registration update',
	]) {
		expect(packOperations.map(({ name }) => name)).toContain(name);
		expect(sharingNames).not.toContain(name);
	}
});
