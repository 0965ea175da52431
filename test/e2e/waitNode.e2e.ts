// Protects the workflow in docs/waiting.md: n8n's Wait node resumes after the decision on the phone or by another channel.
import axios from 'axios';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import { approvalNode, Flow, recordingNode, listApprovalIds } from '../../lab/drive/flows';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { activateWorkflow, createWorkflow } from '../../lab/workflows';
import { buildDecisionFlow } from './support/flows';

const createNode = (n8nUrl: string) =>
	approvalNode('Create', {
		operation: 'create',
		options: {
			triggerUrl: `${n8nUrl}/webhook/wakes/watch`,
			triggerData: '={{ JSON.stringify({ resumeUrl: $execution.resumeUrl }) }}',
		},
	});
const otherChannelNode = {
	name: 'Other channel',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: [
				{ id: 'a', name: 'address', type: 'string', value: '={{ $execution.resumeUrl }}' },
			],
		},
		options: {},
	},
};
const waitNode = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	webhookId: 'another-channel',
	parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
};
const getNode = approvalNode('Get', {
	operation: 'get',
	uuid: "={{ $('Create').first().json.id }}",
});
const resumeRequestNode = {
	name: 'Note',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	position: [220, 0],
	retryOnFail: true,
	maxTries: 5,
	waitBetweenTries: 2000,
	parameters: {
		method: 'POST',
		url: '={{ $json.data.resumeUrl }}',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($json) }}',
		options: {},
	},
};

describe("an execution that waits in n8n's Wait node for a trigger of the pack", () => {
	let userFolder: string;
	let lab: Lab;
	let flow: Flow;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-wait-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 1 } });
		const decisionFlow = buildDecisionFlow('Wakes', 'wakes');
		const [trigger] = decisionFlow.nodes;
		const nodes = [trigger!, resumeRequestNode];
		const { id } = await createWorkflow(lab.rest, { ...decisionFlow, nodes }, lab.credentials);
		await activateWorkflow(lab.rest, id);
		flow = await Flow.open(lab, [
			createNode(lab.n8nUrl),
			otherChannelNode,
			waitNode,
			getNode,
			recordingNode,
		]);
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	test.each(['approved', 'denied'] as const)('resumes after the phone has %s', async (status) => {
		const run = await (await flow.start()).waitForStatus('waiting');
		expect(await run.items('Create')).toMatchObject([{ handedOver: true }]);
		const uuid = listApprovalIds(lab).at(-1)!;
		decideApproval(lab.sandbox, uuid, status);
		await run.waitForStatus('success');
		expect(await run.items('Wait')).toMatchObject([{ body: { outcome: status, id: uuid } }]);
		expect(await run.items('Next')).toMatchObject([{ id: uuid, outcome: status }]);
	});

	test('resumes if another channel was faster, and shows that the phone has not decided', async () => {
		const run = await (await flow.start()).waitForStatus('waiting');
		const [{ address } = {}] = await run.items('Other channel');
		await axios.post(address as string, { outcome: 'approved' }, { proxy: false });
		await run.waitForStatus('success');
		expect(await run.items('Next')).toMatchObject([{ outcome: 'pending' }]);
	});
});
