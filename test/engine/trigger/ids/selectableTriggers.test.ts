// Protects the list of triggers in a node's panel: it has the running triggers of this n8n process that accept its IDs.
import type { INodeParameters } from 'n8n-workflow';

import { decideApproval } from '../../../../lab/drive/approvalsAndJobs';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { packServices } from '../../../support/pack';
import { openPanel } from '../../../support/panel';
import { openRig } from '../../../support/sandboxRig';
import type { Rig } from '../../../support/sandboxRig';
import { TriggerHost, waitUntil } from '../support/host';
import type { HostNode } from '../support/host';
import { loadNode, loadTriggers, createProcessModule } from '../support/loadTriggers';

useAcceleratedTime();

let rig: Rig;
let processModule: ReturnType<typeof createProcessModule>;
const hosts: TriggerHost[] = [];
beforeAll(async () => {
	rig = await openRig({ registrations: 1 });
});
beforeEach(() => {
	processModule = createProcessModule();
});
afterEach(async () => await Promise.all(hosts.splice(0).map(async (host) => await host.close())));
afterAll(async () => await rig.close());

/** Publishes a workflow with these triggers. */
const publish = async (nodes: HostNode[], workflowId = 'workflow-1') => {
	const host = new TriggerHost(rig.sandbox, nodes, workflowId, () => loadTriggers(processModule));
	hosts.push(host);
	await host.start();
	return host;
};
const createTrigger = (parameters: INodeParameters = {}, name?: string): HostNode => ({
	type: 'twoFactorTrigger',
	name,
	credentialId: 'twoFactorApi',
	parameters: { acceptNewIds: true, options: { checkEvery: 1 }, ...parameters },
});

/** Loads the list of triggers in a node's panel, in the process of the triggers or in another one. */
async function listTriggers(
	name: 'twoFactor' | 'passwordlessIdentity',
	filter?: string,
	moduleOfProcess = processModule,
) {
	const kit = {
		nodes: { [name]: loadNode(name, moduleOfProcess) },
		credentials: packServices.map(({ Credential }) => Credential),
		credentialData: rig.kit.credentialData,
	};
	const { results } = await openPanel(kit, name, {}).list('searchTriggers', filter);
	return results;
}

it('a published trigger is listed with its production URL, which accepts an ID', async () => {
	const host = await publish([createTrigger({}, 'When it is decided')]);
	const [listedTrigger, ...otherTriggers] = await listTriggers('twoFactor');
	expect(otherTriggers).toEqual([]);
	expect(listedTrigger).toMatchObject({
		name: 'Test › When it is decided',
		value: await host.webhookUrl(),
		url: expect.stringMatching(/\/workflow\/workflow-1$/) as string,
	});
	const { outputItems } = await rig.run('twoFactor', {
		resource: 'approvalRequest',
		operation: 'create',
		twofactorId: '100002',
		message: 'Let me in?',
		options: { triggerUrl: { __rl: true, mode: 'list', value: listedTrigger!.value } },
	});
	const [{ id, handedOver }] = outputItems as [{ id: string; handedOver: boolean }];
	expect(handedOver).toBe(true);
	decideApproval(rig.sandbox, id, 'approved');
	await waitUntil(() => host.executions.length === 1);
});

it('several triggers are listed by name and can be searched', async () => {
	await publish([createTrigger({}, 'Refunds'), createTrigger({}, 'Invoices')]);
	const listTriggerNames = async (filter?: string) =>
		(await listTriggers('twoFactor', filter)).map(({ name }) => name);
	expect(await listTriggerNames()).toEqual(['Test › Invoices', 'Test › Refunds']);
	expect(await listTriggerNames(' REF ')).toEqual(['Test › Refunds']);
	expect(await listTriggerNames('hook-1')).toEqual(['Test › Invoices']);
	expect(await listTriggerNames('nothing like it')).toEqual([]);
});

it('only triggers of the same service are listed', async () => {
	await publish([
		createTrigger(),
		{
			type: 'passwordlessIdentityTrigger',
			parameters: { acceptNewIds: true },
			credentialId: 'passwordlessIdentityApi',
		},
	]);
	expect(await listTriggers('twoFactor')).toMatchObject([{ name: 'Test › Trigger 0' }]);
	expect(await listTriggers('passwordlessIdentity')).toMatchObject([{ name: 'Test › Trigger 1' }]);
});

it('a trigger with another credential is not listed', async () => {
	await publish([{ ...createTrigger(), credentialId: '2' }]);
	expect(await listTriggers('twoFactor')).toEqual([]);
});

it('a trigger without a webhook is not listed', async () => {
	await publish([createTrigger({ acceptNewIds: false, ids: 'a' })]);
	expect(await listTriggers('twoFactor')).toEqual([]);
});

it('an unpublished or stopped trigger is not listed until it runs again', async () => {
	const host = await publish([createTrigger()]);
	await host.unpublish();
	expect(await listTriggers('twoFactor')).toEqual([]);
	await host.start();
	expect(await listTriggers('twoFactor')).toHaveLength(1);
	await host.stop();
	expect(await listTriggers('twoFactor')).toEqual([]);
});

it('a test of a trigger in the editor does not change the list', async () => {
	const host = await publish([createTrigger()]);
	const workflow = host.workflow();
	const [node] = Object.values(workflow.nodes);
	await host.callHook('checkExists', workflow, node!, 'manual', true);
	expect(await listTriggers('twoFactor')).toHaveLength(1);
	await host.callHook('delete', workflow, node!, 'update', true);
	expect(await listTriggers('twoFactor')).toMatchObject([{ value: await host.webhookUrl() }]);
});

it('another process, such as a worker, lists no triggers', async () => {
	await publish([createTrigger()]);
	expect(await listTriggers('twoFactor', undefined, createProcessModule())).toEqual([]);
});
