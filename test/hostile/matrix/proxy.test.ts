// Protects what the fault matrix proves: each fault acts on client and service as described, other requests pass unchanged.
import { once } from 'node:events';
import { request } from 'node:http';
import { Socket } from 'node:net';

import { findFault, faults } from '../../support/faults/catalog';
import { startFaultProxy } from '../../support/faults/proxy';
import type { FaultProxy } from '../../support/faults/proxy';
import { sendSlowly } from '../../support/faults/wire';
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';

let proxy: FaultProxy;
let server: ToyServer;
beforeAll(async () => {
	proxy = await startFaultProxy();
	server = await startToyServer();
});
afterAll(async () => {
	await proxy.close();
	await server.close();
});
beforeEach(() =>
	server.respondWith((_, response) => sendJson(response, 201, { id: 7, name: 'Ada' })),
);

/** The response that a client without retries receives within a time limit. */
interface ClientResponse {
	status?: number;
	headers: Record<string, unknown>;
	bytes: number;
	text: string;
	/** Whether the response was complete. */
	ended: boolean;
	broken?: string;
}

/** Sends a request, and returns the response after its end or after the time limit. */
async function sendRequest(url: string, timeLimitMs = 5000): Promise<ClientResponse> {
	return await new Promise((resolve) => {
		const clientResponse: ClientResponse = {
			status: undefined,
			headers: {},
			bytes: 0,
			text: '',
			ended: false,
		};
		const clientRequest = request(url, { method: 'POST', agent: false }, (response) => {
			clientResponse.status = response.statusCode;
			clientResponse.headers = response.headers;
			response.on('data', (chunk: Buffer) => {
				clientResponse.bytes += chunk.length;
				if (clientResponse.text.length < 1000) clientResponse.text += chunk.toString();
			});
			response.on(
				'error',
				(error: Error & { code?: string }) => (clientResponse.broken = error.code),
			);
			response.on('close', () => resolve({ ...clientResponse, ended: response.complete }));
		});
		clientRequest.on('error', (error: Error & { code?: string }) =>
			resolve({ ...clientResponse, broken: error.code }),
		);
		clientRequest.setTimeout(timeLimitMs);
		setTimeout(() => {
			clientRequest.destroy();
			resolve(clientResponse);
		}, timeLimitMs).unref();
		clientRequest.end('{"name":"Ada"}');
	});
}

const expectations: Record<string, Partial<ClientResponse> & { isCarriedOut: boolean }> = {
	cutBefore: { broken: 'ECONNRESET', isCarriedOut: false },
	cutAfter: { broken: 'ECONNRESET', isCarriedOut: true },
	cutInHead: { broken: 'ECONNRESET', isCarriedOut: true },
	cutInBody: { status: 201, bytes: 10, ended: false, isCarriedOut: true },
	reset: { broken: 'ECONNRESET', isCarriedOut: true },
	silent: { status: undefined, ended: false, isCarriedOut: true },
	dribblingHead: { status: undefined, ended: false, isCarriedOut: true },
	dribblingBody: { status: 201, ended: false, isCarriedOut: true },
	truncated: { status: 201, bytes: 10, ended: true, isCarriedOut: true },
	tooLongLength: { status: 201, bytes: 21, ended: false, isCarriedOut: true },
	tooShortLength: { status: 201, isCarriedOut: true },
	garbageGzip: { status: 201, ended: true, isCarriedOut: true },
	page200: { status: 200, ended: true, isCarriedOut: false },
	page502: { status: 502, ended: true, isCarriedOut: true },
	rateLimitedFor1s: { status: 429, ended: true, isCarriedOut: false },
	rateLimitedForLong: { status: 429, ended: true, isCarriedOut: false },
	busy: { status: 429, ended: true, isCarriedOut: false },
	status500: { status: 500, ended: true, isCarriedOut: true },
	status503: { status: 503, ended: true, isCarriedOut: false },
	empty: { status: 200, text: '', ended: true, isCarriedOut: true },
	null: { status: 200, text: 'null', ended: true, isCarriedOut: true },
	number: { status: 200, text: '42', ended: true, isCarriedOut: true },
	text: { status: 200, text: '"well"', ended: true, isCarriedOut: true },
	numbers: { status: 200, text: '[1,2,3]', ended: true, isCarriedOut: true },
	deep: { status: 200, bytes: 200_000, ended: true, isCarriedOut: true },
	redirect: { status: 307, ended: true, isCarriedOut: false },
	huge: { status: 201, bytes: 100 * 1024 * 1024, ended: true, isCarriedOut: true },
	bomb: { status: 201, ended: true, isCarriedOut: true },
};

it('the table of expected effects contains every fault', () => {
	expect(Object.keys(expectations)).toEqual(faults.map(({ name }) => name));
});

it.each(Object.entries(expectations))(
	'the fault %s has its expected effect on the client and the service',
	async (name, expectation) => {
		const route = proxy.route(server.url, () => findFault(name));
		const { isCarriedOut, ...expectedResult } = expectation;
		const timeLimitMs = findFault(name).isSlow ? 600 : 20_000;
		expect(await sendRequest(`${route.url}/people`, timeLimitMs)).toMatchObject(expectedResult);
		expect(server.requests).toHaveLength(isCarriedOut ? 1 : 0);
		expect(route.proxied).toMatchObject([
			{
				number: 1,
				method: 'POST',
				path: '/people',
				fault: name,
				...(isCarriedOut && { upstreamStatus: 201 }),
			},
		]);
		route.close();
	},
);

it('a dribbling response ends only when the client disconnects', async () => {
	const route = proxy.route(server.url, () => findFault('dribblingBody'));
	const { bytes } = await sendRequest(`${route.url}/`, 900);
	expect(bytes).toBeGreaterThan(1);
	for (let checks = 0; checks < 100 && route.countFaultedConnections() > 0; checks++) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	expect(route.countFaultedConnections()).toBe(0);
	route.close();
});

it('a dribbling response to a disconnected client leaves no timer', async () => {
	const socket = new Socket().destroy();
	await once(socket, 'close');
	jest.useFakeTimers();
	try {
		sendSlowly(socket, 'x', 100);
		expect(jest.getTimerCount()).toBe(0);
	} finally {
		jest.useRealTimers();
	}
});

it('requests without a fault pass unchanged, including body and headers', async () => {
	const route = proxy.route(server.url, ({ number }) =>
		number === 1 ? undefined : findFault('reset'),
	);
	const clientResponse = await sendRequest(`${route.url}/people?page=2`);
	expect(clientResponse).toMatchObject({ status: 201, text: '{"id":7,"name":"Ada"}', ended: true });
	expect(server.requests).toMatchObject([
		{ method: 'POST', url: '/people?page=2', body: '{"name":"Ada"}' },
	]);
	expect(server.requests[0]!.headers.host).toBe(new URL(server.url).host);
	expect((await sendRequest(`${route.url}/people`)).broken).toBe('ECONNRESET');
});

it('the proxy counts requests that follow a redirect', async () => {
	const route = proxy.route(server.url, () => findFault('redirect'));
	const { headers } = await sendRequest(`${route.url}/people`);
	const countBefore = proxy.followedRedirects();
	await sendRequest(`${headers.location as string}`);
	expect(proxy.followedRedirects()).toBe(countBefore + 1);
});

it('the proxy drops all connections while it is down', async () => {
	const route = proxy.route(server.url, () => undefined);
	proxy.setDown(true);
	expect((await sendRequest(`${route.url}/people`)).broken).toBe('ECONNRESET');
	proxy.setDown(false);
	expect((await sendRequest(`${route.url}/people`)).status).toBe(201);
});
