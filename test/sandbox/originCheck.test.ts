// Protects users of the sandbox from foreign web pages: none reads a key, resets the sandbox or approves a request.
import { request } from 'node:http';
import { connect } from 'node:net';

import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { twoFactor } from '../../sandbox/twoFactor';
import { seededUserIds, TwoFactorClient } from './twoFactor.fixture';

let sandbox: Sandbox;
let namedSandbox: Sandbox;
let port: string;

beforeAll(async () => {
	sandbox = await startSandbox({ services: [twoFactor] });
	namedSandbox = await startSandbox({
		services: [twoFactor],
		names: ['sandbox', 'Host.Docker.Internal'],
	});
	({ port } = new URL(sandbox.url));
});
afterAll(async () => {
	await sandbox.close();
	await namedSandbox.close();
});
beforeEach(() => sandbox.reset());

interface HttpResult {
	status: number;
	text: string;
	headers: Record<string, unknown>;
}

/** Sends one request with exactly these headers. `fetch` would set Host itself. */
function send(
	url: string,
	headers: Record<string, string>,
	method = 'GET',
	body = '',
): Promise<HttpResult> {
	return new Promise((resolve, reject) => {
		const outgoing = request(url, { method, headers: { ...headers } }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
			response.on('end', () =>
				resolve({ status: response.statusCode!, text, headers: response.headers }),
			);
		});
		outgoing.on('error', reject);
		outgoing.end(body);
	});
}

const json = { 'content-type': 'application/json' };
const keyHeaders = () => {
	const { headerName, apiKey } = sandbox.demo.twoFactor;
	return { [headerName]: apiKey };
};

/** Lists a request to each part of the sandbox, and to paths that do not exist. */
const requestsToAllParts = () => [
	{ method: 'POST', url: `${sandbox.controlUrl}/reset` },
	{ method: 'GET', url: `${sandbox.controlUrl}/request-log` },
	{ method: 'GET', url: `${sandbox.url}/` },
	{ method: 'GET', url: `${sandbox.url}/start/api/overview` },
	{ method: 'GET', url: `${sandbox.phoneUrl}/` },
	{ method: 'GET', url: `${sandbox.phoneUrl}/api/demo` },
	{ method: 'GET', url: `${sandbox.phoneUrl}/api/stream` },
	{ method: 'GET', url: `${sandbox.phonesUrl}/` },
	{ method: 'GET', url: `${sandbox.phonesUrl}/api/people` },
	{ method: 'GET', url: `${sandbox.phonesUrl}/api/items` },
	{ method: 'GET', url: `${sandbox.phonesUrl}/api/stream` },
	{ method: 'GET', url: `${sandbox.deskUrl}/` },
	{ method: 'GET', url: `${sandbox.deskUrl}/api/stream` },
	{ method: 'POST', url: `${sandbox.deskUrl}/api/eventData/checkIn` },
	{ method: 'GET', url: `${sandbox.addresses.twoFactor}/protected/json/app/details` },
	{ method: 'OPTIONS', url: `${sandbox.addresses.twoFactor}/protected/json/app/details` },
	{ method: 'GET', url: `${sandbox.addresses.twoFactor}/nowhere` },
	{ method: 'GET', url: `${sandbox.url}/nowhere` },
];

/** Sends all these requests, and expects for each a 403 that contains the text and no secret. */
async function expectRejected(headers: Record<string, string>, expectedText: string) {
	for (const { method, url } of requestsToAllParts()) {
		const {
			status,
			text,
			headers: responseHeaders,
		} = await send(url, { ...keyHeaders(), ...headers }, method);
		expect([url, status]).toEqual([url, 403]);
		expect(Object.keys(responseHeaders).join()).not.toContain('access-control');
		const { error } = JSON.parse(text) as { error: string };
		expect(error).toContain(expectedText);
		expect(error).not.toContain(sandbox.demo.twoFactor.apiKey);
	}
}

