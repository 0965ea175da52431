import type { ServerResponse } from 'node:http';

import { field } from '../../nodes/engine/field';
import { operation } from '../../nodes/engine/operation';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../support/toy';
import type { ReceivedRequest, ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';

/** Path parameter of the operations on one thing. */
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
	read: (input): unknown => JSON.parse(`${input}`),
	target: { in: 'wholeBody' },
});

/** A service with operations that get, create and remove a thing, and send an SMS about it. */
export const service = toyService({
	get: operation({
		...operationTexts,
		request: 'GET /things/{thingId}',
		fields: { thingId },
		idempotent: true,
	}),
	/** Outputs the size of the response in bytes, which the byte limits of lists are based on. */
	measure: operation({
		...operationTexts,
		request: 'GET /things/{thingId}',
		fields: { thingId },
		idempotent: true,
		output: ({ bytes }) => ({ bytes }),
	}),
	sendSms: operation({
		...operationTexts,
		request: 'GET /sms/{thingId}',
		fields: { thingId },
		effect: 'the message went out',
	}),
	make: operation({
		...operationTexts,
		request: 'POST /things',
		fields: { value },
		effect: 'the thing was made',
	}),
	remove: operation({
		...operationTexts,
		request: 'DELETE /things/{thingId}',
		fields: { thingId },
		idempotent: true,
	}),
});

type Run = ReturnType<typeof runNode>;

/** The server of the service above and its node on n8n's engine, for the tests of one file. */
export interface Toy extends ToyServer {
	/** Runs one operation of the node. */
	run: (operation: string, parameters?: object, input?: object[], node?: object) => Run;
	/** Fails the first `times` requests and responds to later ones. */
	failFirstRequests: (times: number, fail: (response: ServerResponse) => void) => void;
}

/** Starts the server before the tests of a file and closes it after them. */
export function useToy(): Toy {
	const toy = {} as Toy;
	beforeAll(async () => {
		const server = await startToyServer();
		Object.assign(toy, server, {
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
			failFirstRequests: (times: number, fail: (response: ServerResponse) => void) =>
				server.respondWith((_, response, count) =>
					count <= times ? fail(response) : sendJson(response, 200, { count }),
				),
		});
	});
	afterAll(async () => await toy.close());
	return toy;
}

/**
 * A barrier for `count` callers. It opens 50 ms after the last of them has entered, so that a caller beyond the expected
 * number is counted too, and then stays open. `maxInside` is the highest number of callers inside at the same time.
 */
export class Barrier {
	maxInside = 0;
	private insideCount = 0;
	private openBarrier = () => {};
	private readonly allEntered = new Promise<void>((resolve) => {
		this.openBarrier = () => setTimeout(resolve, 50);
	});

	constructor(private readonly count: number) {}

	async enter(): Promise<void> {
		this.maxInside = Math.max(this.maxInside, ++this.insideCount);
		if (this.insideCount === this.count) this.openBarrier();
		await this.allEntered;
	}

	leave(): void {
		this.insideCount--;
	}
}

/** Has a server wait for `count` requests and then respond to each after a random delay below 4 ms. */
export function respondTogether(
	server: ToyServer,
	count: number,
	body: (request: ReceivedRequest) => object = () => ({}),
): Barrier {
	const barrier = new Barrier(count);
	server.respondWith((request, response) => {
		void barrier.enter().then(() =>
			setTimeout(() => {
				barrier.leave();
				sendJson(response, 200, body(request));
			}, 4 * Math.random()),
		);
	});
	return barrier;
}

/** Closes the connection without a response. */
export const drop = (response: ServerResponse) => response.destroy();
