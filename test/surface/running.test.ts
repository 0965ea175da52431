// Protects triggers and other programs when the pack is updated: headers, static data, keys and items keep their shape.
import { createApprovals, createJobs, listPollTimes } from '../../lab/drive/approvalsAndJobs';
import { TriggerHost, waitUntil } from '../engine/trigger/support/host';
import type { IdTriggerName } from '../engine/trigger/support/host';
import { PasswordlessIdentityClient } from '../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../sandbox/twoFactor.fixture';
import { packServices } from '../support/pack';
import { samples } from '../support/samples';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { sendJson, startToyServer } from '../support/toy';
import type { ReceivedRequest, ToyServer } from '../support/toy';
import { expectFrozen } from './frozen';
import { shapeLines } from './lines';

let rig: Rig;
let toyServer: ToyServer;
beforeAll(async () => {
	rig = await openRig();
	toyServer = await startToyServer();
});
afterAll(async () => {
	await toyServer.close();
	await rig.close();
});

/** Lists the headers that the pack sets, without those of n8n's request helper. */
const listPackHeaders = ({ headers }: ReceivedRequest) =>
	Object.keys(headers)
		.filter((name) => /^x-|authorization|content-type/.test(name))
		.sort();

it.each(packServices)(
	'$name sends its key in the headers of the snapshot',
	async ({ name, service }) => {
		toyServer.respondWith((_, response) => sendJson(response, 404, {}));
		// Every service has a Get operation.
		const getSample = samples.find(({ node, operation }) => node === name && operation === 'get')!;
		const { resource, operation } = getSample;
		const parameters = await getSample.parameters(rig);
		const credential = rig.kit.credentialData[service.credentialType]!;
		const { baseUrl } = credential;
		credential.baseUrl = toyServer.url;
		await rig.run(name, { resource, operation, ...parameters });
		credential.baseUrl = baseUrl!;
		expectFrozen(listPackHeaders(toyServer.requests[0]!));
	},
);

it('twoFactor submits an ID with the headers and the body of the snapshot', async () => {
	toyServer.respondWith((_, response) => sendJson(response, 200, { watched: 1 }));
	await rig.run('twoFactor', {
		resource: 'approvalRequest',
		operation: 'create',
		twofactorId: '100002',
		message: 'Let me in?',
		options: { triggerUrl: `${toyServer.url}/webhook/a/watch`, triggerData: '{"order": 1}' },
	});
	const [checkRequest, submitRequest] = toyServer.requests;
	expect(JSON.parse(checkRequest!.body)).toEqual({ ids: [] });
	for (const request of [checkRequest!, submitRequest!]) {
		expectFrozen([...listPackHeaders(request), ...shapeLines(JSON.parse(request.body))]);
	}
});

/** Creates two IDs per trigger, of which the second has ended. */
const idCreators: Record<IdTriggerName, () => Promise<[open: string, finished: string]>> = {
	twoFactorTrigger: async () => {
		const [open, decided] = await createApprovals(new TwoFactorClient(rig.sandbox), 2);
		rig.sandbox.control('twoFactor', 'decide', { uuid: decided, decision: 'approved' });
		return [open!, decided!];
	},
	passwordlessIdentityTrigger: async () => {
		const [open, answered] = await createJobs(new PasswordlessIdentityClient(rig.sandbox), 2);
		rig.sandbox.control('passwordlessIdentity', 'approve', { job: answered });
		return [open!, answered!];
	},
};

it.each(Object.entries(idCreators) as Array<[IdTriggerName, (typeof idCreators)[IdTriggerName]]>)(
	'%s saves its state and starts workflows in the shape of the snapshot',
	async (type, createIds) => {
		const host = new TriggerHost(rig.sandbox, [
			{ type, parameters: { acceptNewIds: true, options: { checkEvery: 1 } } },
		]);
		host.credentialData[type.replace('Trigger', 'Api')]!.triggerSecret = 'surface-secret';
		try {
			await host.start();
			const [openId, endedId] = await createIds();
			const post = async (id: string) =>
				await host.post(
					{ ids: [{ id, data: { order: 1 } }] },
					{ headers: { 'x-gatehouse-secret': 'surface-secret' } },
				);
			await post(openId);
			// After two polls the trigger knows that the ID is outstanding.
			await waitUntil(() => listPollTimes(rig.sandbox, openId).length > 1);
			const { body } = await post(endedId);
			await waitUntil(() => host.executions.length === 1);
			await waitUntil(() => host.savedIds().some(({ end }) => end));
			const { key, item } = host.executions[0]!;
			expectFrozen([
				`key ${key.replace(endedId, '<id>')}`,
				...shapeLines(body, 'answer'),
				...shapeLines(item, 'item'),
				...shapeLines(JSON.parse(host.staticDataJson), 'staticData'),
				// The static data contains them as JSON texts.
				...shapeLines(host.savedIds(), 'ids'),
			]);
		} finally {
			await host.close();
		}
	},
);
