import type { ServerResponse } from 'node:http';

import { field } from '../../nodes/engine/field';
import { operation } from '../../nodes/engine/operation';
import { json, startToyServer, toyKit, toyService, words } from '../support/toy';
import type { Received, ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';

/** The thing that an operation is about. */
export const thingId = field({
	displayName: 'Thing ID',
	name: 'thingId',
	type: 'string',
	default: '',
	required: true,
	target: { in: 'path' },
});
const value = field({
	displayName: 'Value',
	name: 'value',
	type: 'json',
	default: '',
	read: (given): unknown => JSON.parse(`${given}`),
	target: { in: 'wholeBody' },
});

/** A service of things: one can be read, made, removed, and told of by SMS. */
export const service = toyService({
	get: operation({
		...words,
		request: 'GET /things/{thingId}',
		fields: { thingId },
		idempotent: true,
	}),
	/** Tells how large the answer was: what ceilings of lists go by. */
	measure: operation({
		...words,
		request: 'GET /things/{thingId}',
		fields: { thingId },
		idempotent: true,
		output: ({ bytes }) => ({ bytes }),
	}),
	sendSms: operation({
		...words,
		request: 'GET /sms/{thingId}',
		fields: { thingId },
		effect: 'the message went out',
	}),
	make: operation({
		...words,
		request: 'POST /things',
		fields: { value },
		effect: 'the thing was made',
	}),
	remove: operation({
		...words,
		request: 'DELETE /things/{thingId}',
		fields: { thingId },
		idempotent: true,
	}),
});

type Run = ReturnType<typeof runNode>;

/** The server of that service for the tests of one file, and its node on n8n's engine. */
export interface Toy extends ToyServer {
	/** Runs one operation; waits between tries are kept short unless a test is about them. */
	run: (operation: string, parameters?: object, input?: object[], node?: object) => Run;
	/** Fails so many times, then answers. */
	failing: (times: number, fail: (response: ServerResponse) => void) => void;
}

/** Starts it before the tests of a file and closes it after them. */
export function useToy(): Toy {
	const things = {} as Toy;
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
					{ resource: 'thing', operation, thingId: 'one', ...parameters },
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

/**
 * Holds the first who come until so many are there, and for a moment longer in which one too many could come; after that
 * it holds nobody. Tells how many were there at a time, at most.
 */
export class Gathering {
	most = 0;
	private present = 0;
	private complete = () => {};
	private readonly all = new Promise<void>((resolve) => {
		this.complete = () => setTimeout(resolve, 50);
	});

	constructor(private readonly count: number) {}

	async enter(): Promise<void> {
		this.most = Math.max(this.most, ++this.present);
		if (this.present === this.count) this.complete();
		await this.all;
	}

	leave(): void {
		this.present--;
	}
}

/** Lets a server wait until so many requests are there, and then take some milliseconds for each answer. */
export function answerTogether(
	server: ToyServer,
	count: number,
	body: (request: Received) => object = () => ({}),
): Gathering {
	const gathering = new Gathering(count);
	server.answer((request, response) => {
		void gathering.enter().then(() =>
			setTimeout(() => {
				gathering.leave();
				json(response, 200, body(request));
			}, 4 * Math.random()),
		);
	});
	return gathering;
}

/** Ends a connection without an answer. */
export const drop = (response: ServerResponse) => response.destroy();
