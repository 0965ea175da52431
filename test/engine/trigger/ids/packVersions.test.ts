// Protects submitted IDs while the pack is updated: a running trigger accepts them from the webhook of another version.
import { decideApproval, createApprovals } from '../../../../lab/drive/approvalsAndJobs';
import { startSandbox } from '../../../../sandbox/server';
import type { Sandbox } from '../../../../sandbox/server';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { TriggerHost } from '../support/host';
import { loadTriggers, createProcessModule } from '../support/loadTriggers';
import { waitUntil } from '../support/waitUntil';

useAcceleratedTime();

// When the pack is updated, n8n loads its modules again for webhooks and executions; running triggers keep the old ones.

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
		const [firstId, secondId, thirdId] = (await createApprovals(client, 3)) as [
			string,
			string,
			string,
		];
		expect(await host.post({ id: firstId }, { headers })).toMatchObject({ status: 200 });
		// n8n loads another version of the pack into the same process.
		host.pack = loadTriggers(processModule);
		expect(await host.post({ id: secondId }, { headers })).toMatchObject({
			status: 200,
			body: { watched: 2 },
		});
		decideApproval(sandbox, firstId, 'approved');
		await waitUntil(() => host.executions.length === 1);
		// n8n publishes the workflow again without having closed the old trigger.
		await host.start();
		expect(await host.post({ id: thirdId }, { headers })).toMatchObject({ body: { watched: 2 } });
		decideApproval(sandbox, secondId, 'denied');
		decideApproval(sandbox, thirdId, 'approved');
		await waitUntil(() => host.executions.length === 3);
		expect(host.executions.map(({ item }) => item.id).sort()).toEqual(
			[firstId, secondId, thirdId].sort(),
		);
	} finally {
		await host.close();
	}
});

it('a webhook rejects an ID with 503 if the trigger runs in another process', async () => {
	const host = new TriggerHost(sandbox, [
		{ type: 'twoFactorTrigger', parameters: { acceptNewIds: true } },
	]);
	await host.start();
	host.pack = loadTriggers();
	expect(await host.post({ id: 'some-id' })).toMatchObject({ status: 503 });
	await host.close();
});
