import type { ServerResponse } from 'node:http';

import type { Operation } from '../../nodes/engine/operation';
import { json, startToyServer, toyKit, toyService } from '../support/toy';
import type { Received, ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';

const thingId = {
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

/** A service of things: one can be read, made, removed, and told of by SMS. */
export const service = toyService({
	get: row({
		request: { method: 'GET', path: '/things/{thingId}' },
		fields: [thingId],
		repeatable: true,
	}),
	/** Tells how large the answer was: what ceilings of lists go by. */
	measure: row({
		request: { method: 'GET', path: '/things/{thingId}' },
		fields: [thingId],
		repeatable: true,
		output: ({ bytes }) => ({ bytes }),
	}),
	sendSms: row({ request: { method: 'GET', path: '/sms/{thingId}' }, fields: [thingId] }),
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
		fields: [thingId],
		repeatable: true,
	}),
});

type Run = ReturnType<typeof runNode>;

/** The server of that service for the tests of one file, and its node on n8n's engine. */
export interface Things extends ToyServer {
	/** Runs one operation; waits between tries are kept short unless a test is about them. */
	run: (operation: string, parameters?: object, input?: object[], node?: object) => Run;
	/** Fails so many times, then answers. */
	failing: (times: number, fail: (response: ServerResponse) => void) => void;
}

/** Starts it before the tests of a file and closes it after them. */
export function useThings(): Things {
	const things = {} as Things;
	beforeAll(async () => {
		const server = await startToyServer();
		Object.assign(things, server, {
			run: (
				operation: string,
				parameters: object = {},
				input: object[] = [{}],
				node: object = {},
			): Run =>
				runNode(
					toyKit(service, server.url),
					'toy',
					{ resource: 'thing', operation, thingId: 'one', ...parameters } as never,
					input as never,
					node,
				),
			failing: (times: number, fail: (response: ServerResponse) => void) =>
				server.answer((_, response, count) =>
					count <= times ? fail(response) : json(response, 200, { count }),
				),
		});
	});
	afterAll(async () => await things.close());
	return things;
}

/** Lets a server take some milliseconds for every answer, and tells how many it was asked for at a time. */
export function answerSlowly(
	server: ToyServer,
	body: (request: Received) => object = () => ({}),
): { most: () => number } {
	let inFlight = 0;
	let most = 0;
	server.answer((request, response) => {
		most = Math.max(most, ++inFlight);
		setTimeout(() => {
			inFlight--;
			json(response, 200, body(request));
		}, 4 * Math.random());
	});
	return { most: () => most };
}

/** Ends a connection without an answer. */
export const drop = (response: ServerResponse) => response.destroy();
