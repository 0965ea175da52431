import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { sendJson } from '../../support/toy';
import type { ToyServer } from '../../support/toy';
import { openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

const { fingerprint } = deriveDemoKey('somebody');
let rig: IdentityRig;
let server: ToyServer;
beforeAll(async () => {
	rig = await openIdentityRig();
	server = await rig.startToy();
	rig.changeCredential({ baseUrl: server.url });
});
afterAll(async () => await rig.close());

const get = async (options = {}) => await rig.operate('key', 'get', { fingerprint, options });

/** Caches the key, then ends it at the issuer. */
const cacheThenEndElsewhere = async (status: number) => {
	server.respondWith((_, response) => sendJson(response, 200, { sub: fingerprint }));
	expect((await get({ skipCache: true })).outputItems).toEqual([{ fingerprint }]);
	server.respondWith((_, response) => sendJson(response, status, { status: 'gone-elsewhere' }));
	expect((await get()).outputItems).toEqual([{ fingerprint }]);
};

describe.each([404, 410])('a cached key for which the issuer now responds %d', (status) => {
	it('a fresh Get removes the key from the cache', async () => {
		await cacheThenEndElsewhere(status);
		expect((await get({ skipCache: true })).error).toBeDefined();
		expect((await get()).error).toBeDefined();
	});

	it('Check removes the key from the cache', async () => {
		await cacheThenEndElsewhere(status);
		expect(await rig.getOutput('key', 'check', { fingerprint: ` ${fingerprint} ` })).toEqual({
			fingerprint,
			exists: false,
			revoked: status === 410,
		});
		expect((await get()).error).toBeDefined();
	});
});

it('a cached key stays in the cache after Check has found it', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { sub: fingerprint }));
	await get({ skipCache: true });
	await rig.getOutput('key', 'check', { fingerprint });
	await get();
	expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'HEAD']);
});
