// Protects the sandbox from malformed and large requests: it rejects them in the format of the service, and keeps running.
import fc from 'fast-check';
import { connect } from 'node:net';

import { shareSandbox } from '../support/sandbox';
import { thingService, keyHeader } from './core.fixture';

const sandbox = shareSandbox({ services: [thingService] });
beforeEach(() => sandbox.reset());

const json = { 'content-type': 'application/json' };

async function send(path: string, init: RequestInit = {}) {
	const headers = { ...keyHeader, ...init.headers };
	const response = await fetch(sandbox.addresses.passwordlessIdentity + path, { ...init, headers });
	return { status: response.status, body: JSON.parse(await response.text()) };
}

const post = (body: BodyInit, headers: Record<string, string> = json) =>
	send('/things', { method: 'POST', headers, body });

afterEach(async () => {
	expect(sandbox.internalErrors).toEqual([]);
	expect((await send('/things/1')).status).toBe(200);
});

describe('a service of the sandbox', () => {
	it.each([
		['cut off', '{"name": "a'],
		['not JSON at all', 'name=a'],
		['two documents', '{} {}'],
		['a NUL byte', '{"name": "\u0000"}'],
	])('rejects malformed JSON in its own error format: %s', async (_case, body) => {
		expect(await post(body)).toEqual({
			status: 400,
			body: { error: 400, kind: 'bad-json', detail: 'The body is not valid JSON' },
		});
	});

	it.each([
		['a missing field', '{}', "body must have required property 'name'", 'name'],
		['a wrong type', '{"name": 5}', 'body/name must be string', 'name'],
		['a field too many', '{"name":"a","x":1}', "body must not have 'x'", 'x'],
		['an array', '[]', 'body must be object', 'body'],
		['null', 'null', 'body must be object', 'body'],
		['a string', '"name"', 'body must be object', 'body'],
		['a number as text', '{"name":"a","size":"5"}', 'body/size must be integer', 'size'],
		['an empty text', '{"name":""}', 'body/name must NOT have fewer than 1 characters', 'name'],
	])('rejects a body that violates the contract: %s', async (_case, body, detail, field) => {
		expect(await post(body)).toEqual({
			status: 400,
			body: { error: 400, kind: 'contract', detail, fields: [field] },
		});
	});

	it('names every violation in one response', async () => {
		const { body } = await post('{"size":"5"}');
		expect(body.fields.sort()).toEqual(['name', 'size']);
	});

	it.each([
		['/things?limit=many', 'query/limit must be integer'],
		['/things?limit=0', 'query/limit must be >= 1'],
		['/things?limit=1.5', 'query/limit must be integer'],
		['/things?limit=1&limit=2', 'query/limit must be integer'],
		['/things?after=yesterday', 'query/after must match format "date-time"'],
		['/things?after=2026-02-30T00:00:00Z', 'query/after must match format "date-time"'],
		['/things?force=perhaps', 'query/force must be boolean'],
		['/things?unknown=1', "query must not have 'unknown'"],
		['/things/abc', 'path/id must be integer'],
	])('rejects the path %s with the reason: %s', async (path, detail) => {
		const { status, body } = await send(path);
		expect([status, body.kind, body.detail]).toEqual([400, 'contract', detail]);
	});

	it('rejects other JSON values where the contract requires a bare integer', async () => {
		for (const body of ['"5"', '5.5', '{}', 'true']) {
			const { status } = await send('/counts/search', { method: 'POST', headers: json, body });
			expect([body, status]).toEqual([body, 400]);
		}
	});

	it('rejects a missing body if one is required', async () => {
		const { status, body } = await send('/things', { method: 'POST', headers: json });
		expect([status, body.kind, body.fields]).toEqual([400, 'contract', ['body']]);
	});

	it('rejects a body of another content type with the status that the service chooses', async () => {
		const textResponse = await post('name', { 'content-type': 'text/plain' });
		expect([textResponse.status, textResponse.body.kind]).toEqual([415, 'media-type']);
		const untypedResponse = await post(Buffer.from('{}'), {});
		expect(untypedResponse.status).toBe(415);
		const jwtResponse = await send('/things/1', { method: 'PUT', headers: json, body: '{}' });
		expect(jwtResponse.status).toBe(405);
	});

	it('rejects a missing or wrong key before it checks the body', async () => {
		for (const headers of [{ 'x-key': '' }, { 'x-key': 'guess' }]) {
			const { status, body } = await send('/things', {
				method: 'POST',
				headers: { ...json, ...headers },
				body: '{',
			});
			expect([status, body]).toEqual([401, { error: 401, detail: 'Who are you?' }]);
		}
	});

	it('rejects unknown paths and paths that cannot be decoded', async () => {
		for (const path of ['/nothing', '/things/1/2', '/', '', '/things/1/']) {
			const { status, body } = await send(path);
			expect([path, status, body.kind]).toEqual([path, 404, 'unknown-route']);
		}
		const { status, body } = await send('/things/%zz');
		expect([status, body.error]).toEqual([400, 400]);
	});

	it('rejects names of built-in JavaScript properties in queries, bodies and paths', async () => {
		expect((await send('/things?__proto__=1')).status).toBe(400);
		expect((await send('/things?constructor=1')).status).toBe(400);
		expect((await post('{"name":"a","__proto__":{"x":1}}')).status).toBe(400);
		expect((await send('/__proto__')).status).toBe(404);
	});
});

