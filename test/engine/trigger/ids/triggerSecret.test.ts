// Protects a trigger's webhook from outside callers: they need a secret unless the user allows all, and web pages always do.
import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
let host: TriggerHost;
afterEach(async () => await host.close());

const SECRET = 'Sesame-öffne-dich-1234';
/** A secret that a header can contain unchanged. */
const SECRET_ASCII = 'Sesame-oeffne-dich-1234';

/** Starts a trigger that accepts IDs, with or without a secret. */
async function openTrigger(secret = '', overrides = {}): Promise<void> {
	const parameters = { acceptNewIds: true, ...overrides };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	host.credentialData.twoFactorApi!.triggerSecret = secret;
	await host.start();
}

describe('the Trigger Secret', () => {
	it('is required if the credential has one', async () => {
		await openTrigger(SECRET_ASCII);
		for (const headers of [
			{},
			{ 'X-Gatehouse-Secret': '' },
			{ 'X-Gatehouse-Secret': 'Sesame' },
			{ 'X-Gatehouse-Secret': SECRET_ASCII.slice(0, -1) },
			{ 'X-Gatehouse-Secret': `${SECRET_ASCII}5` },
		]) {
			const { status, body } = await host.post({ id: 'a' }, { headers: { ...headers } as never });
			expect(status).toBe(403);
			expect(JSON.stringify(body)).toContain('X-Gatehouse-Secret');
			expect(JSON.stringify(body)).not.toContain('Sesame');
		}
		const headers = { 'X-Gatehouse-Secret': SECRET_ASCII };
		expect((await host.post({ id: 'a' }, { headers })).status).toBe(200);
	});

	it('can be changed in n8n while the trigger runs, even without IDs to poll', async () => {
		await openTrigger(SECRET);
		host.credentialData.twoFactorApi!.triggerSecret = 'Sesame-5678';
		const post = async () =>
			await host.post({ id: 'a' }, { headers: { 'X-Gatehouse-Secret': 'Sesame-5678' } });
		// Longer than `REJECTED_KEYS_MAX_AGE_MS`.
		await delay(1100);
		expect((await post()).status).toBe(200);
		// A wrong secret does not cause a read of the credential each time.
		const { credentialReads } = host;
		const wrongSecret = { headers: { 'X-Gatehouse-Secret': 'Sesame' } };
		for (let attempt = 0; attempt < 20; attempt++)
			expect((await host.post({}, wrongSecret)).status).toBe(403);
		expect(host.credentialReads - credentialReads).toBeLessThanOrEqual(2);
	});

	it('is required even if the node accepts IDs from anyone', async () => {
		await openTrigger(SECRET_ASCII, { acceptFromAnybody: true });
		expect((await host.post({ id: 'a' })).status).toBe(403);
	});

	it('is checked before the body is read, so that callers without it learn nothing', async () => {
		await openTrigger(SECRET);
		expect((await host.post({ no: 'id' })).status).toBe(403);
	});
});

describe.each([false, true])('a trigger without a secret (test URL: %s)', (test) => {
	const enteredIds = { ids: 'typed' };

	it.each<Record<string, string>>([
		{},
		{ 'X-Gatehouse-Secret': '' },
		{ 'X-Gatehouse-Secret': 'whatever' },
	])(
		'rejects a caller with the headers %j, and the message names both ways to get access',
		async (headers) => {
			await openTrigger('', enteredIds);
			const { status, body } = await host.post({ id: 'a' }, { headers, test });
			expect(status).toBe(403);
			expect(body.message).toMatch(/Trigger Secret.*Accept From Anyone/);
		},
	);

	it('rejects a caller with an invalid signature', async () => {
		await openTrigger('', enteredIds);
		const headers = { 'X-Gatehouse-Signature': 'whatever' };
		expect((await host.post({ id: 'a' }, { headers, test })).status).toBe(403);
	});

	it('accepts all callers except web pages if the node accepts IDs from anyone', async () => {
		await openTrigger('', { ...enteredIds, acceptFromAnybody: true });
		expect((await host.post({ id: 'a' }, { test })).status).toBe(200);
		for (const origin of ['https://evil.example', 'null']) {
			const { status, body } = await host.post({ id: 'b' }, { headers: { origin }, test });
			expect([status, body.message]).toEqual([403, expect.stringMatching(/web page.*Secret/)]);
		}
	});
});

describe.each([false, true])('a web page (test URL: %s)', (test) => {
	const origin = 'https://intranet.example';

	it('is accepted with the secret, and rejected with another one', async () => {
		await openTrigger(SECRET_ASCII);
		const post = async (secret: string) =>
			await host.post({ id: 'a' }, { headers: { origin, 'X-Gatehouse-Secret': secret }, test });
		expect((await post('whatever')).status).toBe(403);
		expect((await post(SECRET_ASCII)).status).toBe(200);
	});
});

describe.each([false, true])('a body that is not JSON (test URL: %s)', (test) => {
	it.each([
		'text/plain',
		'application/x-www-form-urlencoded',
		'application/jsonp',
		'application/octet-stream',
		'multipart/form-data; boundary=x',
		'text/plain; application/json',
	])('is rejected with 415: %s', async (contentType) => {
		await openTrigger('', { ids: 'typed', acceptFromAnybody: true });
		const headers = { 'content-type': contentType };
		const { status, body } = await host.post('{"id": "a"}', { headers, test });
		expect([status, body.message]).toEqual([
			415,
			expect.stringContaining('Content-Type: application/json'),
		]);
		expect(host.savedIds()).not.toContainEqual(expect.objectContaining({ id: 'a' }));
	});

	it.each([
		'application/json',
		'application/json; charset=utf-8',
		'Application/JSON ;charset=UTF-8',
	])('is not assumed for the content type %s', async (contentType) => {
		await openTrigger('', { acceptFromAnybody: true });
		const headers = { 'content-type': contentType };
		expect((await host.post('{"id": "a"}', { headers, test })).status).toBe(200);
	});

	it('is rejected with 400 if it is empty', async () => {
		await openTrigger('', { acceptFromAnybody: true });
		const response = await fetch(await host.webhookUrl(0, test), { method: 'POST' });
		expect(response.status).toBe(400);
	});
});
