// Protects callers, guests and agents behind a wait that n8n would lose if parked: it blocks, and they get the decision.
import axios from 'axios';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

import { decideApproval } from '../../lab/drive/approvalsAndJobs';
import {
	approvalNode,
	Flow,
	recordingNode,
	listApprovalIds,
	Run,
	waitFor,
} from '../../lab/drive/flows';
import type { FlowNode } from '../../lab/drive/flows';
import { packageFolderOf } from '../../lab/installation';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';
import { activateWorkflow, createWorkflow } from '../../lab/workflows';
import { answeringTriggers } from '../engine/park/answeringTriggers';
import { openWithTool } from './park/agent';
import { ChatServer } from './support/chatServer';

/** A node type as n8n ships its description. */
interface NodeDescription {
	name: string;
	properties: Array<{ name: string; default: unknown }>;
	webhooks?: Array<{ responseMode?: string; restartWebhook?: boolean }>;
}

/** Reads the triggers of n8n whose response mode depends on their parameters, each with the expression for the mode. */
async function readTriggersWithVariableMode(): Promise<
	Map<string, NodeDescription & { mode: string }>
> {
	const descriptions = new Map<string, NodeDescription & { mode: string }>();
	for (const name of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
		const file = path.join(packageFolderOf(name), 'dist', 'types', 'nodes.json');
		for (const type of JSON.parse(await readFile(file, 'utf8')) as NodeDescription[]) {
			for (const { responseMode: mode, restartWebhook } of type.webhooks ?? []) {
				if (mode === undefined || mode === 'onReceived' || restartWebhook) continue;
				descriptions.set(`${name}.${type.name}`, { ...type, mode });
			}
		}
	}
	return descriptions;
}

test('the table of triggers that answer at the end of an execution matches n8n', async () => {
	const shippedTriggers = await readTriggersWithVariableMode();
	expect([...shippedTriggers.keys()].sort()).toEqual(
		[...new Set(answeringTriggers.map(({ type }) => type))].sort(),
	);
	for (const { type, parameters, mode } of answeringTriggers) {
		const { properties, mode: expression } = shippedTriggers.get(type)!;
		const defaults = Object.fromEntries(
			properties.map((property) => [property.name, property.default]),
		);
		const expressionBody = /^=\{\{(.*)\}\}$/s.exec(expression)![1]!;
		const allParameters = { ...defaults, ...parameters };
		expect({
			type,
			parameters,
			mode: runInNewContext(expressionBody, { $parameter: allParameters }),
		}).toEqual({
			type,
			parameters,
			mode,
		});
	}
});

