// Protects the setup of the credential: its test passes only for a two-factor service with this key, and sends no message.
import axios from 'axios';
import type { ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';

import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { sendJson, startToyServer } from '../../support/toy';
import { DEMO_ID, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();

/** n8n offers credential tests only this helper. Here axios sends the request. */
const helpers = {
	request: async ({ uri, headers }: { uri: string; headers: Record<string, string> }) => {
		const {
			status,
			data,
			headers: responseHeaders,
		} = await axios.get(uri, {
			headers,
			maxRedirects: 0,
			validateStatus: () => true,
			transformResponse: (text: string) => text,
		});
		return { statusCode: status, headers: responseHeaders, body: data };
	},
};
const testCredential = async (changes: object = {}) => {
	const data = { ...rig.kit.credentialData.twoFactorApi, ...changes };
	const credential = { id: '1', name: 'x', type: 'twoFactorApi', data } as ICredentialsDecrypted;
	const context = { helpers } as unknown as ICredentialTestFunctions;
	return await new TwoFactor().methods.credentialTest.twoFactorApiTest.call(context, credential);
};

describe('the test of the credential', () => {
	it('passes with the right key, and sends no message', async () => {
		expect(await testCredential()).toMatchObject({ status: 'OK' });
		expect(rig.sandbox.requestLog.counts().twoFactor).toEqual({ getApplicationDetails: 1 });
	});

	it.each<[string, object, RegExp]>([
		['a wrong key', { apiKey: 'wrong' }, /rejects this key: Invalid API key.*Header Name/],
		['a wrong header', { headerName: 'X-Other' }, /rejects this key/],
		['no address', { baseUrl: '' }, /'Base URL' in the credential is missing/],
		['an address without a server', { baseUrl: 'http://127.0.0.1:1' }, /couldn't be reached/],
	])('fails with a message about %s', async (_, changes, expectedMessage) => {
		const { status, message } = await testCredential(changes);
		expect(status).toBe('Error');
		expect(message).toMatch(expectedMessage);
	});

	it('fails if another service responds with 200', async () => {
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

	it('fails with a message if the account is suspended', async () => {
		rig.sandbox.settings.twoFactor.suspended = true;
		expect((await testCredential()).message).toMatch(/suspended.*resolve it with the provider/i);
	});
});

describe('the API key', () => {
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
