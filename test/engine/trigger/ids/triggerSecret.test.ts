import { setTimeout as delay } from 'node:timers/promises';

import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
let host: TriggerHost;
afterEach(async () => await host.close());

const SECRET = 'Sesame-öffne-dich-1234';
/** Headers carry Latin letters only. */
const encode = (text: string) => text.replace('ö', 'oe');
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
		await openTrigger(SECRET);
		for (const headers of [
			{},
			{ 'X-Gatehouse-Secret': '' },
			{ 'X-Gatehouse-Secret': 'Sesame' },
			{ 'X-Gatehouse-Secret': encode(`${SECRET} `).slice(0, -1) + '5' },
		]) {
			const { status, body } = await host.post({ id: 'a' }, { headers: { ...headers } as never });
			expect(status).toBe(403);
			expect(JSON.stringify(body)).toContain('X-Gatehouse-Secret');
			expect(JSON.stringify(body)).not.toContain('Sesame');
		}
		const headers = { 'X-Gatehouse-Secret': SECRET_ASCII };
		host.credentialData.twoFactorApi!.triggerSecret = SECRET_ASCII;
		await host.stop();
		await host.start();
		expect((await host.post({ id: 'a' }, { headers })).status).toBe(200);
	});

	it('can be changed in n8n while the trigger runs, even without IDs to poll', async () => {
		await openTrigger(SECRET);
		host.credentialData.twoFactorApi!.triggerSecret = 'Sesame-5678';
		const post = async () =>
			await host.post({ id: 'a' }, { headers: { 'X-Gatehouse-Secret': 'Sesame-5678' } });
		await delay(1100);
		expect((await post()).status).toBe(200);
		// Wrong ones do not make it read the credential each time.
		const { credentialReads } = host;
		const wrong = { headers: { 'X-Gatehouse-Secret': 'Sesame' } };
		for (let time = 0; time < 20; time++) expect((await host.post({}, wrong)).status).toBe(403);
		expect(host.credentialReads - credentialReads).toBeLessThanOrEqual(2);
	});

	it('is required even if the node accepts anyone', async () => {
		await openTrigger(SECRET_ASCII, { acceptFromAnybody: true });
		expect((await host.post({ id: 'a' })).status).toBe(403);
	});

	it('is checked before the body is read, so that callers without it learn nothing', async () => {
		await openTrigger(SECRET);
		expect((await host.post({ no: 'id' })).status).toBe(403);
	});
});

describe.each([false, true])('without a secret (test URL: %s)', (test) => {
	const typed = { ids: 'typed' };

	it.each<Record<string, string>>([
		{},
		{ 'X-Gatehouse-Secret': '' },
		{ 'X-Gatehouse-Secret': 'whatever' },
	])('rejects a caller with %j, and names both ways to get access', async (headers) => {
		await openTrigger('', typed);
		const { status, body } = await host.post({ id: 'a' }, { headers, test });
		expect(status).toBe(403);
		expect(body.message).toMatch(/Trigger Secret.*Accept From Anyone/);
	});

	it('rejects a caller with an invalid signature', async () => {
		await openTrigger('', typed);
		const headers = { 'X-Gatehouse-Signature': 'whatever' };
		expect((await host.post({ id: 'a' }, { headers, test })).status).toBe(403);
	});

	it('accepts everyone if the node says so, except web pages', async () => {
		await openTrigger('', { ...typed, acceptFromAnybody: true });
		expect((await host.post({ id: 'a' }, { test })).status).toBe(200);
		for (const origin of ['https://evil.example', 'null']) {
			const { status, body } = await host.post({ id: 'b' }, { headers: { origin }, test });
			expect([status, body.message]).toEqual([403, expect.stringMatching(/web page.*Secret/)]);
		}
	});
});

describe.each([false, true])('a web page (test URL: %s)', (test) => {
	const origin = 'https://intranet.example';

	it('is accepted with the secret, and only with it', async () => {
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
	])('is rejected: %s', async (type) => {
		await openTrigger('', { ids: 'typed', acceptFromAnybody: true });
		const headers = { 'content-type': type };
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
	])('does not include the content type %s', async (type) => {
		await openTrigger('', { acceptFromAnybody: true });
		const headers = { 'content-type': type };
		expect((await host.post('{"id": "a"}', { headers, test })).status).toBe(200);
	});

	it('is also rejected if it is empty, with a message that says what is expected', async () => {
		await openTrigger('', { acceptFromAnybody: true });
		const response = await fetch(await host.webhookUrl(0, test), { method: 'POST' });
		expect(response.status).toBe(400);
	});
});
