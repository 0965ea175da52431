// Protects parked executions in queue mode: they resume once, after one request, even if main process or workers are killed.
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, recordingNode, listApprovalIds } from '../../lab/drive/flows';
import { killAndRestart } from '../../lab/drive/triggerWorkflows';
import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { resumeTimer } from './park/resumeTimer';

/** Interval in seconds at which parked executions poll again; the default is five minutes. */
const TIMER_S = 100;
const RESUME_TIMEOUT_MS = 600_000;

describe('parked executions in queue mode, with a main process and workers that are killed', () => {
	let cluster: Cluster;
	let flow: Flow;
	beforeAll(async () => {
		cluster = await startCluster({ name: 'park', workers: 2, env: resumeTimer(TIMER_S) });
		flow = await Flow.open(cluster.lab, [approvalNode('Ask'), recordingNode]);
	});
	afterAll(async () => await (cluster as Cluster | undefined)?.stop());

	/** Starts an execution and waits until it is parked; returns it with the ID of the request that it sent. */
	const park = async () => {
		const idsBefore = listApprovalIds(cluster.lab);
		const run = await (await flow.start()).waitForStatus('waiting', RESUME_TIMEOUT_MS);
		const uuids = listApprovalIds(cluster.lab).filter((uuid) => !idsBefore.includes(uuid));
		expect(uuids).toHaveLength(1);
		return { run, uuid: uuids[0]! };
	};
	/** Waits for the result of an execution that should resume. */
	const expectResumed = async (
		{ run, uuid }: Awaited<ReturnType<typeof park>>,
		withinMs: number,
	) => {
		await run.waitForStatus('success', withinMs);
		expect(await run.items('Next')).toMatchObject([{ id: uuid, approved: true }]);
		expect(await run.nodeRuns('Ask')).toHaveLength(1);
		expect(await run.nodeRuns('Next')).toHaveLength(1);
	};

	test('resume after the decision, before their timer', async () => {
		const parkedRun = await park();
		await delay(3000);
		const timerAt = await parkedRun.run.resumesAt();
		decideApproval(cluster.lab.sandbox, parkedRun.uuid, 'approved');
		await expectResumed(parkedRun, timerAt - Date.now());
	});

	test('resume if the main process was killed meanwhile', async () => {
		const parkedRun = await park();
		await killAndRestart(cluster.lab);
		decideApproval(cluster.lab.sandbox, parkedRun.uuid, 'approved');
		await expectResumed(parkedRun, RESUME_TIMEOUT_MS);
	});

	test('resume by their timer if the workers were killed, and each sends one request only', async () => {
		const parkedRuns = [await park(), await park()];
		const sentCount = listApprovalIds(cluster.lab).length;
		await Promise.all(cluster.workers.map(async (worker) => await worker.stop('SIGKILL')));
		for (const { uuid } of parkedRuns) decideApproval(cluster.lab.sandbox, uuid, 'approved');
		await cluster.startWorker();
		for (const run of parkedRuns) await expectResumed(run, RESUME_TIMEOUT_MS);
		expect(listApprovalIds(cluster.lab)).toHaveLength(sentCount);
	});
});
