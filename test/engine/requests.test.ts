import type { Operation } from '../../nodes/engine/operation';
import { json, startToyServer, toyKit, toyService } from '../support/toy';
import type { ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';

const idField = {
	displayName: 'Thing ID',
	name: 'thingId',
	type: 'string',
	default: '',
	required: true,
	target: { in: 'path' },
} as const;

const row = (operation: Partial<Operation>): Operation => ({
	name: 'Do',
	action: 'Do it',
	description: 'Does it',
	fields: [],
	...operation,
});

const service = toyService({
	get: row({
		request: { method: 'GET', path: '/things/{thingId}' },
		fields: [idField],
		repeatable: true,
	}),
	list: row({ request: { method: 'GET', path: '/things' }, repeatable: true }),
	make: row({
		request: { method: 'POST', path: '/things' },
		fields: [
			{
				displayName: 'Value',
				name: 'value',
				type: 'json',
				default: '',
				target: { in: 'wholeBody', value: (given) => JSON.parse(`${given}`) },
			},
		],
	}),
	remove: row({
		request: { method: 'DELETE', path: '/things/{thingId}' },
		fields: [idField],
		repeatable: true,
	}),
});

let server: ToyServer;
beforeAll(async () => {
	server = await startToyServer();
});
afterAll(async () => await server.close());

const run = (operation: string, parameters: object = {}, input?: object[], node: object = {}) =>
	runNode(
		toyKit(service, server.url),
		'toy',
		{ resource: 'thing', operation, ...parameters },
		input as never,
		node,
	);

describe('a request', () => {
	it('carries the key and brings the answer back', async () => {
		server.answer((request, response) => json(response, 200, { path: request.url }));
		const { out, error } = await run('get', { thingId: 'a b' });
		expect(error).toBeUndefined();
		expect(out).toEqual([{ path: '/things/a%20b' }]);
		expect(server.received[0]!.headers['x-toy-key']).toBe('sk-toy-0123456789');
	});
});