describe('a wait that a real n8n would lose if it were parked', () => {
	let userFolder: string;
	let lab: Lab;
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-held-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 1 } });
	});
	afterAll(async () => {
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	/** Starts an execution that sends one approval request, and approves the request after five seconds. */
	const runAndApprove = async <T>(start: () => Promise<T>): Promise<T> => {
		const idsBefore = listApprovalIds(lab);
		const newApprovals = () => listApprovalIds(lab).filter((uuid) => !idsBefore.includes(uuid));
		const run = start();
		await waitFor(60_000, async () => newApprovals()[0]);
		await delay(5000);
		for (const uuid of newApprovals()) decideApproval(lab.sandbox, uuid, 'approved');
		const result = await run;
		expect(newApprovals()).toHaveLength(1);
		return result;
	};

	test('blocks behind a webhook that answers with its last node, and the webhook returns the decision', async () => {
		const flow = await Flow.open(
			lab,
			[approvalNode('Ask'), recordingNode],
			{},
			{ responseMode: 'lastNode' },
		);
		const { status, data } = await runAndApprove(async () => flow.call());
		expect(status).toBe(200);
		expect(data).toMatchObject({ outcome: 'approved', approved: true });
	});

	const chatMessage = { action: 'sendMessage', sessionId: 'guest-1', chatInput: 'May I?' };

	test('blocks behind a Chat Trigger, and the guest receives the output of the last node', async () => {
		const reply: FlowNode = {
			name: 'Reply',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: '={{ { output: `It was ${$json.outcome}` } }}' },
		};
		const flow = await Flow.openChat(lab, [approvalNode('Ask'), reply]);
		const { status, data } = await runAndApprove(async () => flow.call(chatMessage));
		expect({ status, data }).toEqual({ status: 200, data: { output: 'It was approved' } });
	});

	test('blocks behind a Chat Trigger that streams, and the guest receives the stream', async () => {
		const reply: FlowNode = {
			name: 'Reply',
			type: 'n8n-nodes-base.respondToWebhook',
			typeVersion: 1.5,
			parameters: {
				respondWith: 'text',
				responseBody: '=It was {{ $json.outcome }}',
				options: { enableStreaming: true },
			},
		};
		const options = { responseMode: 'streaming' };
		const flow = await Flow.openChat(lab, [approvalNode('Ask'), reply], { options });
		const { status, data } = await runAndApprove(async () => flow.call(chatMessage));
		expect(status).toBe(200);
		expect(data).toContain('It was approved');
	});

	test('blocks in a node without a node before it', async () => {
		const { id } = await createWorkflow(
			lab.rest,
			{
				name: 'Lone',
				nodes: [{ ...approvalNode('Ask'), id: 'lone', typeVersion: 1, position: [0, 0] } as never],
				connections: {},
				settings: { executionOrder: 'v1' },
			},
			lab.credentials,
		);
		const run = await runAndApprove(async () => {
			const { data } = await lab.rest.post(`/workflows/${id}/run`, {
				destinationNode: { nodeName: 'Ask', mode: 'inclusive' },
			});
			const { executionId } = unwrap<{ executionId: string }>(data);
			return new Run(lab, executionId).waitForStatus('success', 60_000);
		});
		expect(await run.items('Ask')).toMatchObject([{ approved: true }]);
		const [nodeRun] = await run.nodeRuns('Ask');
		expect(nodeRun!.hints![0]!.message).toMatch(/there is no node before/);
	});

	test('blocks in a tool of an agent below version 3, and the agent receives the decision', async () => {
		const chat = await ChatServer.open();
		try {
			const flow = await openWithTool(lab, chat, approvalNode('Ask'), 2.2);
			chat.setScript([{ tool: 'Ask', arguments: {} }]);
			const run = await runAndApprove(async () =>
				(await flow.start()).waitForStatus('success', 60_000),
			);
			expect(JSON.stringify(await run.items('Agent'))).toMatch(/outcome.{1,8}approved/);
			const [nodeRun] = await run.nodeRuns('Ask');
			expect(nodeRun!.hints![0]!.message).toMatch(/agents below version 3/);
		} finally {
			await chat.close();
		}
	});

	test('blocks in a tool of an MCP server', async () => {
		const { type, ...tool } = approvalNode('Ask');
		const anyPosition = { position: [0, 0] };
		const trigger = {
			id: 'mcp',
			name: 'MCP',
			type: '@n8n/n8n-nodes-langchain.mcpTrigger',
			typeVersion: 2,
			webhookId: 'held-mcp',
			parameters: { path: 'held-mcp' },
			...anyPosition,
		};
		const { id } = await createWorkflow(
			lab.rest,
			{
				name: 'MCP',
				nodes: [
					trigger,
					{ ...tool, id: 'tool', type: `${type}Tool`, typeVersion: 1, ...anyPosition },
				],
				connections: { Ask: { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] } },
				settings: { executionOrder: 'v1' },
			},
			lab.credentials,
		);
		await activateWorkflow(lab.rest, id);
		let session: string | undefined;
		const callMcpServer = async (
			method: string,
			params: object,
			messageFields: object = { id: 1 },
		) => {
			const response = await axios.post<string>(
				`${lab.n8nUrl}/mcp/held-mcp`,
				{ jsonrpc: '2.0', method, params, ...messageFields },
				{
					proxy: false,
					timeout: 120_000,
					responseType: 'text',
					headers: {
						accept: 'application/json, text/event-stream',
						...(session && { 'mcp-session-id': session }),
					},
				},
			);
			session ??= response.headers['mcp-session-id'] as string | undefined;
			return response.data;
		};
		const clientInfo = { name: 'test', version: '1' };
		await waitFor(30_000, async () =>
			callMcpServer('initialize', {
				protocolVersion: '2025-03-26',
				capabilities: {},
				clientInfo,
			}).catch(() => undefined),
		);
		await callMcpServer('notifications/initialized', {}, {});
		const toolResult = await runAndApprove(async () =>
			callMcpServer('tools/call', { name: 'Ask', arguments: {} }, { id: 2 }),
		);
		expect(toolResult).toMatch(/outcome\W{1,12}approved/);
		expect(toolResult).not.toMatch(/Execution id is missing/);
	});
});
