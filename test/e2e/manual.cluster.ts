// Protects users whose executions from the editor run on workers: a wait parks and resumes, and a trigger polls its ID.
import { readFile } from 'node:fs/promises';

import { decideApproval, createApprovals } from '../../lab/drive/approvalsAndJobs';
import {
	approvalNode,
	Flow,
	recordingNode,
	listApprovalIds,
	Run,
	waitFor,
} from '../../lab/drive/flows';
import type { FlowNode } from '../../lab/drive/flows';
import { startCluster } from '../../lab/queue/cluster';
import type { Cluster } from '../../lab/queue/cluster';
import { unwrap } from '../../lab/rest';
import { createWorkflow } from '../../lab/workflows';
import type { WorkflowFile } from '../../lab/workflows';
import { TwoFactorClient } from '../sandbox/twoFactor.fixture';
import { buildDecisionFlow } from './support/flows';

const ENDS_WITHIN_MS = 600_000;

/** In n8n 3.0, workers always run the executions that a user starts in the editor. */
describe('manual executions that workers run', () => {
	let cluster: Cluster;
	beforeAll(async () => {
		const env = { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };
		cluster = await startCluster({ name: 'manual', workers: 1, env });
	});
	afterAll(async () => await (cluster as Cluster | undefined)?.stop());

	interface StartedRun {
		executionId?: string;
		waitingForWebhook?: boolean;
	}
	/** Runs a workflow as the editor does. */
	const runByHand = async (id: string, name: string): Promise<StartedRun> => {
		const body = { triggerToStartFrom: { name } };
		return unwrap<StartedRun>((await cluster.lab.rest.post(`/workflows/${id}/run`, body)).data);
	};
	const createInLab = async (file: WorkflowFile): Promise<string> =>
		(await createWorkflow(cluster.lab.rest, file, cluster.lab.credentials)).id;

	/** Waits until the only execution of a workflow has this status, and returns it. */
	const waitForOnlyRun = async (workflowId: string, status = 'success'): Promise<Run> => {
		const filter = JSON.stringify({ workflowId });
		const listExecutions = async () => {
			const { data } = await cluster.lab.rest.get('/executions', { params: { filter } });
			return unwrap<{ results: Array<{ id: string }> }>(data).results;
		};
		const firstEntry = await waitFor(ENDS_WITHIN_MS, async () => (await listExecutions())[0]);
		const run = await new Run(cluster.lab, firstEntry.id).waitForStatus(status, ENDS_WITHIN_MS);
		expect(await listExecutions()).toHaveLength(1);
		return run;
	};

	/** A workflow that is started by hand and continues with these nodes. */
	const buildManualWorkflow = (nodes: FlowNode[]): WorkflowFile => {
		const start: FlowNode = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
		const allNodes = [start, ...nodes].map((node, index) => ({
			id: `${index}`,
			typeVersion: 1,
			position: [220 * index, 0],
			...node,
		}));
		const connectionTo = ({ name: node }: { name: string }) => ({
			main: [[{ node, type: 'main', index: 0 }]],
		});
		const connections = Object.fromEntries(
			allNodes.slice(1).map((node, index) => [allNodes[index]!.name, connectionTo(node)]),
		);
		return {
			name: 'By hand',
			nodes: allNodes as never,
			connections,
			settings: { executionOrder: 'v1' },
		};
	};

	test('are run by a worker, park, and resume before their timer', async () => {
		const id = await createInLab(buildManualWorkflow([approvalNode('Ask'), recordingNode]));
		const { executionId } = await runByHand(id, 'Start');
		const run = await new Run(cluster.lab, executionId!).waitForStatus('waiting', ENDS_WITHIN_MS);
		const [uuid] = listApprovalIds(cluster.lab);
		const timerAt = await run.resumesAt();
		decideApproval(cluster.lab.sandbox, uuid!, 'approved');
		await run.waitForStatus('success', timerAt - Date.now());
		expect(await run.items('Next')).toMatchObject([{ id: uuid, approved: true }]);
		expect(await run.nodeRuns('Ask')).toHaveLength(1);
		// Without the setting the main process would have run the execution.
		const workerLog = await readFile(cluster.workers[0]!.logFile, 'utf8');
		expect(workerLog).toContain(`Worker started execution ${executionId} (`);
	});

	test('of a trigger poll the ID in its parameters', async () => {
		const [uuid] = await createApprovals(new TwoFactorClient(cluster.lab.sandbox), 1);
		const file = buildDecisionFlow('Typed', 'typed');
		Object.assign(file.nodes[0]!.parameters!, { ids: uuid, options: { checkEvery: 1 } });
		const id = await createInLab(file);
		expect(await runByHand(id, 'Decided')).toHaveProperty('executionId');
		decideApproval(cluster.lab.sandbox, uuid!, 'denied');
		expect(await (await waitForOnlyRun(id)).items('Decided')).toMatchObject([
			{ id: uuid, outcome: 'denied' },
		]);
	});

	// The main process receives the ID, and n8n 2.41.1 drops what the webhook returns for a trigger (docs/operating.md).
	test('of a trigger fail without an entered ID, since a worker does not receive IDs from the test URL', async () => {
		const id = await createInLab(buildDecisionFlow('Tested', 'tested'));
		expect(await runByHand(id, 'Decided')).toEqual({ waitingForWebhook: true });
		const value = `${cluster.lab.n8nUrl}/webhook-test/tested/watch`;
		const options = { triggerUrl: { __rl: true, mode: 'url', value } };
		const flow = await Flow.open(cluster.lab, [
			approvalNode('Ask', { operation: 'create', options }),
		]);
		const sendingRun = await (await flow.start()).waitForStatus('success', ENDS_WITHIN_MS);
		expect(await sendingRun.items('Ask')).toMatchObject([{ handedOver: true }]);
		const run = await waitForOnlyRun(id, 'error');
		expect(await run.items('Decided')).toEqual([]);
	});
});
