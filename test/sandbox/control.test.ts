// Protects tests that control the sandbox: clock, settings, actions and reset have their effect, the log shows no secret.
import { shareSandbox } from '../support/sandbox';
import { thingService, keyHeader } from './core.fixture';

const sandbox = shareSandbox({ services: [thingService] });
beforeEach(() => sandbox.reset());

const callService = (path: string, init: RequestInit = {}) =>
	fetch(sandbox.addresses.passwordlessIdentity + path, {
		...init,
		headers: { ...keyHeader, ...init.headers },
	});

async function callControl(method: string, path: string, body?: unknown) {
	const response = await fetch(sandbox.controlUrl + path, {
		method,
		...(body === undefined
			? {}
			: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
	});
	return { status: response.status, body: await response.json() };
}

describe('the clock', () => {
	it('moves forward for handlers too, and a reset moves it back to the real time', async () => {
		const before = Date.now();
		await callControl('POST', '/clock', { advanceSeconds: 3600 });
		await callControl('POST', '/clock', { advanceMs: 500 });
		const { body } = await callControl('GET', '/clock');
		const { now } = (await (await callService('/things')).json()) as { now: number };
		for (const time of [body.now, now, sandbox.clock.now()]) {
			expect(time - before).toBeGreaterThanOrEqual(3_600_500);
			expect(time - before).toBeLessThan(3_660_000);
		}
		expect(Date.parse(body.iso)).toBe(body.now);
		sandbox.reset();
		expect(sandbox.clock.now() - Date.now()).toBeLessThan(60_000);
	});

	it.each([
		{},
		{ advanceMs: -1 },
		{ advanceMs: '5' },
		{ advanceMs: 1, advanceSeconds: 1 },
		{ to: 1 },
	])('rejects the input %j', async (input) => {
		expect((await callControl('POST', '/clock', input)).status).toBe(400);
	});

	it('throws if a caller in the same process moves it back', () => {
		expect(() => sandbox.clock.advance(-1)).toThrow('only moves forward');
		expect(() => sandbox.clock.advance(NaN)).toThrow('only moves forward');
	});
});

describe('the request log', () => {
	it('records every request with its operation and status', async () => {
		await callService('/things/1');
		await callService('/things/9');
		await callService('/things?limit=5');
		await callService('/things', { headers: { 'x-key': 'wrong' } });
		const { body } = await callControl('GET', '/request-log');
		expect(body).toEqual([
			expect.objectContaining({ operationId: 'getThing', path: '/identity/things/1', status: 200 }),
			expect.objectContaining({ operationId: 'getThing', path: '/identity/things/9', status: 404 }),
			expect.objectContaining({ operationId: 'getThings', query: { limit: '5' }, status: 200 }),
			expect.objectContaining({ operationId: 'getThings', status: 401, method: 'GET' }),
		]);
		expect(body[0].at).toBeGreaterThan(Date.now() - 10_000);
		expect((await callControl('GET', '/request-log?operation=getThing')).body).toHaveLength(2);
		expect((await callControl('GET', '/request-log?service=twoFactor')).body).toEqual([]);
		expect((await callControl('GET', '/request-log/counts')).body).toEqual({
			passwordlessIdentity: { getThing: 2, getThings: 2 },
		});
		expect(sandbox.requestLog.count('passwordlessIdentity', 'getThing')).toBe(2);
		expect(sandbox.requestLog.count('passwordlessIdentity')).toBe(4);
		expect(sandbox.requestLog.count('twoFactor', 'getThing')).toBe(0);
	});

	it('contains no key, no body and no one-time code', async () => {
		await callService(
			'/codes/918273/77?secret=s3cr3tA&code=445566&verification_code=332211&api_key=k3y5&page=2',
		);
		await callService('/nowhere/646464/qWe-RtY?token=858585');
		await callService('/things', {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ name: 'private-thing' }),
		});
		await callService('/things/1', {
			method: 'PUT',
			headers: { 'content-type': 'application/jwt' },
			body: 'head.claims.signature',
		});
		const { body } = await callControl('GET', '/request-log');
		expect(body[0]).toMatchObject({
			path: '/identity/codes/…/77',
			query: { secret: '…', code: '…', verification_code: '…', api_key: '…', page: '2' },
		});
		expect(body[1]).toMatchObject({ path: '/identity/nowhere/…/…', query: {}, status: 404 });
		expect(body).toHaveLength(4);
		expect(JSON.stringify(body)).not.toMatch(
			/918273|s3cr3tA|445566|332211|k3y5|646464|qWe|858585|private-thing|claims|a-very-secret-key/,
		);
	});

	it('keeps the newest 10,000 entries and still counts every request', async () => {
		const { requestLog } = sandbox;
		const entry = { service: 'twoFactor', method: 'GET', path: '/', query: {} } as const;
		for (let i = 0; i < 45_000; i++) requestLog.add({ ...entry, at: i, operationId: 'many' });
		expect(requestLog.entries()).toHaveLength(10_000);
		expect(requestLog.entries().at(-1)?.at).toBe(44_999);
		expect(requestLog.entries()[0]?.at).toBe(35_000);
		expect(requestLog.count('twoFactor', 'many')).toBe(45_000);
	});
});

