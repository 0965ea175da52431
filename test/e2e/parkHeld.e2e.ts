import axios from 'axios';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../lab/rest';
import { activateWorkflow, createWorkflow } from '../../lab/workflows';
import { decide } from '../triggers/watchedIds';
import { openWithTool } from './park/agent';
import { ask, Flow, next, pushes, Run, within } from './park/flows';
import { ChatServer } from './support/chatServer';

describe('waits that a real n8n would lose if they were parked', () => {
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

	/** Starts something that asks, and approves what it asks after a while; it must ask once. */
	const approved = async <T>(start: () => Promise<T>): Promise<T> => {
		const known = pushes(lab);
		const asked = () => pushes(lab).filter((uuid) => !known.includes(uuid));
		const run = start();
		await within(60_000, async () => asked()[0]);
		await delay(5000);
		for (const uuid of asked()) decide(lab.sandbox, uuid, 'approved');
		const result = await run;
		expect(asked()).toHaveLength(1);
		return result;
	};

	test('behind a webhook that answers with its last node are held, and it answers right', async () => {
		const flow = await Flow.open(lab, [ask('Ask'), next], {}, { responseMode: 'lastNode' });
		const { status, data } = await approved(async () => flow.call());
		expect(status).toBe(200);
		expect(data).toMatchObject({ outcome: 'approved', approved: true });
	});

	test('of a node with nothing before it are held', async () => {
		const { id } = await createWorkflow(
			lab.rest,
			{
				name: 'Lone',
				nodes: [{ ...ask('Ask'), id: 'lone', typeVersion: 1, position: [0, 0] } as never],
				connections: {},
				settings: { executionOrder: 'v1' },
			},
			lab.credentials,
		);
		const run = await approved(async () => {
			const { data } = await lab.rest.post(`/workflows/${id}/run`, {
				destinationNode: { nodeName: 'Ask', mode: 'inclusive' },
			});
			const { executionId } = unwrap<{ executionId: string }>(data);
			return new Run(lab, executionId).reaches('success', 60_000);
		});
		expect(await run.items('Ask')).toMatchObject([{ approved: true }]);
		const [asked] = await run.runs('Ask');
		expect(asked!.hints![0]!.message).toMatch(/there is no node before/);
	});

	test('of a tool of an agent below version 3 are held, and the agent hears the decision', async () => {
		const chat = await ChatServer.open();
		try {
			const flow = await openWithTool(lab, chat, ask('Ask'), 2.2);
			chat.plays([{ tool: 'Ask', arguments: {} }]);
			const run = await approved(async () => (await flow.start()).reaches('success', 60_000));
			expect(JSON.stringify(await run.items('Agent'))).toMatch(/outcome.{1,8}approved/);
			const [asked] = await run.runs('Ask');
			expect(asked!.hints![0]!.message).toMatch(/agents below version 3/);
		} finally {
			await chat.close();
		}
	});

	test('of a tool of an MCP server are held', async () => {
		const { type, ...tool } = ask('Ask');
		const at = { position: [0, 0] };
		const trigger = {
			id: 'mcp',
			name: 'MCP',
			type: '@n8n/n8n-nodes-langchain.mcpTrigger',
			typeVersion: 2,
			webhookId: 'held-mcp',
			parameters: { path: 'held-mcp' },
			...at,
		};
		const { id } = await createWorkflow(
			lab.rest,
			{
				name: 'MCP',
				nodes: [trigger, { ...tool, id: 'tool', type: `${type}Tool`, typeVersion: 1, ...at }],
				connections: { Ask: { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] } },
				settings: { executionOrder: 'v1' },
			},
			lab.credentials,
		);
		await activateWorkflow(lab.rest, id);
		let session: string | undefined;
		const call = async (method: string, params: object, more: object = { id: 1 }) => {
			const answer = await axios.post<string>(
				`${lab.n8nUrl}/mcp/held-mcp`,
				{ jsonrpc: '2.0', method, params, ...more },
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
			session ??= answer.headers['mcp-session-id'] as string | undefined;
			return answer.data;
		};
		const clientInfo = { name: 'test', version: '1' };
		await within(30_000, async () =>
			call('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo }).catch(
				() => undefined,
			),
		);
		await call('notifications/initialized', {}, {});
		const answer = await approved(async () =>
			call('tools/call', { name: 'Ask', arguments: {} }, { id: 2 }),
		);
		expect(answer).toMatch(/approved/);
		expect(answer).not.toMatch(/Execution id is missing/);
	});
});
