// Protects waits in a real n8n: a parked execution frees its slot, survives a kill, and resumes once, with every decision.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval, createJobs, listPollTimes } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, recordingNode, listApprovalIds, waitFor } from '../../lab/drive/flows';
import { killAndRestart } from '../../lab/drive/triggerWorkflows';
import { killableEnv } from '../../lab/environment';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { activateWorkflow, createWorkflow } from '../../lab/workflows';
import { PasswordlessIdentityClient } from '../sandbox/passwordlessIdentity.fixture';
import { locateById } from '../support/locators';
import { resumeTimer } from './park/resumeTimer';

/** Interval in seconds at which parked executions poll again; the default is five minutes. */
const TIMER_S = 100;

describe('parked executions in a real n8n that runs one execution at a time', () => {
	let userFolder: string;
	let lab: Lab;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-park-'));
		const limit = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };
		const env = { ...killableEnv, ...resumeTimer(TIMER_S), ...limit };
		lab = await startLab({ userFolder, sandbox: { registrations: 1 }, env });
		lab.sandbox.settings.passwordlessIdentity.scopeJobSeconds = 86_400;
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});
	const askAndRecord = [approvalNode('Ask'), recordingNode];

	/** Starts an execution and waits until it is parked; returns it with the IDs of the requests that it sent. */
	const park = async (flow: Flow, body: object = {}) => {
		const oldIds = listApprovalIds(lab);
		const run = await (await flow.start(body)).waitForStatus('waiting');
		return { run, uuids: listApprovalIds(lab).filter((uuid) => !oldIds.includes(uuid)) };
	};

	test('resume once within seconds of the decision, after a single request', async () => {
		const flow = await Flow.open(lab, askAndRecord);
		const { run, uuids } = await park(flow);
		expect(uuids).toHaveLength(1);
		await delay(3000);
		decideApproval(lab.sandbox, uuids[0]!, 'approved');
		const decidedAt = Date.now();
		await run.waitForStatus('success', 20_000);
		expect(Date.now() - decidedAt).toBeLessThan(15_000);
		expect(await run.items('Ask')).toMatchObject([
			{ id: uuids[0], approved: true, outcome: 'approved', twofactor_id: 100002 },
		]);
		expect(await run.nodeRuns('Ask')).toHaveLength(1);
		expect(await run.nodeRuns('Next')).toHaveLength(1);
	});

	test('let another execution use the only slot', async () => {
		const { run, uuids } = await park(await Flow.open(lab, askAndRecord));
		const otherRun = await (await Flow.open(lab, [recordingNode])).start();
		await otherRun.waitForStatus('success', 20_000);
		expect(await run.status()).toBe('waiting');
		decideApproval(lab.sandbox, uuids[0]!, 'denied');
		await run.waitForStatus('success');
		expect(await run.items('Next')).toMatchObject([{ approved: false, outcome: 'denied' }]);
	});

	const split = {
		name: 'Split',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'body.names', options: {} },
	};

	test('wait for all their items, and output them in order and with paired items', async () => {
		const pairs = {
			name: 'Pairs',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				assignments: {
					assignments: [
						{
							id: 'a',
							name: 'pair',
							type: 'string',
							value:
								"={{ $('Split').item.json['body.names'] }} {{ $('Ask').item.json.outcome }} {{ $('Ask').first().json.outcome }}",
						},
					],
				},
				options: {},
			},
		};
		const question = approvalNode('Ask', { message: "={{ $json['body.names'] }}?" });
		const flow = await Flow.open(lab, [split, question, pairs]);
		const { run, uuids } = await park(flow, { names: ['a', 'b', 'c'] });
		expect(uuids).toHaveLength(3);
		decideApproval(lab.sandbox, uuids[2]!, 'denied');
		await delay(5000);
		decideApproval(lab.sandbox, uuids[0]!, 'approved');
		await delay(5000);
		expect(await run.status()).toBe('waiting');
		lab.sandbox.control('twoFactor', 'expire', { uuid: uuids[1] });
		await run.waitForStatus('success');
		expect((await run.items('Pairs')).map(({ pair }) => pair)).toEqual([
			'a approved approved',
			'b expired approved',
			'c denied approved',
		]);
	});

	test('park again in every iteration of a loop', async () => {
		const loop = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { options: {} },
		};
		const toNode = (node: string) => [{ node, type: 'main', index: 0 }];
		const flow = await Flow.open(
			lab,
			[split, loop, ...askAndRecord],
			{},
			{},
			{ Loop: { main: [toNode('Next'), toNode('Ask')] }, Ask: { main: [toNode('Loop')] } },
		);
		const oldIds = listApprovalIds(lab);
		const run = await flow.start({ names: ['a', 'b'] });
		for (const [index, decision] of (['approved', 'denied'] as const).entries()) {
			const newApprovals = () => listApprovalIds(lab).filter((uuid) => !oldIds.includes(uuid));
			const uuid = await waitFor(30_000, async () => newApprovals()[index]);
			await run.waitForStatus('waiting');
			await delay(3000);
			decideApproval(lab.sandbox, uuid, decision);
		}
		await run.waitForStatus('success');
		expect((await run.items('Next')).map(({ outcome }) => outcome)).toEqual(['approved', 'denied']);
		expect(listApprovalIds(lab)).toHaveLength(oldIds.length + 2);
	});

	test('of a sub-workflow make the calling workflow wait, and return the result to it', async () => {
		const inner = await createWorkflow(
			lab.rest,
			{
				name: 'Inner',
				nodes: [
					{
						name: 'Called',
						type: 'n8n-nodes-base.executeWorkflowTrigger',
						typeVersion: 1.1,
						parameters: { inputSource: 'passthrough' },
					},
					approvalNode('Ask'),
				].map((node, id) => ({ id: `${id}`, position: [0, 0], typeVersion: 1, ...node })) as never,
				connections: { Called: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
				settings: { executionOrder: 'v1' },
			},
			lab.credentials,
		);
		await activateWorkflow(lab.rest, inner.id);
		const outer = {
			name: 'Outer',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: { workflowId: locateById(inner.id), options: {} },
		};
		const { run, uuids } = await park(await Flow.open(lab, [outer, recordingNode]));
		await delay(3000);
		decideApproval(lab.sandbox, uuids[0]!, 'approved');
		await run.waitForStatus('success', 60_000);
		expect(await run.items('Next')).toMatchObject([{ id: uuids[0], approved: true }]);
	});

	test.each([
		['Create that waits', { operation: 'create', wait: true, waitLimit: 7200 }],
		['Wait for Decision', { operation: 'waitForDecision', waitLimit: 7200 }],
	])('park in the operation %s, and resume after the decision', async (_, parameters) => {
		const waitsOnly = parameters.operation === 'waitForDecision';
		const nodesBefore = waitsOnly ? [approvalNode('Send', { operation: 'create' })] : [];
		const uuidParameter = waitsOnly ? { uuid: '={{ $json.id }}' } : {};
		const asking = approvalNode('Ask', { ...parameters, ...uuidParameter });
		const { run, uuids } = await park(
			await Flow.open(lab, [...nodesBefore, asking, recordingNode]),
		);
		await delay(3000);
		decideApproval(lab.sandbox, uuids[0]!, 'approved');
		await run.waitForStatus('success', 20_000);
		expect(await run.items('Next')).toMatchObject([{ id: uuids[0], outcome: 'approved' }]);
	});

	test('wait for a scope job, and verify its answer when they resume', async () => {
		const [job] = await createJobs(new PasswordlessIdentityClient(lab.sandbox), 1);
		const wait = {
			name: 'Wait',
			type: 'n8n-nodes-gatehouse.passwordlessIdentity',
			credentials: { passwordlessIdentityApi: {} },
			parameters: {
				resource: 'scopeJob',
				operation: 'waitUntilFinished',
				job,
				waitLimit: 7200,
			},
		};
		const { run } = await park(await Flow.open(lab, [wait, recordingNode]));
		await delay(3000);
		await lab.sandbox.control('passwordlessIdentity', 'approve', { job });
		await run.waitForStatus('success', 20_000);
		expect(await run.items('Next')).toMatchObject([
			{ id: job, outcome: 'completed', verified: true },
		]);
	});

	test('block instead and show a hint if n8n would lose the result', async () => {
		const flow = await Flow.open(lab, askAndRecord, { executionOrder: 'v0' });
		const oldIds = listApprovalIds(lab);
		const run = await flow.start();
		const uuid = await waitFor(30_000, async () =>
			listApprovalIds(lab).find((id) => !oldIds.includes(id)),
		);
		await delay(5000);
		expect(await run.status()).toBe('running');
		decideApproval(lab.sandbox, uuid, 'approved');
		await run.waitForStatus('success');
		expect(await run.items('Next')).toMatchObject([{ id: uuid, outcome: 'approved' }]);
		const [nodeRun] = await run.nodeRuns('Ask');
		expect(nodeRun!.hints![0]!.message).toMatch(
			/kept running while it waited, since .*old execution order/,
		);
		expect(listApprovalIds(lab)).toHaveLength(oldIds.length + 1);
	});

	test('stop polling after the user has stopped them', async () => {
		const { run, uuids } = await park(await Flow.open(lab, askAndRecord));
		await delay(4000);
		await run.stop();
		await run.waitForStatus('canceled');
		// n8n does not notify the pack: the pack polls n8n. Otherwise it would poll until 75 seconds before the end of the wait.
		await delay(5000);
		const pollCount = listPollTimes(lab.sandbox, uuids[0]!).length;
		expect(pollCount).toBeGreaterThan(0);
		decideApproval(lab.sandbox, uuids[0]!, 'approved');
		await delay(6000);
		expect(listPollTimes(lab.sandbox, uuids[0]!)).toHaveLength(pollCount);
		expect(await run.status()).toBe('canceled');
	});

	test('do not shorten a later wait, although n8n does not clear their timer', async () => {
		const pause = {
			name: 'Pause',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			webhookId: 'pause',
			parameters: { resume: 'timeInterval', amount: 10, unit: 'minutes' },
		};
		const { run, uuids } = await park(
			await Flow.open(lab, [approvalNode('Ask'), pause, recordingNode]),
		);
		const resumeTimeMs = await run.resumesAt();
		await delay(resumeTimeMs - Date.now() - 30_000);
		decideApproval(lab.sandbox, uuids[0]!, 'approved');
		await waitFor(60_000, async () =>
			(await run.nodeRuns('Pause')).length > 0 ? true : undefined,
		);
		const waitEndMs = await run.resumesAt();
		expect(waitEndMs - Date.now()).toBeGreaterThan(9 * 60_000);
		await delay(45_000);
		expect(await run.status()).toBe('waiting');
		expect(await run.resumesAt()).toBe(waitEndMs);
		await run.stop();
	}, 300_000);

	test('resume by their timer if n8n was killed and the decision was made meanwhile', async () => {
		const flow = await Flow.open(lab, askAndRecord);
		const parkedRuns = [await park(flow), await park(flow), await park(flow)];
		const approvalCount = listApprovalIds(lab).length;
		const restart = killAndRestart(lab);
		decideApproval(lab.sandbox, parkedRuns[0]!.uuids[0]!, 'approved');
		decideApproval(lab.sandbox, parkedRuns[1]!.uuids[0]!, 'denied');
		await restart;
		for (const [index, outcome] of ['approved', 'denied'].entries()) {
			const { run } = parkedRuns[index]!;
			await run.waitForStatus('success', 1000 * (TIMER_S + 20));
			expect(await run.items('Next')).toMatchObject([{ outcome }]);
			expect(await run.nodeRuns('Ask')).toHaveLength(1);
		}
		// The third request was pending at that poll, so it is polled again.
		const { run, uuids } = parkedRuns[2]!;
		await waitFor(120_000, async () =>
			(await run.resumesAt()) > Date.now() + 80_000 ? true : undefined,
		);
		await delay(3000);
		decideApproval(lab.sandbox, uuids[0]!, 'approved');
		await run.waitForStatus('success', 20_000);
		expect(listApprovalIds(lab)).toHaveLength(approvalCount);
	}, 600_000);
});
