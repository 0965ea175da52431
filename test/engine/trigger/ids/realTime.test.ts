// Protects ID triggers in real time: polls are a second apart, and the workflow starts after the decision.
import {
	decideApproval,
	createApprovals,
	listPollTimes,
} from '../../../../lab/drive/approvalsAndJobs';
import { startSandbox } from '../../../../sandbox/server';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { TriggerHost, waitUntil } from '../support/host';

// All other tests of triggers run in accelerated time (support/fakeClock). This one runs in real time.

it('a trigger polls every second in real time and starts the workflow after the decision', async () => {
	const sandbox = await startSandbox({ registrations: 1 });
	const [id] = await createApprovals(new TwoFactorClient(sandbox), 1);
	const parameters = { ids: id!, options: { checkEvery: 1 } };
	const host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	try {
		await host.start();
		await waitUntil(() => listPollTimes(sandbox, id!).length === 2);
		const [firstPollMs, secondPollMs] = listPollTimes(sandbox, id!) as [number, number];
		expect(secondPollMs - firstPollMs).toBeGreaterThanOrEqual(900);
		decideApproval(sandbox, id!, 'approved');
		await waitUntil(() => host.executions.length === 1);
		expect(host.startedItemsById().get(id)).toMatchObject({ outcome: 'approved' });
	} finally {
		await host.close();
		await sandbox.close();
	}
});
