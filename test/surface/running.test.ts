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

// The part of the surface that only shows while it runs: headers, static data, keys, items.

let rig: Rig;
let toy: ToyServer;
beforeAll(async () => {
	rig = await openRig();
	toy = await startToyServer();
});
afterAll(async () => {
	await toy.close();
	await rig.close();
});

/** The headers that are ours: n8n's helper adds some of its own. */
const ours = ({ headers }: ReceivedRequest) =>
	Object.keys(headers)
		.filter((name) => /^x-|authorization|content-type/.test(name))
		.sort();

it.each(packServices)('$name sends its key in these headers', async ({ name, service }) => {
	toy.respondWith((_, response) => sendJson(response, 404, {}));
	// Every service has something to get.
	const get = samples.find(({ node, operation }) => node === name && operation === 'get')!;
	const { resource, operation } = get;
	const parameters = await get.parameters(rig);
	const credential = rig.kit.credentialData[service.credentialType]!;
	const { baseUrl } = credential;
	credential.baseUrl = toy.url;
	await rig.run(name, { resource, operation, ...parameters });
	credential.baseUrl = baseUrl!;
	expectFrozen(ours(toy.requests[0]!));
});

it('submits an ID with these headers and this body', async () => {
	toy.respondWith((_, response) => sendJson(response, 200, { watched: 1 }));
	await rig.run('twoFactor', {
		resource: 'approvalRequest',
		operation: 'create',
		twofactorId: '100002',
		message: 'Let me in?',
		options: { triggerUrl: `${toy.url}/webhook/a/watch`, triggerData: '{"order": 1}' },
	});
	const [checked, posted] = toy.requests;
	expect(JSON.parse(checked!.body)).toEqual({ ids: [] });
	for (const request of [checked!, posted!]) {
		expectFrozen([...ours(request), ...shapeLines(JSON.parse(request.body))]);
	}
});

const finishers: Record<IdTriggerName, () => Promise<[open: string, finished: string]>> = {
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

it.each(Object.entries(finishers) as Array<[IdTriggerName, (typeof finishers)[IdTriggerName]]>)(
	'%s saves and starts in this shape',
	async (type, finish) => {
		const host = new TriggerHost(rig.sandbox, [
			{ type, parameters: { acceptNewIds: true, options: { checkEvery: 1 } } },
		]);
		host.credentialData[type.replace('Trigger', 'Api')]!.triggerSecret = 'surface-secret';
		try {
			await host.start();
			const ids = await finish();
			const post = async (id: string) =>
				await host.post(
					{ ids: [{ id, data: { order: 1 } }] },
					{ headers: { 'x-gatehouse-secret': 'surface-secret' } },
				);
			await post(ids[0]);
			// Asked for twice, it is known to be outstanding.
			await waitUntil(() => listPollTimes(rig.sandbox, ids[0]).length > 1);
			const { body } = await post(ids[1]);
			await waitUntil(() => host.executions.length === 1);
			await waitUntil(() => host.savedIds().some(({ end }) => end));
			const { key, item } = host.executions[0]!;
			expectFrozen([
				`key ${key.replace(ids[1], '<id>')}`,
				...shapeLines(body, 'answer'),
				...shapeLines(item, 'item'),
				...shapeLines(JSON.parse(host.staticDataJson), 'staticData'),
				// In there as texts.
				...shapeLines(host.savedIds(), 'ids'),
			]);
		} finally {
			await host.close();
		}
	},
);
