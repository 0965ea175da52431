// Protects a user who saves a credential: a wrong URL, server or key is reported with its cause, and a correct one passes.
// The message never contains the key.
import 'reflect-metadata';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, ICredentialTestFunction } from 'n8n-workflow';

import { packServices } from '../support/pack';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { sendJson, startToyServer } from '../support/toy';
import type { ToyServer } from '../support/toy';

let rig: Rig;
let elsewhere: ToyServer;
beforeAll(async () => {
	rig = await openRig();
	elsewhere = await startToyServer();
});
afterAll(async () => {
	await elsewhere.close();
	await rig.close();
});

const withKey = packServices.filter(({ service }) => service.secretFields.includes('apiKey'));

/** Tries a credential out the way n8n does when a user saves it. */
async function tryOut(
	{ Node, service }: (typeof packServices)[number],
	changes: ICredentialDataDecryptedObject = {},
) {
	const node = new Node();
	const { testedBy } = node.description.credentials!.find(
		({ name }) => name === service.credentialType,
	)!;
	const test = node.methods!.credentialTest![testedBy as string] as ICredentialTestFunction;
	const data = { ...rig.kit.credentialData[service.credentialType], ...changes };
	const type = service.credentialType;
	return await test.call(new CredentialTestContext(), { id: '1', name: type, type, data });
}

describe.each(packServices)('the credential for $name', (part) => {
	it('passes with the right URL and key', async () => {
		expect(await tryOut(part)).toMatchObject({ status: 'OK' });
	});

	it('passes with a slash at the end of the URL', async () => {
		const { baseUrl } = rig.kit.credentialData[part.service.credentialType]!;
		expect(await tryOut(part, { baseUrl: `${baseUrl}/` })).toMatchObject({ status: 'OK' });
	});

	it('reports a URL without a server', async () => {
		const { status, message } = await tryOut(part, { baseUrl: 'http://127.0.0.1:1' });
		expect(status).toBe('Error');
		expect(message).toMatch(/couldn't be reached.*Base URL/);
	});

	it('reports a text that is not a URL', async () => {
		const { status, message } = await tryOut(part, { baseUrl: 'my service' });
		expect(status).toBe('Error');
		expect(message).toMatch(/not a web address/);
	});

	it('reports a web page', async () => {
		elsewhere.respondWith((_, response) => {
			response.writeHead(200, { 'content-type': 'text/html' });
			response.end('<html><body>Hello</body></html>');
		});
		const { status, message } = await tryOut(part, { baseUrl: elsewhere.url });
		expect(status).toBe('Error');
		expect(message).toMatch(/web page/);
	});

	it.each([
		['a 404 of some other server', 404, { error: 'Not Found' }],
		['a 200 of some other API', 200, { hello: 'world' }],
		['a 200 with a text', 200, 'ok'],
	])('reports %s', async (_, code, body) => {
		elsewhere.respondWith((_request, response) => sendJson(response, code, body));
		const { status, message } = await tryOut(part, { baseUrl: elsewhere.url });
		expect(status).toBe('Error');
		expect(message).toMatch(/doesn't answer like/);
	});

	it('reports a redirect, and does not follow it', async () => {
		elsewhere.respondWith((request, response) => {
			response.writeHead(308, { location: `http://127.0.0.1:1/moved${request.url}` });
			response.end();
		});
		const { status, message } = await tryOut(part, { baseUrl: elsewhere.url });
		expect(status).toBe('Error');
		expect(message).toContain("enter http://127.0.0.1:1/moved as 'Base URL' in the credential");
	});

	it('reports a rate limit without blaming the key or naming an option', async () => {
		elsewhere.respondWith((_, response) => sendJson(response, 429, {}, { 'retry-after': '3600' }));
		const { status, message } = await tryOut(part, { baseUrl: elsewhere.url });
		expect(status).toBe('Error');
		expect(message).toMatch(/ is busy\. Test again in 60 minutes\. The key may be right\.$/);
	});

	it('reports an unavailable service', async () => {
		elsewhere.respondWith((_, response) => sendJson(response, 503, {}));
		const { status, message } = await tryOut(part, { baseUrl: elsewhere.url });
		expect(status).toBe('Error');
		expect(message).toMatch(/is unavailable/);
	});
});

describe.each(withKey)('the key for $name', (part) => {
	it('is reported as wrong, and not repeated in the message', async () => {
		const { status, message } = await tryOut(part, { apiKey: 'wrong-key-0123456789' });
		expect(status).toBe('Error');
		expect(message).toMatch(/rejects this key/);
		expect(message).not.toContain('wrong-key-0123456789');
		expect(message).not.toContain('..');
		const hasPrefix = new part.Credential().properties.some(({ name }) => name === 'prefix');
		expect(/'Prefix'/.test(message)).toBe(hasPrefix);
	});

	it('is sent in the header that the credential names', async () => {
		elsewhere.respondWith((_, response) => sendJson(response, 401, {}));
		await tryOut(part, {
			baseUrl: elsewhere.url,
			apiKey: ' k-1 ',
			headerName: 'X-Own-Header',
			prefix: '',
		});
		expect(elsewhere.requests[0]!.headers['x-own-header']).toBe('k-1');
	});

	it('is not repeated in the message if it was copied with white space around it', async () => {
		elsewhere.respondWith((request, response) => {
			const sent = `The key ${request.headers['x-own-header'] as string} is wrong`;
			sendJson(response, 401, { message: sent, Message: sent });
		});
		const { message } = await tryOut(part, {
			baseUrl: elsewhere.url,
			apiKey: ' sk-blank-K3Y-777\n',
			headerName: 'X-Own-Header',
			prefix: '',
		});
		expect(message).toContain('The key ••• is wrong');
		expect(message).not.toContain('sk-blank-K3Y-777');
	});

	it('with an invalid header name is reported, and nothing is sent', async () => {
		elsewhere.respondWith((_, response) => sendJson(response, 200, {}));
		const { status, message } = await tryOut(part, {
			baseUrl: elsewhere.url,
			headerName: 'X API Key',
		});
		expect(status).toBe('Error');
		expect(message).toMatch(/Check 'Header Name'.*in the credential.*Nothing was sent/);
		expect(elsewhere.requests).toHaveLength(0);
	});
});
