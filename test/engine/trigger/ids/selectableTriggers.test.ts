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

// The triggers of this n8n that can be picked in the panel of the node that submits to them.

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

const publish = async (nodes: HostNode[], workflowId = 'workflow-1') => {
	const host = new TriggerHost(rig.sandbox, nodes, workflowId, () => loadTriggers(processModule));
	hosts.push(host);
	await host.start();
	return host;
};
const twoFactorTrigger = (parameters: INodeParameters = {}, name?: string): HostNode => ({
	type: 'twoFactorTrigger',
	name,
	credentialId: 'twoFactorApi',
	parameters: { acceptNewIds: true, options: { checkEvery: 1 }, ...parameters },
});

/** Loads a node's list of triggers, in the same process or in another. */
async function listOf(
	name: 'twoFactor' | 'passwordlessIdentity',
	filter?: string,
	process = processModule,
) {
	const kit = {
		nodes: { [name]: loadNode(name, process) },
		credentials: packServices.map(({ Credential }) => Credential),
		credentialData: rig.kit.credentialData,
	};
	const { results } = await openPanel(kit, name, {}).list('searchTriggers', filter);
	return results;
}

it('a published trigger is listed with its production URL, which accepts an ID', async () => {
	const host = await publish([twoFactorTrigger({}, 'When it is decided')]);
	const [found, ...others] = await listOf('twoFactor');
	expect(others).toEqual([]);
	expect(found).toMatchObject({
		name: 'Test › When it is decided',
		value: await host.webhookUrl(),
		url: expect.stringMatching(/\/workflow\/workflow-1$/) as string,
	});
	const { outputItems } = await rig.run('twoFactor', {
		resource: 'approvalRequest',
		operation: 'create',
		twofactorId: '100002',
		message: 'Let me in?',
		options: { triggerUrl: { __rl: true, mode: 'list', value: found!.value } },
	});
	const [{ id, handedOver }] = outputItems as [{ id: string; handedOver: boolean }];
	expect(handedOver).toBe(true);
	decideApproval(rig.sandbox, id, 'approved');
	await waitUntil(() => host.executions.length === 1);
});

it('several triggers are listed in order and can be searched', async () => {
	await publish([twoFactorTrigger({}, 'Refunds'), twoFactorTrigger({}, 'Invoices')]);
	const names = async (filter?: string) =>
		(await listOf('twoFactor', filter)).map(({ name }) => name);
	expect(await names()).toEqual(['Test › Invoices', 'Test › Refunds']);
	expect(await names(' REF ')).toEqual(['Test › Refunds']);
	expect(await names('hook-1')).toEqual(['Test › Invoices']);
	expect(await names('nothing like it')).toEqual([]);
});

it('only triggers of the same service are listed', async () => {
	await publish([
		twoFactorTrigger(),
		{
			type: 'passwordlessIdentityTrigger',
			parameters: { acceptNewIds: true },
			credentialId: 'passwordlessIdentityApi',
		},
	]);
	expect(await listOf('twoFactor')).toMatchObject([{ name: 'Test › Trigger 0' }]);
	expect(await listOf('passwordlessIdentity')).toMatchObject([{ name: 'Test › Trigger 1' }]);
});

it('a trigger with another credential is not listed', async () => {
	await publish([{ ...twoFactorTrigger(), credentialId: '2' }]);
	expect(await listOf('twoFactor')).toEqual([]);
});

it('a trigger without a webhook is not listed', async () => {
	await publish([twoFactorTrigger({ acceptNewIds: false, ids: 'a' })]);
	expect(await listOf('twoFactor')).toEqual([]);
});

it('an unpublished or stopped trigger is not listed until it runs again', async () => {
	const host = await publish([twoFactorTrigger()]);
	await host.unpublish();
	expect(await listOf('twoFactor')).toEqual([]);
	await host.start();
	expect(await listOf('twoFactor')).toHaveLength(1);
	await host.stop();
	expect(await listOf('twoFactor')).toEqual([]);
});

it('testing a trigger in the editor does not change the list', async () => {
	const host = await publish([twoFactorTrigger()]);
	const workflow = host.workflow();
	const [node] = Object.values(workflow.nodes);
	await host.callHook('checkExists', workflow, node!, 'manual', true);
	expect(await listOf('twoFactor')).toHaveLength(1);
	await host.callHook('delete', workflow, node!, 'update', true);
	expect(await listOf('twoFactor')).toMatchObject([{ value: await host.webhookUrl() }]);
});

it('another process, such as a worker, lists no triggers', async () => {
	await publish([twoFactorTrigger()]);
	expect(await listOf('twoFactor', undefined, createProcessModule())).toEqual([]);
});
