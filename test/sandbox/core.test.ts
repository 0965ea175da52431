// Protects tests against the sandbox: no response violates the contract without being reported as a failure of the sandbox.
import { connect } from 'node:net';

import { serializeResponse } from '../../sandbox/sendResponse';
import { startSandbox } from '../../sandbox/server';
import { shareSandbox } from '../support/sandbox';
import { thingService, keyHeader } from './core.fixture';

const sandbox = shareSandbox({ services: [thingService] });
beforeEach(() => sandbox.reset());

const callService = (path: string, init: RequestInit = {}) =>
	fetch(sandbox.addresses.passwordlessIdentity + path, {
		...init,
		headers: { ...keyHeader, ...init.headers },
	});
const post = (path: string, body: unknown) =>
	callService(path, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

describe('the core of the sandbox', () => {
	it('passes query values to handlers in the types of the contract', async () => {
		const after = '2026-01-02T03:04:05Z';
		const response = await callService(
			`/things?limit=7&force=true&after=${encodeURIComponent(after)}`,
		);
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
		expect(await response.json()).toMatchObject({ query: { limit: 7, force: true, after } });
	});

	it('passes path values to handlers in the types of the contract', async () => {
		expect(await (await callService('/things/1')).json()).toEqual({ id: 1, name: 'hello' });
	});

	it('prefers the literal path over the template', async () => {
		expect(await (await callService('/things/form')).json()).toEqual({ Name: 'name' });
	});

	it('returns a record that was created before', async () => {
		expect((await post('/things', { name: 'Ünï', size: 3 })).status).toBe(201);
		expect(await (await callService('/things/2')).json()).toEqual({ id: 2, name: 'Ünï', size: 3 });
	});

	it('accepts a bare number as JSON and returns a bare list', async () => {
		expect(await (await post('/counts/search', 42)).json()).toEqual([42]);
	});

	it('responds to HEAD without a body, for success and for failure', async () => {
		const existingResponse = await callService('/things/1', { method: 'HEAD' });
		const missingResponse = await callService('/things/9', { method: 'HEAD' });
		expect([existingResponse.status, missingResponse.status]).toEqual([200, 404]);
		expect(await existingResponse.text()).toBe('');
		expect(await missingResponse.text()).toBe('');
	});

	it('responds to a deletion with 204 and no body', async () => {
		const response = await callService('/things/1', { method: 'DELETE' });
		expect([response.status, await response.text()]).toEqual([204, '']);
		expect((await callService('/things/1')).status).toBe(404);
	});

	it('passes JWT bodies and responses through as text', async () => {
		const response = await callService('/things/1', {
			method: 'PUT',
			headers: { 'content-type': 'application/jwt; charset=utf-8' },
			body: 'aaa.bbb.ccc',
		});
		expect(response.headers.get('content-type')).toMatch(/^application\/jwt/);
		expect(await response.text()).toBe('aaa.bbb.ccc');
	});

	it('writes a string as JSON only if the content type says so', () => {
		const serialize = (contentType?: string) =>
			serializeResponse({ status: 200, body: 'a.b', contentType });
		expect(serialize()).toMatchObject({ text: 'a.b', contentType: 'text/plain; charset=utf-8' });
		expect(serialize('application/jwt')).toMatchObject({
			text: 'a.b',
			contentType: 'application/jwt',
		});
		expect(serialize('application/json')).toMatchObject({ text: '"a.b"' });
	});

	it('responds 405 to another method and names the allowed methods', async () => {
		const response = await callService('/things/1', { method: 'PATCH' });
		expect(response.status).toBe(405);
		expect(response.headers.get('allow')?.split(', ').sort()).toEqual([
			'DELETE',
			'GET',
			'HEAD',
			'PUT',
		]);
		expect(await response.json()).toMatchObject({ error: 405, kind: 'method' });
	});
});

describe('a response that violates the contract', () => {
	it.each([
		['type', 'response/id must be integer'],
		['missing', "response must have required property 'name'"],
		['format', 'response/made must match format "date-time"'],
		['status', 'status 418 is not in the contract'],
		['media', 'text/csv is not in the contract for status 200'],
		['empty', 'status 200 needs a body'],
	])('becomes a 500 and is recorded (%s: %s)', async (how, reason) => {
		const response = await callService(`/broken/${how}`);
		expect(response.status).toBe(500);
		expect(await response.json()).toMatchObject({
			error: 500,
			kind: 'internal',
			detail: 'The sandbox was about to break its contract',
		});
		expect(sandbox.internalErrors).toEqual([
			expect.objectContaining({
				service: 'passwordlessIdentity',
				operationId: 'getBroken',
				errors: [reason],
			}),
		]);
	});

	it('becomes a 500 if its body is text', async () => {
		const response = await callService('/things/1', {
			method: 'PUT',
			headers: { 'content-type': 'application/jwt' },
			body: 'not a token',
		});
		expect(response.status).toBe(500);
		expect(sandbox.internalErrors).toHaveLength(1);
	});

	it('becomes a 500 without a stack trace if the handler throws', async () => {
		const response = await callService('/broken/throws');
		const text = await response.text();
		expect(response.status).toBe(500);
		expect(text).toContain('handler gave up');
		expect(text).not.toContain('core.fixture');
		expect(sandbox.internalErrors[0]?.message).toBe('The sandbox failed: handler gave up');
		expect(await (await fetch(`${sandbox.controlUrl}/internal-errors`)).json()).toHaveLength(1);
	});

	it('is logged in one line', async () => {
		const lines: string[] = [];
		const loggingSandbox = await startSandbox({
			services: [thingService],
			log: (line) => lines.push(line),
		});
		await fetch(`${loggingSandbox.addresses.passwordlessIdentity}/broken/type`, {
			headers: keyHeader,
		});
		await loggingSandbox.close();
		expect(lines).toEqual([
			'FAULT passwordlessIdentity getBroken: The sandbox was about to break its contract; response/id must be integer',
		]);
	});
});

describe('a sandbox', () => {
	it.each([
		['without handler [getForm]', (handlers: Record<string, unknown>) => delete handlers.getForm],
		[
			'not in the contract [more]',
			(handlers: Record<string, unknown>) => (handlers.more = () => 0),
		],
	])('fails to start if handlers and contract differ: %s', async (text, change) => {
		const differentService: typeof thingService = (world) => {
			const service = thingService(world);
			change(service.handlers);
			return service;
		};
		await expect(startSandbox({ services: [differentService] })).rejects.toThrow(text);
	});

	it('stops at once although a slow call, an idle connection and a phone are open', async () => {
		const otherSandbox = await startSandbox({ services: [thingService] });
		const { port } = new URL(otherSandbox.url);
		const idleSocket = connect(Number(port), '127.0.0.1');
		await new Promise((resolve) => idleSocket.once('connect', resolve));
		const idleClosed = new Promise((resolve) => idleSocket.once('close', resolve));
		idleSocket.on('error', () => undefined);
		otherSandbox.faultRules.add({ service: 'passwordlessIdentity', kind: 'slow', delayMs: 60_000 });
		const slowCall = fetch(`${otherSandbox.addresses.passwordlessIdentity}/things`, {
			headers: keyHeader,
		}).catch(() => 'cut');
		const phone = await fetch(`${otherSandbox.phoneUrl}/api/stream?phone=%2B15550100`);
		const phoneStream = phone.text().catch(() => 'cut');
		const startMs = Date.now();
		await otherSandbox.close();
		expect(Date.now() - startMs).toBeLessThan(20_000);
		expect(await slowCall).toBe('cut');
		expect(await phoneStream).toBe('cut');
		await idleClosed;
		await expect(fetch(otherSandbox.url)).rejects.toThrow();
	});

	it('shares no records and no request log with another sandbox', async () => {
		const otherSandbox = await startSandbox({ services: [thingService] });
		await post('/things', { name: 'here' });
		const otherResponse = await fetch(`${otherSandbox.addresses.passwordlessIdentity}/things/2`, {
			headers: keyHeader,
		});
		expect(otherResponse.status).toBe(404);
		expect(sandbox.requestLog.count('passwordlessIdentity')).toBe(1);
		expect(otherSandbox.requestLog.count('passwordlessIdentity')).toBe(1);
		await otherSandbox.close();
	});

	it('draws the same random values again after a reset', async () => {
		const otherSandbox = await startSandbox({ services: [thingService], seed: 7 });
		const drawValues = () => {
			const { random } = otherSandbox.world;
			return [random.uuid(), random.digits(6), random.int(1, 1000), random.text(43)];
		};
		const firstValues = drawValues();
		expect(drawValues()).not.toEqual(firstValues);
		otherSandbox.reset();
		expect(drawValues()).toEqual(firstValues);
		await otherSandbox.close();
	});
});
