// Protects users from outdated keys: the cache drops a key as soon as Get or Check learns that the issuer no longer has it.
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

const getKey = async (options = {}) => await rig.operate('key', 'get', { fingerprint, options });

/** Caches the key, then makes the issuer respond with this status for it. */
const cacheThenRemoveAtIssuer = async (status: number) => {
	server.respondWith((_, response) => sendJson(response, 200, { sub: fingerprint }));
	expect((await getKey({ skipCache: true })).outputItems).toEqual([{ fingerprint }]);
	const type = `x/${status === 404 ? 'unknown' : 'revoked'}-key`;
	server.respondWith((_, response) => sendJson(response, status, { error: status, type }));
	expect((await getKey()).outputItems).toEqual([{ fingerprint }]);
};

describe.each([404, 410])('a cached key for which the issuer now responds %d', (status) => {
	it('is removed from the cache by Get with Skip Cache', async () => {
		await cacheThenRemoveAtIssuer(status);
		expect((await getKey({ skipCache: true })).error).toBeDefined();
		expect((await getKey()).error).toBeDefined();
	});

	it('is removed from the cache by Check', async () => {
		await cacheThenRemoveAtIssuer(status);
		expect(await rig.getOutput('key', 'check', { fingerprint: ` ${fingerprint} ` })).toEqual({
			fingerprint,
			exists: false,
			revoked: status === 410,
		});
		expect((await getKey()).error).toBeDefined();
	});
});

it('a cached key remains in the cache if Check finds it at the issuer', async () => {
	server.respondWith((_, response) => sendJson(response, 200, { sub: fingerprint }));
	await getKey({ skipCache: true });
	await rig.getOutput('key', 'check', { fingerprint });
	await getKey();
	expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'HEAD']);
});
