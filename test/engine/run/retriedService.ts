import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../../../nodes/engine/errors';
import { field } from '../../../nodes/engine/field';
import { toPathSegment } from '../../../nodes/engine/http/path';
import { operation } from '../../../nodes/engine/operation';
import { sendJson, startToyServer, toyKit, toyService, operationTexts } from '../../support/toy';
import type { ReceivedRequest, ToyServer } from '../../support/toy';
import { runNode } from '../../support/workflow';
import type { NodeKit } from '../../support/workflow';

/** The field by which a request is recognized. */
export const nameField = field({
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	target: { in: 'body' },
});
const nameInPath = { ...nameField, target: { in: 'path' } as const };

/** Number of moments that were read. Each attempt therefore sends another moment. */
let momentCount = 0;
/** How often the value 'expires' was read. Only the first reading accepts it. */
let expiryCount = 0;
const moment = field({
	displayName: 'Moment',
	name: 'moment',
	type: 'string',
	default: '',
	read: (value): unknown => {
		if (value === 'expires' && ++expiryCount > 1) throw new BadInput("'Moment' is in the past");
		return `${momentCount++}`;
	},
	target: { in: 'body' },
});
const secretName = { ...nameField, secret: true };

/** Operations that must not be carried out twice, and some that may. */
export const service = toyService({
	make: operation({
		...operationTexts,
		request: 'POST /things',
		fields: { name: nameField, moment },
		effect: 'the thing was made',
	}),
	get: operation({
		...operationTexts,
		request: 'GET /things/{name}',
		fields: { name: nameInPath },
		idempotent: true,
	}),
	remove: operation({
		...operationTexts,
		request: 'DELETE /things/{name}',
		fields: { name: nameInPath },
		idempotent: true,
	}),
	spend: operation({
		...operationTexts,
		request: 'POST /codes',
		fields: { name: secretName },
		effect: 'the code was checked',
	}),
	/** Reserves, reads, pays, and adds a hint about the reservation. */
	book: operation({
		...operationTexts,
		fields: { name: nameField },
		effect: 'it was booked',
		run: async ({ name: bookedName }, call) => {
			const requestOptions = {
				params: { what: toPathSegment('Name', bookedName) },
				effect: 'it was booked',
			};
			const reserved = await call.send({
				method: 'POST',
				path: '/reserve/{what}',
				...requestOptions,
			});
			call.hint(`Reserved ${bookedName}`);
			await call.send({ method: 'GET', path: '/look', idempotent: true });
			const paid = await call.send({ method: 'POST', path: '/pay/{what}', ...requestOptions });
			return { reserved: reserved.body, paid: paid.body } as IDataObject;
		},
	}),
});

/** Parameters that make one thing for each item, with the name in the item. */
export const makeParameters = { resource: 'thing', operation: 'make', name: '={{ $json.name }}' };

/** Settings of a node with Retry On Fail. */
export const retryOnFailSettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
/** Returns one input item for each name. */
export const namedItems = (...names: string[]) => names.map((name) => ({ name }));
/** Reads the name in a request: from the body, or else from the end of the path. */
export const readName = ({ url, body }: ReceivedRequest) =>
	body ? (JSON.parse(body) as { name: string }).name : url.split('/').pop()!;

type Respond = (response: Parameters<typeof sendJson>[0]) => void;
export const respondWithRejection: Respond = (response) =>
	sendJson(response, 400, { message: 'Not now' });
export const respondWithFailure: Respond = (response) =>
	sendJson(response, 500, { message: 'Oh no' });
export const dropConnection: Respond = (response) => void response.destroy();

/** Starts the service for the tests of one file. */
export function useRetriedService() {
	const server = {} as ToyServer;
	const kit = {} as NodeKit;
	beforeAll(async () => {
		Object.assign(server, await startToyServer());
		Object.assign(kit, toyKit(service, server.url));
	});
	beforeEach(() => {
		momentCount = 0;
		expiryCount = 0;
	});
	afterAll(async () => await server.close());
	return {
		server,
		kit,
		/** Runs an operation for each item, with Retry On Fail by default. */
		run: async (
			operationName: string,
			input: IDataObject[],
			node: object = retryOnFailSettings,
			extraParameters = {},
		) =>
			await runNode(
				kit,
				'toy',
				{ ...makeParameters, operation: operationName, ...extraParameters },
				input,
				node,
			),
		/** Returns the names in the requests that arrived, in order. */
		readSentNames: () => server.requests.map(readName),
		/** Fails the first request with each name in `responses`; responds to others with a number. */
		failFirstAttempt: (responses: Record<string, Respond>): void => {
			const seenNames = new Set<string>();
			server.respondWith((request, response, count) => {
				const name = readName(request);
				const respond = seenNames.has(name) ? undefined : responses[name];
				seenNames.add(name);
				if (respond) respond(response);
				else sendJson(response, 200, { count, name });
			});
		},
	};
}
