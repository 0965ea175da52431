// Protects workflows from lost and repeated starts: each ended ID starts the workflow once, however often n8n restarts.
import { ManualExecutionCancelledError } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import {
	decideApproval,
	createApprovals,
	listPollTimes,
} from '../../../../lab/drive/approvalsAndJobs';
import { TwoFactorClient } from '../../../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../../../support/fakeClock';
import { shareSandbox } from '../../../support/sandbox';
import { TriggerHost, waitUntil } from '../support/host';

useAcceleratedTime();

const sandbox = shareSandbox({ registrations: 1 });
const client = new TwoFactorClient(sandbox);
let host: TriggerHost;
afterEach(async () => await host.close());

/** Starts a trigger with one approval request, whose ID is entered in the node. */
async function startWithOneApproval(overrides = {}): Promise<string> {
	const [id] = await createApprovals(client, 1);
	const parameters = { ids: id!, options: { checkEvery: 1 }, ...overrides };
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters }]);
	await host.start();
	return id!;
}

it('the trigger starts the workflow once, with a key of workflow, node and ID', async () => {
	const id = await startWithOneApproval();
	decideApproval(sandbox, id, 'approved');
	await waitUntil(() => host.executions.length === 1);
	expect(host.executions[0]!.key).toBe(`workflow-1:node-0:${id}`);
});

it('the trigger repeats a start that n8n rejected until it succeeds', async () => {
	const id = await startWithOneApproval();
	host.startsToReject = 2;
	decideApproval(sandbox, id, 'denied');
	await waitUntil(() => host.executions.length === 1);
	expect(host.emitCalls).toBe(3);
	const pollCount = listPollTimes(sandbox, id).length;
	await delay(2500);
	expect(host.emitCalls).toBe(3);
	expect(listPollTimes(sandbox, id)).toHaveLength(pollCount);
});

it('the trigger saves the outcome before it starts the workflow, so that a crash in between loses nothing', async () => {
	const id = await startWithOneApproval();
	host.startsToReject = Infinity;
	decideApproval(sandbox, id, 'denied');
	await waitUntil(() => host.emitCalls === 1);
	await waitUntil(() => host.staticDataJson.includes('denied'));
	await host.restartProcess();
	const pollCount = listPollTimes(sandbox, id).length;

	host.startsToReject = 0;
	await host.start('init');
	await waitUntil(() => host.executions.length === 1);
	expect(host.startedItemsById().get(id)).toMatchObject({ outcome: 'denied' });
	expect(listPollTimes(sandbox, id)).toHaveLength(pollCount);
});

it('n8n drops the second start after a crash during the first execution', async () => {
	const id = await startWithOneApproval();
	host.executionMs = 60_000;
	decideApproval(sandbox, id, 'approved');
	await waitUntil(() => host.executions.length === 1 && host.staticDataJson.includes('outcome'));
	await host.restartProcess();
	await host.start('init');
	await waitUntil(() => host.emitCalls === 2);
	await delay(1500);
	expect(host.executions).toHaveLength(1);
	expect(host.emitCalls).toBe(2);
});

it('the trigger does not start the workflow again if only the trigger restarted during the execution', async () => {
	const id = await startWithOneApproval();
	host.executionMs = 4000;
	decideApproval(sandbox, id, 'approved');
	await waitUntil(() => host.executions.length === 1);
	await host.stop();
	await host.start('update');
	await delay(2500);
	expect(host.emitCalls).toBe(1);
});

it('the trigger starts the workflow once for an entered ID, however often n8n restarts', async () => {
	const id = await startWithOneApproval();
	decideApproval(sandbox, id, 'approved');
	await waitUntil(() => host.executions.length === 1);
	for (let restart = 0; restart < 3; restart++) {
		await host.restartProcess();
		await host.start('init');
		await delay(1300);
	}
	expect(host.executions).toHaveLength(1);
	const pollCount = listPollTimes(sandbox, id).length;
	await delay(1500);
	expect(listPollTimes(sandbox, id)).toHaveLength(pollCount);
});

