// Protects test runs of ID triggers: the user gets one outcome or a clear error, and the running trigger is not affected.
import { WorkflowExecute } from 'n8n-core';
import type { IDataObject, IRun } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import {
	decideApproval,
	createApprovals,
	createJobs,
	listPollTimes,
} from '../../../../lab/drive/approvalsAndJobs';
import { PasswordlessIdentityClient } from '../../../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
const client = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => {
	await host.close();
	sandbox.faultRules.clear();
});

const createTrigger = (parameters = {}) => {
	const allParameters = { options: { checkEvery: 1 }, ...parameters };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters: allParameters }]);
};

/** Runs the trigger by hand, on n8n's own engine. */
function executeStep() {
	const workflow = host.workflow();
	const [startNode] = Object.values(workflow.nodes);
	const execution = new WorkflowExecute(host.additionalData(), 'manual');
	return execution.run({ workflow, startNode });
}
const readItem = (run: IRun): IDataObject =>
	run.data.resultData.runData['Trigger 0']![0]!.data!.main![0]![0]!.json;
const readError = (run: IRun) => run.data.resultData.error!;

describe('a test run with entered IDs, or without a webhook', () => {
	it('waits for the first entered ID that is finished, and then stops polling', async () => {
		const [firstId, secondId] = (await createApprovals(client, 2)) as [string, string];
		createTrigger({ ids: [firstId, secondId] });
		const execution = executeStep();
		await waitUntil(() => listPollTimes(sandbox, firstId).length >= 2);
		decideApproval(sandbox, secondId, 'denied');
		const item = readItem(await execution);
		expect(item).toMatchObject({ id: secondId, outcome: 'denied' });
		await delay(100);
		const pollCount = listPollTimes(sandbox, firstId).length;
		await delay(2000);
		expect(listPollTimes(sandbox, firstId)).toHaveLength(pollCount);
		expect(host.staticDataJson).toBe('{}');
	});

	it('outputs an outcome even if it would not start the workflow', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger({ ids: id, outcomes: ['approved'] });
		decideApproval(sandbox, id, 'denied');
		expect(readItem(await executeStep())).toMatchObject({ id, outcome: 'denied' });
	});

	it('outputs the current state at the time limit', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger({ ids: id, options: { checkEvery: 1, stopAfterHours: 0.0005 } });
		const item = readItem(await executeStep());
		expect(item).toMatchObject({ id, outcome: 'stillOutstanding' });
	});

	it('fails with advice if there is no ID', async () => {
		createTrigger({ acceptNewIds: false });
		expect(readError(await executeStep()).message).toBe(
			"No IDs to watch: enter one, or turn on 'Accept New IDs by Webhook'",
		);
	});

	it('fails with a message if the credential is rejected', async () => {
		createTrigger({ ids: 'a' });
		host.credentialData.twoFactorApi!.apiKey = 'wrong-key-0123456789';
		expect(readError(await executeStep()).message).toMatch(/60001/);
	});

	it('fails with a message if the service is unavailable', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger({ ids: id });
		sandbox.faultRules.add({ service: 'twoFactor', kind: '503' });
		expect(readError(await executeStep()).message).toContain('Two-factor service');
		const pollCount = listPollTimes(sandbox, id).length;
		sandbox.faultRules.clear();
		await delay(6000);
		expect(listPollTimes(sandbox, id)).toHaveLength(pollCount);
	});

	it('stops polling when the user stops listening', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger({ ids: id });
		const execution = executeStep();
		await waitUntil(() => listPollTimes(sandbox, id).length >= 1);
		// n8n itself leaves the promise of a run that waits for its trigger open.
		execution.cancel();
		await delay(100);
		const pollCount = listPollTimes(sandbox, id).length;
		await delay(2000);
		expect(listPollTimes(sandbox, id)).toHaveLength(pollCount);
	});
});

describe('a test run with the webhook on', () => {
	it('outputs the ID that was posted to the test URL, in one run only', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger({ acceptNewIds: true, acceptFromAnybody: true });
		const { status, body } = await host.post({ id, data: { order: 7 } }, { test: true });
		expect([status, body]).toEqual([200, { test: true, watched: 1 }]);
		decideApproval(sandbox, id, 'approved');
		expect(readItem(await executeStep())).toMatchObject({
			id,
			outcome: 'approved',
			data: { order: 7 },
		});
		// The posted ID was for that run only.
		expect(readError(await executeStep()).message).toMatch(/^No IDs to watch/);
	});

	it('polls the entered IDs after an empty POST', async () => {
		const [id] = (await createApprovals(client, 1)) as [string];
		createTrigger({ acceptNewIds: true, acceptFromAnybody: true, ids: id });
		expect(await host.post(undefined, { test: true })).toMatchObject({ status: 200 });
		decideApproval(sandbox, id, 'approved');
		expect(readItem(await executeStep())).toMatchObject({ id, outcome: 'approved' });
	});

	it('rejects an empty POST without entered IDs, an invalid body and a missing secret, and keeps listening', async () => {
		createTrigger({ acceptNewIds: true, acceptFromAnybody: true });
		for (const body of [undefined, { no: 'id' }]) {
			expect(await host.post(body, { test: true })).toMatchObject({ status: 400 });
		}
		host.credentialData.twoFactorApi!.triggerSecret = 'Sesame-1234';
		expect(await host.post({ id: 'a' }, { test: true })).toMatchObject({ status: 403 });
		const headers = { 'X-Gatehouse-Secret': 'Sesame-1234' };
		expect(await host.post({ id: 'a' }, { test: true, headers })).toMatchObject({ status: 200 });
	});

	it('does not affect a running trigger, and is not affected by it', async () => {
		const [liveId, testedId] = (await createApprovals(client, 2)) as [string, string];
		createTrigger({ acceptNewIds: true, acceptFromAnybody: true });
		await host.start();
		await host.post({ id: liveId });
		await host.post({ id: testedId }, { test: true });
		const execution = executeStep();
		decideApproval(sandbox, liveId, 'approved');
		await waitUntil(() => host.executions.length === 1);
		decideApproval(sandbox, testedId, 'denied');
		expect(readItem(await execution)).toMatchObject({ id: testedId, outcome: 'denied' });
		await delay(1500);
		expect(host.executions).toHaveLength(1);
	});
});

it('a test run outputs the verified claims of a scope job', async () => {
	const [job] = await createJobs(new PasswordlessIdentityClient(sandbox), 1);
	const parameters = { ids: { rows: [{ ids: job! }] }, options: { checkEvery: 1 } };
	host = new TriggerHost(sandbox, [{ type: 'passwordlessIdentityTrigger', parameters }]);
	await sandbox.control('passwordlessIdentity', 'approve', { job });
	expect(readItem(await executeStep())).toMatchObject({
		id: job,
		outcome: 'completed',
		verified: true,
	});
});
