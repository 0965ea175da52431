// Protects requests: key, path and body arrive unchanged, and a retry never repeats an effect that may have happened.
import type { ServerResponse } from 'node:http';

import { useAcceleratedTime } from '../../support/fakeClock';
import { sendJson, toyKit } from '../../support/toy';
import { runNode } from '../../support/workflow';
import { drop, service, useToy } from '../toyOperations';

useAcceleratedTime();

const server = useToy();
const run: typeof server.run = async (...args) => await server.run(...args);
const failFirstRequests: typeof server.failFirstRequests = (...args) =>
	server.failFirstRequests(...args);

describe('a request', () => {
	it('contains the API key, and the node outputs its response', async () => {
		server.respondWith((request, response) => sendJson(response, 200, { path: request.url }));
		const { outputItems, error } = await run('get', { thingId: 'a b' });
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([{ path: '/things/a%20b' }]);
		expect(server.requests[0]!.headers['x-toy-key']).toBe('sk-toy-0123456789');
	});

	it.each(['7', '{}', '[]', '"text"', 'false', '{"a":[1,{}]}'])(
		'sends the body %s unchanged',
		async (value) => {
			server.respondWith((_, response) => sendJson(response, 200, {}));
			await run('make', { value });
			expect(server.requests).toHaveLength(1);
			expect(server.requests[0]!.body).toBe(value);
			expect(server.requests[0]!.headers['content-type']).toBe('application/json');
		},
	);

	it('accepts a base URL with a trailing slash', async () => {
		server.respondWith((_, response) => sendJson(response, 200, {}));
		await runNode(toyKit(service, `${server.url}/base/`), 'toy', {
			resource: 'thing',
			operation: 'get',
			thingId: 'one',
		});
		expect(server.requests[0]!.url).toBe('/base/things/one');
	});

	it.each([
		'',
		'not an address',
		'ftp://127.0.0.1/',
		'http://127.0.0.1/?key=1',
		'http://ada@127.0.0.1:1',
		'http://ada:hush-hush@127.0.0.1:1/',
		'http://:hush-hush@127.0.0.1:1',
	])('rejects the base URL "%s"', async (baseUrl) => {
		const { error } = await runNode(toyKit(service, baseUrl), 'toy', {
			resource: 'thing',
			operation: 'get',
			thingId: 'one',
		});
		expect(error?.message).toMatch(/'Base URL' in the credential/);
		expect(JSON.stringify(error)).not.toContain('hush-hush');
	});
});

describe('a hostile path value', () => {
	const hostileValues = [
		'../delete',
		'a/../../delete',
		'one?admin=1',
		'one#part',
		'%2F',
		'%2E%2E',
		'%2e%2e/delete',
		'..\\delete',
		'ünï/cödé ✓ 日本',
		'one\r\nX-Injected: 1',
		';matrix=1',
		'@host',
		'//host/path',
	];

	it.each(hostileValues)('stays inside its segment: %j', async (value) => {
		server.respondWith((_, response) => sendJson(response, 200, { id: 1 }));
		const { error } = await run('get', { thingId: value });
		expect(error).toBeUndefined();
		const { url } = server.requests[0]!;
		expect(url.startsWith('/things/')).toBe(true);
		const segment = url.slice('/things/'.length);
		expect(segment).not.toMatch(/[/?#\\]/);
		expect(decodeURIComponent(segment)).toBe(value.trim());
	});

	it.each(['', '   ', '.', '..', ' .. ', '\ud800'])(
		'is rejected before any request if it is blank, a dot segment or broken Unicode: %j',
		async (value) => {
			server.respondWith((_, response) => sendJson(response, 200, {}));
			// As an expression, since n8n itself rejects a required field without a value.
			const { error } = await run('get', { thingId: '={{ $json.id }}' }, [{ id: value }]);
			expect(error?.message).toMatch(/^'Thing ID' is (missing|not valid)/);
			expect(server.requests).toHaveLength(0);
		},
	);
});

describe('a 429 response', () => {
	const rateLimitWith = (headers: Record<string, string>) => (response: ServerResponse) =>
		sendJson(response, 429, { message: 'Slow down' }, headers);

	it('is retried after Retry-After in seconds, even if the operation is not idempotent', async () => {
		failFirstRequests(1, rateLimitWith({ 'retry-after': '1' }));
		const { outputItems } = await run('make', { value: '1' });
		expect(outputItems).toEqual([{ count: 2 }]);
		expect(
			server.requests[1]!.receivedAtMs - server.requests[0]!.receivedAtMs,
		).toBeGreaterThanOrEqual(990);
	});

	it('is retried at the date in Retry-After', async () => {
		const retryDateMs = Math.ceil((Date.now() + 1200) / 1000) * 1000;
		failFirstRequests(1, rateLimitWith({ 'retry-after': new Date(retryDateMs).toUTCString() }));
		const { outputItems } = await run('get');
		expect(outputItems).toEqual([{ count: 2 }]);
		expect(server.requests[1]!.receivedAtMs).toBeGreaterThanOrEqual(retryDateMs - 10);
	});

	it('is retried with exponential backoff without Retry-After', async () => {
		failFirstRequests(2, rateLimitWith({}));
		const { outputItems } = await run('get');
		expect(outputItems).toEqual([{ count: 3 }]);
		const [first, second, third] = server.requests.map(({ receivedAtMs }) => receivedAtMs) as [
			number,
			number,
			number,
		];
		expect(second - first).toBeGreaterThanOrEqual(490);
		expect(third - second).toBeGreaterThanOrEqual(990);
	});

	it('fails at once if Retry-After exceeds the longest wait, and the error names the requested wait', async () => {
		failFirstRequests(9, rateLimitWith({ 'retry-after': '7200' }));
		const startedAtMs = Date.now();
		const { error } = await run('get');
		expect(Date.now() - startedAtMs).toBeLessThan(3000);
		expect(server.requests).toHaveLength(1);
		expect((error as { description?: string }).description).toMatch(
			/wait 2 hours|wait 120 minutes/,
		);
	});

	it('fails after Max Attempts', async () => {
		failFirstRequests(9, rateLimitWith({ 'retry-after': '0' }));
		const { error } = await run('get', { options: { tries: 3 } });
		expect(server.requests).toHaveLength(3);
		expect(error?.message).toBe('Toy service: Slow down');
		expect((error as { description?: string }).description).toMatch(/tried 3 times/);
	});
});

describe.each([
	['500', (response: ServerResponse) => sendJson(response, 500, { message: 'Ouch' })],
	['503', (response: ServerResponse) => sendJson(response, 503, { message: 'Ouch' })],
	['a dropped connection', drop],
	[
		'a truncated response',
		(response: ServerResponse) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end('{"id": 1, "na');
		},
	],
])('after %s', (_, fail) => {
	it('an idempotent operation is retried', async () => {
		failFirstRequests(1, fail);
		const { outputItems } = await run('get', { options: { longestWait: 1 } });
		expect(outputItems).toEqual([{ count: 2 }]);
	});

	it('an operation that is not idempotent is sent once, and the error says that its effect is unknown', async () => {
		failFirstRequests(9, fail);
		const { error } = await run('sendSms');
		expect(server.requests).toHaveLength(1);
		expect((error as { description?: string }).description).toMatch(/unclear whether/);
	});
});
