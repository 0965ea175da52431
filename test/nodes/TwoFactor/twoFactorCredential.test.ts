import axios from 'axios';
import type { ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';

import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { sendJson, startToyServer } from '../../support/toy';
import { DEMO_ID, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();

/** n8n gives credential tests only this one helper; it is played by axios here. */
const helpers = {
	request: async ({ uri, headers }: { uri: string; headers: Record<string, string> }) => {
		const { status, data, ...answer } = await axios.get(uri, {
			headers,
			maxRedirects: 0,
			validateStatus: () => true,
			transformResponse: (text: string) => text,
		});
		return { statusCode: status, headers: answer.headers, body: data };
	},
};
const testCredential = async (change: object = {}) => {
	const data = { ...rig.kit.credentialData.twoFactorApi, ...change };
	const credential = { id: '1', name: 'x', type: 'twoFactorApi', data } as ICredentialsDecrypted;
	const context = { helpers } as unknown as ICredentialTestFunctions;
	return await new TwoFactor().methods.credentialTest.twoFactorApiTest.call(context, credential);
};

describe('testing the credential', () => {
	it('the right key passes, and no message is sent', async () => {
		expect(await testCredential()).toMatchObject({ status: 'OK' });
		expect(rig.sandbox.requestLog.counts().twoFactor).toEqual({ getApplicationDetails: 1 });
	});

	it.each<[string, object, RegExp]>([
		['a wrong key', { apiKey: 'wrong' }, /rejects this key: Invalid API key.*Header Name/],
		['a wrong header', { headerName: 'X-Other' }, /rejects this key/],
		['no address', { baseUrl: '' }, /'Base URL' in the credential is missing/],
		['nobody there', { baseUrl: 'http://127.0.0.1:1' }, /couldn't be reached/],
	])('the test fails with the reason: %s', async (_, change, expectedMessage) => {
		const { status, message } = await testCredential(change);
		expect(status).toBe('Error');
		expect(message).toMatch(expectedMessage);
	});

	it('the test fails if another service responds with 200', async () => {
		const { message } = await testCredential({ baseUrl: rig.sandbox.addresses.eventData });
		expect(message).not.toMatch(/works/);
		const server = await startToyServer();
		for (const body of [{}, { success: false, app: {} }, { success: true }, []]) {
			server.respondWith((_, response) => sendJson(response, 200, body));
			expect((await testCredential({ baseUrl: server.url })).status).toBe('Error');
		}
		server.respondWith((_, response) =>
			sendJson(response, 200, { success: 'true', app: { name: 'x' } }),
		);
		expect((await testCredential({ baseUrl: server.url })).status).toBe('OK');
		await server.close();
	});

	it('the test fails with a message if the account is suspended', async () => {
		rig.sandbox.settings.twoFactor.suspended = true;
		expect((await testCredential()).message).toMatch(/suspended.*resolve it with the provider/i);
	});
});

describe('the key', () => {
	it('is sent in the header that the credential names', async () => {
		const server = await startToyServer();
		server.respondWith((_, response) => sendJson(response, 200, { success: true, status: {} }));
		rig.changeCredential({ baseUrl: server.url, headerName: 'X-Brand-API-Key', apiKey: 'k-123' });
		await rig.operate('user', 'getStatus', { twofactorId: DEMO_ID });
		expect(server.requests[0]!.headers).toMatchObject({ 'x-brand-api-key': 'k-123' });
		expect(server.requests[0]!.headers).not.toHaveProperty('x-twofactor-api-key');
		await server.close();
	});
});