it('the trigger keeps its IDs when the node is renamed', async () => {
	const [enteredId, submittedId] = await createApprovals(client, 2);
	const parameters = {
		ids: enteredId!,
		acceptNewIds: true,
		acceptFromAnybody: true,
		options: { checkEvery: 1 },
	};
	host = new TriggerHost(sandbox, [{ type: 'twoFactorTrigger', parameters, name: 'Before' }]);
	await host.start();
	await host.post({ id: submittedId, data: 'kept' });
	decideApproval(sandbox, enteredId!, 'approved');
	await waitUntil(() => host.executions.length === 1);
	await waitUntil(() => host.staticDataJson.includes('outcome'));
	await host.restartProcess();
	host.nodes[0]!.name = 'After';
	await host.start('update');
	decideApproval(sandbox, submittedId!, 'approved');
	await waitUntil(() => host.executions.length === 2);
	await delay(1500);
	expect(host.executions.map(({ item }) => [item.id, item.data])).toEqual([
		[enteredId, {}],
		[submittedId, 'kept'],
	]);
});

it('two triggers in one workflow start it for their own IDs only', async () => {
	const ids = await createApprovals(client, 2);
	host = new TriggerHost(
		sandbox,
		ids.map((id) => ({
			type: 'twoFactorTrigger',
			parameters: { ids: id, options: { checkEvery: 1 } },
		})),
	);
	await host.start();
	for (const id of ids) decideApproval(sandbox, id, 'approved');
	await waitUntil(() => host.executions.length === 2);
	expect(host.executions.map(({ key }) => key).sort()).toEqual(
		ids.map((id, index) => `workflow-1:node-${index}:${id}`),
	);
});

it('the trigger counts a cancelled execution as a start', async () => {
	const id = await startWithOneApproval();
	host.executionError = () => new ManualExecutionCancelledError('7');
	decideApproval(sandbox, id, 'approved');
	await waitUntil(() => host.executions.length === 1);
	await delay(2500);
	expect(host.emitCalls).toBe(1);
});

it('the trigger keeps its polling interval if n8n starts it twice without closing it', async () => {
	const id = await startWithOneApproval({ acceptNewIds: true, acceptFromAnybody: true });
	const [submittedId] = await createApprovals(client, 1);
	await host.post({ id: submittedId });
	await host.start('leadershipChange', '{}');
	await delay(3000);
	for (const watchedId of [id, submittedId!]) {
		const pollTimes = listPollTimes(sandbox, watchedId);
		const gapsMs = pollTimes.slice(1).map((polledAt, index) => polledAt - pollTimes[index]!);
		expect(gapsMs.length).toBeGreaterThan(0);
		expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(1000);
		decideApproval(sandbox, watchedId, 'approved');
	}
	await waitUntil(() => host.executions.length === 2);
});

it('the trigger stops polling when n8n closes either of two running starts', async () => {
	const id = await startWithOneApproval();
	await host.stop();
	for (const closedStart of [0, 1]) {
		const starts = [...(await host.start('init')), ...(await host.start('leadershipChange'))];
		const pollCountAtStart = listPollTimes(sandbox, id).length;
		await delay(2200);
		expect(listPollTimes(sandbox, id).length).toBeGreaterThan(pollCountAtStart);
		await starts[closedStart]!.closeFunction!();
		const pollCountAtClose = listPollTimes(sandbox, id).length;
		await delay(2200);
		expect(listPollTimes(sandbox, id)).toHaveLength(pollCountAtClose);
	}
});

it('the trigger drops an ID that is no longer entered in the node, and keeps one that was submitted', async () => {
	const id = await startWithOneApproval({ acceptNewIds: true, acceptFromAnybody: true });
	const [submittedId] = await createApprovals(client, 1);
	await host.post({ id: submittedId });
	await host.stop();
	host.nodes[0]!.parameters = { ids: '', options: { checkEvery: 1 } };
	await host.start('update');
	decideApproval(sandbox, id, 'approved');
	decideApproval(sandbox, submittedId!, 'approved');
	await waitUntil(() => host.executions.length === 1);
	await delay(1500);
	expect(host.executions.map(({ item }) => item.id)).toEqual([submittedId]);
});
