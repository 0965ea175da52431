// Protects users of services with a self-signed certificate: it is rejected unless the credential ignores SSL issues.
// Requests take the proxy that the environment variables of n8n name.
import 'reflect-metadata';
import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunction,
	INodeParameters,
} from 'n8n-workflow';

import { decideApproval, createApprovals } from '../../lab/drive/approvalsAndJobs';
import { packageTrials } from '../e2e/install/packageTrials';
import { TriggerHost, waitUntil } from '../engine/trigger/support/host';
import { TwoFactorClient } from '../sandbox/twoFactor.fixture';
import { packServices } from '../support/pack';
import { openPanel } from '../support/panel';
import { startForwardProxy, startSelfSignedServer } from '../support/proxies';
import type { ForwardingServer } from '../support/proxies';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';

let rig: Rig;
let selfSignedServer: ForwardingServer;
let proxy: ForwardingServer;
beforeAll(async () => {
	rig = await openRig({ registrations: 1 });
	selfSignedServer = await startSelfSignedServer(new URL(rig.sandbox.addresses.twoFactor).origin);
	proxy = await startForwardProxy();
});
afterAll(async () => {
	await Promise.all([selfSignedServer, proxy].map(async (forwarder) => await forwarder.close()));
	await rig.close();
});
beforeEach(() => {
	selfSignedServer.forwardedRequests.length = 0;
	proxy.forwardedRequests.length = 0;
});

/** Returns the credential of a service behind the server with the self-signed certificate. */
function selfSignedCredential(type: string, overrides: ICredentialDataDecryptedObject = {}) {
	const { baseUrl, ...data } = rig.sandbox.credentials[type]!;
	return { ...data, baseUrl: selfSignedServer.url + new URL(`${baseUrl}`).pathname, ...overrides };
}
const ignoreCertificates = { ignoreSslIssues: true };

/** Returns the parameters of a read. */
const readParametersOf = (name: string) => packageTrials[name]!.read as INodeParameters;

describe.each(packServices)('$name behind a self-signed certificate', ({ Node, service, name }) => {
	const type = service.credentialType;
	const runRead = async (credential: ICredentialDataDecryptedObject) => {
		rig.kit.credentialData[type] = credential;
		return await rig.run(name, { ...readParametersOf(name), options: { tries: 1 } });
	};
	const testCredential = async (data: ICredentialDataDecryptedObject) => {
		const node = new Node();
		const { testedBy } = node.description.credentials![0]!;
		const test = node.methods!.credentialTest![testedBy as string] as ICredentialTestFunction;
		return await test.call(new CredentialTestContext(), { id: '1', name: type, type, data });
	};

	it('is rejected by default without a request', async () => {
		for (const data of [
			selfSignedCredential(type),
			selfSignedCredential(type, { ignoreSslIssues: 'yes' }),
		]) {
			const { error } = await runRead(data);
			expect(`${error?.message} ${(error as { description?: string }).description}`).toMatch(
				/be reached.*'Ignore SSL Issues'/s,
			);
			expect(await testCredential(data)).toMatchObject({
				status: 'Error',
				message: expect.stringContaining('Ignore SSL Issues') as string,
			});
		}
		expect(selfSignedServer.forwardedRequests).toEqual([]);
	});

	it('is read, and its credential test succeeds, if the credential ignores SSL issues', async () => {
		const { error, outputItems } = await runRead(selfSignedCredential(type, ignoreCertificates));
		expect(error).toBeUndefined();
		expect(outputItems.length).toBeGreaterThan(0);
		expect(await testCredential(selfSignedCredential(type, ignoreCertificates))).toMatchObject({
			status: 'OK',
		});
		expect(selfSignedServer.forwardedRequests.length).toBeGreaterThan(1);
	});

	it('has a warning in the panel of the credential while the option is on', () => {
		const { Credential } = packServices.find((service) => service.name === name)!;
		const { properties } = new Credential();
		const option = properties.find((property) => property.name === 'ignoreSslIssues');
		const notice = properties.find(({ type: kind }) => kind === 'notice');
		expect(option).toMatchObject({ type: 'boolean', default: false });
		expect(notice?.displayOptions).toEqual({ show: { ignoreSslIssues: [true] } });
	});
});

it('lists are read from a service whose certificate is ignored', async () => {
	rig.kit.credentialData.eventDataApi = selfSignedCredential('eventDataApi', ignoreCertificates);
	const { results } = await openPanel(rig.kit, 'eventData', {}).list('searchEvents');
	expect(results.length).toBeGreaterThan(0);
	expect(selfSignedServer.forwardedRequests.length).toBeGreaterThan(0);
});

it('a trigger polls a service whose certificate is ignored', async () => {
	const [id] = await createApprovals(new TwoFactorClient(rig.sandbox), 1);
	const credentials = {
		...rig.sandbox.credentials,
		twoFactorApi: selfSignedCredential('twoFactorApi', ignoreCertificates),
	};
	const parameters = { ids: id!, options: { checkEvery: 1 } };
	const host = new TriggerHost({ credentials }, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	decideApproval(rig.sandbox, id!, 'approved');
	await waitUntil(() => host.executions.length === 1);
	await host.close();
	expect(selfSignedServer.forwardedRequests.some((line) => line.endsWith(`/${id}`))).toBe(true);
});

describe("a proxy in n8n's environment variables", () => {
	const proxyVariables = [
		'HTTP_PROXY',
		'HTTPS_PROXY',
		'NO_PROXY',
		'http_proxy',
		'https_proxy',
		'no_proxy',
	];
	beforeEach(() => {
		for (const name of proxyVariables) delete process.env[name];
		Object.assign(process.env, { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
	});

	it('receives the absolute URL of an HTTP request', async () => {
		rig.kit.credentialData.twoFactorApi = rig.sandbox.credentials.twoFactorApi!;
		const { error, outputItems } = await rig.run('twoFactor', readParametersOf('twoFactor'));
		expect(error).toBeUndefined();
		expect(outputItems).toHaveLength(1);
		expect(proxy.forwardedRequests).toEqual([
			expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:\d+\/two-factor\//),
		]);
	});

	it('opens a tunnel for an HTTPS request, with the certificate verified or ignored', async () => {
		const run = async (extraData: ICredentialDataDecryptedObject) => {
			rig.kit.credentialData.twoFactorApi = selfSignedCredential('twoFactorApi', extraData);
			return await rig.run('twoFactor', {
				...readParametersOf('twoFactor'),
				options: { tries: 1 },
			});
		};
		expect((await run({})).error?.message).toContain('be reached');
		expect((await run(ignoreCertificates)).error).toBeUndefined();
		expect(proxy.forwardedRequests).toEqual(
			[1, 2].map(() => `CONNECT ${new URL(selfSignedServer.url).host}`),
		);
		expect(selfSignedServer.forwardedRequests).toHaveLength(1);
	});

	it('receives the request of a credential test', async () => {
		const { Node } = packServices.find(({ name }) => name === 'eventData')!;
		const test = new Node().methods!.credentialTest!.eventDataApiTest as ICredentialTestFunction;
		const data = rig.sandbox.credentials.eventDataApi!;
		const credential = { id: '1', name: 'x', type: 'eventDataApi', data };
		expect(await test.call(new CredentialTestContext(), credential)).toMatchObject({
			status: 'OK',
		});
		expect(proxy.forwardedRequests).toHaveLength(1);
	});
});