describe('the Host header of a request', () => {
	it.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST', '127.0.0.1:80', 'localhost:65535'])(
		'may be %s',
		async (host) => {
			expect((await send(`${sandbox.controlUrl}/clock`, { host })).status).toBe(200);
		},
	);

	it.each([
		'evil.example',
		'evil.example:4010',
		'127.0.0.1.evil.example',
		'localhost.evil.example',
		'evil-localhost',
		'user@localhost',
		'localhost@evil.example',
		'localhost:4010:1',
		'localhost/',
		'localhost.',
		'[::2]',
		'192.168.0.1',
		'0.0.0.0',
		'sandbox',
	])('may not be %j', async (host) => {
		await expectRejected({ host }, 'is not a name of this sandbox');
	});

	it.each(['HTTP/1.0\r\n\r\n', 'HTTP/1.1\r\nHost:\r\n\r\n'])(
		'must be present: %j',
		async (head) => {
			const rawResponse = await new Promise<string>((resolve) => {
				let text = '';
				const socket = connect(Number(port), '127.0.0.1', () =>
					socket.write(`GET /phone/api/demo ${head}`),
				);
				const readChunk = (chunk: Buffer) => {
					text += chunk.toString();
					if (text.includes('}')) socket.destroy();
				};
				socket.on('data', readChunk).on('close', () => resolve(text));
			});
			expect(rawResponse).toMatch(/^HTTP\/1\.1 403 /);
			expect(rawResponse).not.toContain('privateJwk');
		},
	);

	it('may be a configured name, but no similar name', async () => {
		const clockUrl = `${namedSandbox.controlUrl}/clock`;
		for (const host of ['sandbox', 'SANDBOX:4010', 'host.docker.internal:4010', 'localhost']) {
			expect([host, (await send(clockUrl, { host })).status]).toEqual([host, 200]);
		}
		for (const host of ['sandbox.evil.example', 'a.sandbox', 'hostxdocker.internal']) {
			expect([host, (await send(clockUrl, { host })).status]).toEqual([host, 403]);
		}
		const host = 'sandbox:4010';
		const sameOriginHeaders = { host, origin: 'http://sandbox:4010', ...json };
		expect(
			(await send(`${namedSandbox.controlUrl}/reset`, sameOriginHeaders, 'POST', '{}')).status,
		).toBe(200);
		const otherOriginHeaders = { ...sameOriginHeaders, origin: 'http://sandbox:5678' };
		expect(
			(await send(`${namedSandbox.controlUrl}/reset`, otherOriginHeaders, 'POST', '{}')).status,
		).toBe(403);
	});

	it.each(['', 'a b', 'http://sandbox', 'sandbox:4010', 'sandbox/', '*'])(
		'cannot be configured as %j',
		async (name) => {
			await expect(startSandbox({ services: [twoFactor], names: [name] })).rejects.toThrow(
				`'${name}' is not a host name`,
			);
		},
	);
});

describe('a web page', () => {
	it.each([
		'http://evil.example',
		'https://evil.example',
		'http://localhost:5678',
		'http://127.0.0.1:5678',
		'http://127.0.0.1.evil.example',
		'null',
		'file://',
		'chrome-extension://abc',
		'',
	])('is rejected if it is from %j', async (origin) => {
		await expectRejected({ origin }, 'web page');
	});

	it('is rejected if it is from another name of this machine', async () => {
		const origin = `http://localhost:${port}`;
		await expectRejected({ host: `127.0.0.1:${port}`, origin }, 'web page');
	});

	it('is rejected if its own host name was rebound to this machine', async () => {
		const reboundHost = `evil.example:${port}`;
		await expectRejected({ host: reboundHost, origin: `http://${reboundHost}` }, 'is not a name');
	});

	it('from another site cannot reset the sandbox or approve a request', async () => {
		const client = new TwoFactorClient(sandbox);
		const path = `/onetouch/json/users/${seededUserIds.plain}/approval_requests`;
		const { data } = await client.send('POST', path, { message: 'Open the gate?' });
		const { uuid } = data.approval_request as { uuid: string };
		// A cross-site form can send this without a preflight request.
		const crossSiteHeaders = { origin: 'http://evil.example', 'content-type': 'text/plain' };
		const decision = '{"decision":"approved"}';
		for (const [url, body] of [
			[`${sandbox.controlUrl}/reset`, ''],
			[`${sandbox.controlUrl}/twoFactor/decide`, JSON.stringify({ uuid, decision: 'approved' })],
			[`${sandbox.phoneUrl}/api/approvals/${uuid}`, decision],
		] as const) {
			for (const type of ['text/plain', 'application/json']) {
				const headers = { ...crossSiteHeaders, 'content-type': type };
				expect([url, (await send(url, headers, 'POST', body)).status]).toEqual([url, 403]);
			}
		}
		const after = await client.get(`/onetouch/json/approval_requests/${uuid}`);
		expect(after.data.approval_request).toMatchObject({ status: 'pending' });
		expect(sandbox.requestLog.entries({ operationId: 'createApprovalRequest' })).toHaveLength(1);
	});

	it.each(['127.0.0.1', 'localhost', '[::1]'])(
		'works if the sandbox serves it under %s',
		async (name) => {
			const client = new TwoFactorClient(sandbox);
			const path = `/onetouch/json/users/${seededUserIds.plain}/approval_requests`;
			const { data } = await client.send('POST', path, { message: 'Open the gate?' });
			const { uuid } = data.approval_request as { uuid: string };
			const host = `${name}:${port}`;
			expect((await send(sandbox.phoneUrl, { host })).text).toContain('<!');
			expect((await send(`${sandbox.phoneUrl}/api/demo`, { host })).text).toContain('privateJwk');
			const sameOriginHeaders = { host, origin: `http://${host}`, ...json };
			const approvalUrl = `${sandbox.phoneUrl}/api/approvals/${uuid}`;
			const { status } = await send(
				approvalUrl,
				sameOriginHeaders,
				'POST',
				'{"decision":"approved"}',
			);
			expect(status).toBe(200);
		},
	);
});

it('rejected requests are not in the request log', async () => {
	await expectRejected({ host: 'evil.example' }, 'is not a name');
	expect(sandbox.requestLog.entries()).toEqual([]);
});
