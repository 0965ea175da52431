// Protects readers of the trigger's items: people have the names that the credential gives them.
import { createApprovals, decideApproval } from '../../../../lab/drive/approvalsAndJobs';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
const client = new TwoFactorClient(sandbox);

it('approval requests name the user and the user who answered, if the credential has the name', async () => {
	const credential = sandbox.credentials.twoFactorApi!;
	const [id] = (await createApprovals(client, 1)) as [string];
	const [{ twofactor_id: user }] = sandbox.control('twoFactor', 'approvals', { uuid: id }) as [
		{ twofactor_id: number },
	];
	Object.assign(credential, { people: `Robin Castellan, ${user}` });
	const parameters = { ids: id, options: { checkEvery: 1 } };
	const host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	delete credential.people;
	await host.start();
	decideApproval(sandbox, id, 'denied');
	await waitUntil(
		() => host.executions.length === 1,
		() => host.executions,
	);
	await host.close();
	expect(host.startedItemsById().get(id)).toMatchObject({
		outcome: 'denied',
		twofactor_id: user,
		name: 'Robin Castellan',
		responder: { twofactor_id: user, name: 'Robin Castellan' },
	});
});
