import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox/server';
import { startSandbox } from '../../sandbox/server';
import { Host } from './host';

let sandbox: Sandbox;
let host: Host;
beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 1 });
});
afterAll(async () => await sandbox.close());
afterEach(async () => await host.close());

const SECRET = 'Sesame-öffne-dich-1234';
/** Headers carry Latin letters only. */
const encode = (text: string) => text.replace('ö', 'oe');
const SECRET_ASCII = 'Sesame-oeffne-dich-1234';

/** Starts a trigger that takes ids, with a secret if given. */
async function open(secret = ''): Promise<void> {
	host = new Host(sandbox, [{ type: 'twoFactorTrigger', parameters: { acceptNewIds: true } }]);
	host.secrets.twoFactorApi!.triggerSecret = secret;
	await host.start();
}

describe('the secret', () => {
	it('is demanded when the credential has one', async () => {
		await open(SECRET);
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
		host.secrets.twoFactorApi!.triggerSecret = SECRET_ASCII;
		await host.stop();
		await host.start();
		expect((await host.post({ id: 'a' }, { headers })).status).toBe(200);
	});

	it('can be changed in n8n while the trigger runs, with nothing to watch', async () => {
		await open(SECRET);
		host.secrets.twoFactorApi!.triggerSecret = 'Sesame-5678';
		const post = async () =>
			await host.post({ id: 'a' }, { headers: { 'X-Gatehouse-Secret': 'Sesame-5678' } });
		await delay(1100);
		expect((await post()).status).toBe(200);
		// Wrong ones do not make it read the credential each time.
		const { readings } = host;
		const wrong = { headers: { 'X-Gatehouse-Secret': 'Sesame' } };
		for (let time = 0; time < 20; time++) expect((await host.post({}, wrong)).status).toBe(403);
		expect(host.readings - readings).toBeLessThanOrEqual(2);
	});

	it('is not demanded when the credential has none', async () => {
		await open();
		const headers = { 'X-Gatehouse-Secret': 'whatever' };
		expect((await host.post({ id: 'a' }, { headers })).status).toBe(200);
	});

	it('is checked before the body is read, so that nobody learns anything without it', async () => {
		await open(SECRET);
		expect((await host.post({ no: 'id' })).status).toBe(403);
	});
});
