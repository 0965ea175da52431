// Protects users from a service that sends single bytes slowly and never ends a response:
// credential tests, panels and submissions end at their timeouts, and triggers poll again.
import 'reflect-metadata';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunction } from 'n8n-workflow';

import { TriggerHost, waitUntil } from '../engine/trigger/support/host';
import { awaitWithin, useAcceleratedTime } from '../support/fakeClock';
import { packServices } from '../support/pack';
import { openPanel } from '../support/panel';
import { sendSlowly, RESPONSE_HEAD, RawServer } from '../support/rawServer';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { sendJson, startToyServer } from '../support/toy';

let rig: Rig;
let slowServer: RawServer;
beforeAll(async () => {
	rig = await openRig();
	slowServer = await RawServer.start(sendSlowly(`${RESPONSE_HEAD}\r\n`, ' '));
});
afterAll(async () => {
	slowServer.close();
	await rig.close();
});
useAcceleratedTime();

it.each(packServices)(
	'the credential test for $contract ends at the timeout',
	async ({ Node, service }) => {
		const node = new Node();
		const { testedBy } = node.description.credentials![0]!;
		const test = node.methods!.credentialTest![testedBy as string] as ICredentialTestFunction;
		const type = service.credentialType;
		const data = { ...rig.kit.credentialData[type], baseUrl: slowServer.url };
		const credentialTest = test.call(new CredentialTestContext(), {
			id: '1',
			name: type,
			type,
			data,
		});
		const { status, message } = await awaitWithin(credentialTest, 20_000);
		expect([status, message]).toEqual(['Error', expect.stringMatching(/within 15 seconds/)]);
	},
);

it('reading a list of the panel ends at the timeout', async () => {
	const credentialData = { ...rig.kit.credentialData };
	credentialData.eventDataApi = { ...credentialData.eventDataApi, baseUrl: slowServer.url };
	const panel = openPanel({ ...rig.kit, credentialData }, 'eventData', {});
	const listRequest = panel.list('searchEvents');
	await expect(awaitWithin(listRequest, 60_000)).rejects.toThrow(/within 20 seconds/);
});

it('submitting an ID ends at the timeout, with the reason', async () => {
	const runCreate = async (options = {}) =>
		await rig.run('twoFactor', {
			resource: 'approvalRequest',
			operation: 'create',
			twofactorId: '100002',
			message: 'Let me in?',
			options: { triggerUrl: `${slowServer.url}/webhook/x/watch`, ...options },
		});
	const { error } = await awaitWithin(runCreate(), 60_000);
	expect(error?.message).toMatch(/within 10 seconds/);
	const createRun = runCreate({ continueWithoutTrigger: true });
	const { outputItems } = await awaitWithin(createRun, 60_000);
	expect(outputItems).toMatchObject([
		{ handedOver: false, handOverReason: expect.stringMatching(/within 10 seconds/) as string },
	]);
});

it('a trigger polls every ID again after the service has recovered from slow responses', async () => {
	const toy = await startToyServer();
	let hasRecovered = false;
	let requestCount = 0;
	toy.respondWith(({ url }, response) => {
		requestCount++;
		const uuid = url.split('/').at(-1);
		if (hasRecovered) {
			sendJson(response, 200, { success: true, approval_request: { uuid, status: 'approved' } });
			return;
		}
		response.writeHead(200, { 'content-type': 'application/json' });
		void sendSlowly(' ', ' ')(async (bytes) => !response.destroyed && response.write(bytes));
	});
	const ids = Array.from({ length: 25 }, (_, index) => `id-${index}`);
	const host = new TriggerHost(rig.sandbox, [{ type: 'twoFactorTrigger', parameters: { ids } }]);
	host.credentialData.twoFactorApi!.baseUrl = toy.url;
	try {
		await host.start('init');
		// All ten concurrent requests wait for their responses.
		await waitUntil(() => requestCount >= 10);
		hasRecovered = true;
		await waitUntil(() => host.executions.length === ids.length, undefined, 300_000);
		expect(new Set(host.executions.map(({ item }) => item.outcome))).toEqual(new Set(['approved']));
	} finally {
		await host.close();
		await toy.close();
	}
});
