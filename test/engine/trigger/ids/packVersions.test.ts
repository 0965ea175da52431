import { decideApproval, createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { startSandbox } from '../../../../sandbox/server';
import type { Sandbox } from '../../../../sandbox/server';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { TriggerHost } from '../support/host';
import { loadTriggers, createProcessModule } from '../support/loadTriggers';
import { waitUntil } from '../support/waitUntil';

useAcceleratedTime();

// When the pack is updated, n8n loads its modules anew for webhooks and executions; triggers that run keep the old ones.

let sandbox: Sandbox;
let client: TwoFactorClient;
beforeAll(async () => {
	sandbox = await startSandbox({ registrations: 1 });
	client = new TwoFactorClient(sandbox);
});
afterAll(async () => await sandbox.close());

it('a trigger accepts IDs through a webhook and from a node of another version of the pack', async () => {
	const processModule = createProcessModule();
	const parameters = { acceptNewIds: true, options: { checkEvery: 1 } };
	const host = new TriggerHost(
		sandbox,
		[{ type: 'twoFactorTrigger', parameters }],
		'workflow-1',
		() => loadTriggers(processModule),
	);
	host.credentialData.twoFactorApi!.triggerSecret = 'open sesame';
	const headers = { 'x-gatehouse-secret': 'open sesame' };
	try {
		await host.start();
		const [first, second, third] = (await createApprovals(client, 3)) as [string, string, string];
		expect(await host.post({ id: first }, { headers })).toMatchObject({ status: 200 });
		host.pack = loadTriggers(processModule);
		expect(await host.post({ id: second }, { headers })).toMatchObject({
			status: 200,
			body: { watched: 2 },
		});
		decideApproval(sandbox, first, 'approved');
		await waitUntil(() => host.executions.length === 1);
		// n8n publishes the workflow again without having closed the old trigger.
		await host.start();
		expect(await host.post({ id: third }, { headers })).toMatchObject({ body: { watched: 2 } });
		decideApproval(sandbox, second, 'denied');
		decideApproval(sandbox, third, 'approved');
		await waitUntil(() => host.executions.length === 3);
		expect(host.executions.map(({ item }) => item.id).sort()).toEqual(
			[first, second, third].sort(),
		);
	} finally {
		await host.close();
	}
});

it('a trigger is not known in another process', async () => {
	const host = new TriggerHost(sandbox, [
		{ type: 'twoFactorTrigger', parameters: { acceptNewIds: true } },
	]);
	await host.start();
	host.pack = loadTriggers();
	expect(await host.post({ id: 'some-id' })).toMatchObject({ status: 503 });
	await host.close();
});
