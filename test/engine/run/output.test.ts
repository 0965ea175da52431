// Protects output and body: Simplify selects fields, an empty item needs its option, and no field of the user is lost.
import type { IDataObject } from 'n8n-workflow';

import { field } from '../../../nodes/engine/field';
import { operation } from '../../../nodes/engine/operation';
import { toRecord, fieldsFirst } from '../../../nodes/engine/run/output';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';

const simplify = ['id', 'tags'] as const;
const transformRecord = (record: IDataObject) => ({
	...record,
	tags: (record.tags as string[]).join(' '),
});

const text = { displayName: 'Text', type: 'string', default: '' } as const;
const declaredField = field({ ...text, name: 'known', target: { in: 'body' } });
const customField = field({
	...text,
	name: 'other',
	read: (value): unknown => JSON.parse(`${value}`),
	target: { in: 'body', spread: true },
});
const lastField = field({ ...text, name: 'last', target: { in: 'body' } });

const service = toyService({
	get: operation({
		...operationTexts,
		request: 'GET /thing',
		fields: {},
		idempotent: true,
		simplify,
		transformRecord,
	}),
	list: operation({
		...operationTexts,
		request: 'GET /things',
		fields: {},
		idempotent: true,
		simplify,
		transformRecord,
		paging: {},
	}),
	compose: operation({
		...operationTexts,
		request: 'POST /compose',
		fields: {},
		effect: 'it was composed',
		simplify,
		transformRecord,
		run: async (_, call) => toRecord(await call.send(await call.buildRequest())),
	}),
	gather: operation({
		...operationTexts,
		request: 'POST /gather',
		fields: {},
		effect: 'it was gathered',
		simplify,
		transformRecord,
		runBatch: async (batch) =>
			await batch.each(async (_, call) => toRecord(await call.send(await call.buildRequest()))),
	}),
	find: operation({
		...operationTexts,
		request: 'POST /find',
		body: 'json',
		fields: { known: declaredField, other: customField, last: lastField },
		idempotent: true,
	}),
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

const run = (operation: string, parameters: object = {}, input?: IDataObject[], node?: object) =>
	runNode(
		toyKit(service, server.url),
		'toy',
		{ resource: 'thing', operation, ...parameters },
		input,
		node,
	);

describe('Simplify', () => {
	const fullRecord = { id: 1, tags: ['a', 'b'], more: true };

	it('selects fields and normalizes values of one record and of lists', async () => {
		server.respondWith(({ url }, response) =>
			sendJson(response, 200, url === '/thing' ? fullRecord : [fullRecord]),
		);
		expect((await run('get')).outputItems).toEqual([{ id: 1, tags: 'a b' }]);
		expect((await run('list')).outputItems).toEqual([{ id: 1, tags: 'a b' }]);
	});

	it('outputs every field with normalized values if it is off', async () => {
		server.respondWith((_, response) => sendJson(response, 200, fullRecord));
		const expected = { ...fullRecord, tags: 'a b' };
		expect((await run('get', { simplify: false })).outputItems).toEqual([expected]);
		expect((await run('list', { simplify: false })).outputItems).toEqual([expected]);
	});
});

describe('Simplify of operations with several requests', () => {
	const fullRecord = { more: true, tags: ['a', 'b'], id: 1 };

	it.each(['compose', 'gather'])(
		'%s outputs the selected fields first, and every field if Simplify is off',
		async (operation) => {
			server.respondWith((_, response) => sendJson(response, 200, fullRecord));
			const { outputItems } = await run(operation);
			expect(outputItems).toEqual([{ id: 1, tags: 'a b' }]);
			expect(Object.keys(outputItems[0]!)).toEqual(['id', 'tags']);
			expect((await run(operation, { simplify: false })).outputItems).toEqual([
				{ ...fullRecord, tags: 'a b' },
			]);
		},
	);

	it.each(['compose', 'gather'])(
		'%s sends no request for an item whose Simplify cannot be evaluated',
		async (operation) => {
			server.respondWith((_, response) => sendJson(response, 200, fullRecord));
			const { outputItems, errorItems } = await run(
				operation,
				{ simplify: '={{ $json.fine || $("Nobody").first().json.fine }}' },
				[{ fine: true }, {}],
				{ onError: 'continueErrorOutput' },
			);
			expect(outputItems).toHaveLength(1);
			expect(errorItems).toHaveLength(1);
			expect(server.requests).toHaveLength(1);
		},
	);
});

describe('the field order of an output', () => {
	it('has the declared fields first and other fields after them', () => {
		const ordered = fieldsFirst('id', 'name', 'missing')({ more: 1, name: 'n', id: 2 });
		expect(JSON.stringify(ordered)).toBe('{"id":2,"name":"n","more":1}');
	});
});

describe('Return an Empty Item if Nothing Is Found', () => {
	const input = [{ n: 0 }, { n: 1 }, { n: 2 }];
	const foundRecords = [{ id: 1, tags: ['a'] }];
	/** Returns a record for the second input item, and an empty list for others. */
	const respondToSecondItem = () =>
		server.respondWith((_, response, count) =>
			sendJson(response, 200, count === 2 ? foundRecords : []),
		);
	const options = { itemsAtATime: 1, returnEmptyItem: true };

	it('every input item without results outputs one paired empty item', async () => {
		respondToSecondItem();
		const { items } = await run('list', { options }, input);
		expect(items('Node').map(({ json: record, pairedItem }) => [record, pairedItem])).toEqual([
			[{}, { item: 0 }],
			[{ id: 1, tags: 'a' }, { item: 1 }],
			[{}, { item: 2 }],
		]);
	});

	it('no empty item is output by default', async () => {
		respondToSecondItem();
		const { outputItems } = await run('list', { options: { itemsAtATime: 1 } }, input);
		expect(outputItems).toEqual([{ id: 1, tags: 'a' }]);
	});

	it('the option is evaluated for each item', async () => {
		respondToSecondItem();
		const optionsPerItem = { ...options, returnEmptyItem: '={{ $json.n === 2 }}' };
		const { items } = await run('list', { options: optionsPerItem }, input);
		expect(items('Node').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
	});

	it('a list that fails outputs no empty item', async () => {
		server.respondWith((_, response) => sendJson(response, 404, {}));
		const { outputItems, error } = await run('list', { options });
		expect(outputItems).toEqual([]);
		expect(error).toBeDefined();
	});
});

describe('a request body', () => {
	const runAndReadBody = async (parameters: object) => {
		server.respondWith((_, response) => sendJson(response, 200, {}));
		const { error } = await run('find', parameters);
		expect(error).toBeUndefined();
		return server.requests[0]!.body;
	};

	it('is an empty object if no field was set and the operation requires a JSON body', async () => {
		expect(await runAndReadBody({})).toBe('{}');
	});

	it('contains fields that the user named next to declared fields, which take precedence', async () => {
		const userFields = '{"a.b": 1, "__proto__": "x", "last": "first"}';
		expect(JSON.parse(await runAndReadBody({ known: 'k', other: userFields, last: 'l' }))).toEqual(
			JSON.parse('{"known":"k","a.b":1,"__proto__":"x","last":"l"}'),
		);
	});
});