describe('the settings of a service', () => {
	it('can be changed one by one, apply at once, and have their defaults again after a reset', async () => {
		expect((await callControl('GET', '/settings')).body.passwordlessIdentity.greeting).toBe(
			'hello',
		);
		const { body } = await callControl('PUT', '/settings/passwordlessIdentity', {
			greeting: 'hi',
			form: 'jwt',
		});
		expect(body).toEqual({ greeting: 'hi', form: 'jwt', limit: 3, open: true, note: null });
		expect(sandbox.settings.passwordlessIdentity.greeting).toBe('hi');
		sandbox.settings.passwordlessIdentity.limit = 9;
		expect((await callControl('GET', '/settings')).body.passwordlessIdentity.limit).toBe(9);
		await callControl('POST', '/reset');
		expect(sandbox.settings.passwordlessIdentity).toEqual({
			greeting: 'hello',
			form: 'json',
			limit: 3,
			open: true,
			note: null,
		});
		expect(await (await callService('/things/1')).json()).toEqual({ id: 1, name: 'hello' });
	});

	it.each([
		[{ gretting: 'x' }, "no setting 'gretting'; it has: greeting, form, limit, open, note"],
		[{ limit: '3' }, "'limit' must be a number"],
		[{ open: 1 }, "'open' must be a boolean"],
		[{ form: 'xml' }, "'form' must be one of json, jwt"],
		[{ note: {} }, "'note' must be"],
		[[], 'must be a JSON object'],
	])('reject the change %j and keep their values', async (changes, text) => {
		const { status, body } = await callControl('PUT', '/settings/passwordlessIdentity', changes);
		expect(status).toBe(400);
		expect(body.error).toContain(text);
		const mixed = await callControl('PUT', '/settings/passwordlessIdentity', {
			greeting: 'x',
			nope: 1,
		});
		expect(mixed.status).toBe(400);
		expect(sandbox.settings.passwordlessIdentity.greeting).toBe('hello');
	});

	it('are not found for an unknown service', async () => {
		expect((await callControl('PUT', '/settings/nobody', {})).status).toBe(404);
	});
});

describe('actions of a service', () => {
	it('run over HTTP and in the same process', async () => {
		const { body } = await callControl('POST', '/passwordlessIdentity/rename', {
			id: 1,
			name: 'other',
		});
		expect(body).toEqual({ id: 1, name: 'other' });
		expect(await (await callService('/things/1')).json()).toEqual({ id: 1, name: 'other' });
		sandbox.control('passwordlessIdentity', 'rename', { id: 1, name: 'third' });
		expect(await (await callService('/things/1')).json()).toEqual({ id: 1, name: 'third' });
		expect((await callControl('POST', '/passwordlessIdentity/quiet')).body).toEqual({
			status: 'done',
		});
	});

	it('report invalid input', async () => {
		expect(await callControl('POST', '/passwordlessIdentity/rename', { id: 5 })).toEqual({
			status: 400,
			body: { error: 'There is no thing 5' },
		});
		expect(await callControl('POST', '/passwordlessIdentity/destroy', {})).toEqual({
			status: 404,
			body: { error: "'passwordlessIdentity' has no action 'destroy'; it has: rename, quiet" },
		});
		expect((await callControl('POST', '/passwordlessIdentity/constructor', {})).status).toBe(404);
		expect((await callControl('POST', '/passwordlessIdentity/rename', [1])).status).toBe(400);
		expect(() => sandbox.control('passwordlessIdentity', 'rename', { id: 5 })).toThrow(
			'There is no thing 5',
		);
	});
});

it('a reset restores the stored records and the clock, and clears the request log, the fault rules and the phone', async () => {
	await callService('/things', {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ name: 'new' }),
	});
	sandbox.faultRules.add({ service: 'passwordlessIdentity', kind: '500' });
	const hourMs = 3_600_000;
	sandbox.clock.advance(hourMs);
	expect((await callControl('POST', '/reset')).body).toEqual({ status: 'reset' });
	expect(sandbox.requestLog.entries()).toEqual([]);
	expect(sandbox.faultRules.rules()).toEqual([]);
	expect(sandbox.clock.now() - Date.now()).toBeLessThan(hourMs / 2);
	expect((await callService('/things/2')).status).toBe(404);
	expect((await callService('/things/1')).status).toBe(200);
	// Only the message that the service itself delivers on reset exists.
	expect(sandbox.world.phone.items().map(({ id }) => id)).toEqual(['welcome']);
});

it('an unknown control path returns 404', async () => {
	expect((await callControl('GET', '/nothing')).status).toBe(404);
});