describe('a large request', () => {
	it('with a body of 10 MB is answered with 413, and the client receives the response', async () => {
		const largeBody = JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) });
		for (let i = 0; i < 3; i++) {
			const { status, body } = await post(largeBody);
			expect([status, body.kind]).toEqual([413, 'too-large']);
		}
	});

	it('is accepted with a body of 1 MB, and rejected with one byte more', async () => {
		const emptyBodyLength = JSON.stringify({ name: '' }).length;
		const body = (size: number) => JSON.stringify({ name: 'x'.repeat(size - emptyBodyLength) });
		expect((await post(body(1024 * 1024))).status).toBe(201);
		expect((await post(body(1024 * 1024 + 1))).status).toBe(413);
	});

	it('with deeply nested JSON is rejected without a crash', async () => {
		const { status } = await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
		expect(status).toBe(400);
	});

	it('with a long URL is rejected, and the sandbox keeps running', async () => {
		const longUrlResponse = await fetch(
			`${sandbox.addresses.passwordlessIdentity}/things/${'9'.repeat(60_000)}`,
		);
		expect([414, 431]).toContain(longUrlResponse.status);
		const { status } = await send(`/things/${'9'.repeat(4000)}`);
		expect([400, 404]).toContain(status);
	});
});

describe('broken connections to the sandbox', () => {
	it('do not stop it when a client disconnects in the middle of a body', async () => {
		const { port } = new URL(sandbox.url);
		for (let i = 0; i < 20; i++) {
			const socket = connect(Number(port), '127.0.0.1');
			await new Promise((resolve) => socket.once('connect', resolve));
			socket.write(
				'POST /identity/things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
					'content-length: 1000\r\n\r\n{"name":',
			);
			await new Promise((resolve) => setTimeout(resolve, 2));
			socket.destroy();
		}
	});

	it('do not stop it when a client sends bytes that are not HTTP', async () => {
		const { port } = new URL(sandbox.url);
		const socket = connect(Number(port), '127.0.0.1');
		socket.on('error', () => undefined);
		const closed = new Promise((resolve) => socket.once('close', resolve));
		socket.write('\x16\x03\x01\x00\xa5 hello\r\n\r\n');
		socket.resume();
		await closed;
	});
});

it('the sandbox responds to any request with its own error format or success', async () => {
	const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.json());
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
			fc.array(fc.oneof(text, fc.constantFrom('things', 'codes', 'counts', 'search')), {
				maxLength: 4,
			}),
			fc.dictionary(text, text, { maxKeys: 3 }),
			fc.constantFrom('application/json', 'application/jwt', 'text/plain', 'what/ever', 'nonsense'),
			text,
			async (method, segments, query, contentType, body) => {
				// Through bytes and back: lone surrogates cannot be encoded.
				const wellFormed = (value: string) => Buffer.from(value).toString();
				const encode = (value: string) => encodeURIComponent(wellFormed(value));
				const search = Object.entries(query).map(([a, b]) => `${encode(a)}=${encode(b)}`);
				const path = `/${segments.map(encode).join('/')}?${search.join('&')}`;
				const response = await fetch(sandbox.addresses.passwordlessIdentity + path, {
					method,
					headers: { ...keyHeader, 'content-type': contentType },
					...(method === 'GET' ? {} : { body: wellFormed(body) }),
				});
				const responseText = await response.text();
				expect(response.status).not.toBe(500);
				expect(responseText).not.toMatch(/\bat .*\.(ts|js):\d+/);
				if (response.status >= 400) {
					expect(JSON.parse(responseText)).toMatchObject({ error: expect.any(Number) });
				}
			},
		),
		{ numRuns: 300 },
	);
});
