// Protects reviewers of tool calls: n8n runs a tool with the fields of the agent's input item, overwritten by the arguments.
// The phone shows each field that the tool can read, or the call is rejected.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { FlowNode } from '../../lab/drive/flows';
import { startLab } from '../../lab/lab';
import type { Lab } from '../../lab/lab';
import { locateById } from '../support/locators';
import { openReviewedTools } from './park/agent';
import { Reviews } from './park/reviews';
import { ChatServer } from './support/chatServer';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const fromAi = (name: string, type: string) => `={{ $fromAI('${name}', '', '${type}') }}`;
const chatInput = { sessionId: 'f1', action: 'sendMessage', chatInput: 'Please refund me' };
const toolArguments = { Amount: 5, Guest: 'Ada' };
const ARGUMENT_ROWS = { Arguments: '2, marked •', '• Amount': '5', '• Guest': 'Ada' };

const codeTool: FlowNode = {
	name: 'Refund',
	type: `${LANGCHAIN}.toolCode`,
	typeVersion: 1.3,
	parameters: {
		description: 'Refunds a guest',
		jsCode: 'return JSON.stringify(query)',
		specifyInputSchema: true,
		schemaType: 'manual',
		inputSchema: JSON.stringify({
			type: 'object',
			properties: { Amount: { type: 'number' }, Guest: { type: 'string' } },
		}),
	},
};

const workflowTool: FlowNode = {
	name: 'Refund',
	type: `${LANGCHAIN}.toolWorkflow`,
	typeVersion: 2.2,
	parameters: {
		description: 'Refunds a guest',
		source: 'parameter',
		workflowJson: JSON.stringify({
			nodes: [
				{
					id: 'b1',
					name: 'Start',
					type: 'n8n-nodes-base.executeWorkflowTrigger',
					typeVersion: 1.1,
					position: [0, 0],
					parameters: { inputSource: 'passthrough' },
				},
			],
			connections: {},
		}),
	},
};

const autoMappingTool: FlowNode = {
	name: 'Refund',
	type: 'n8n-nodes-gatehouse.eventRegistrationTool',
	credentials: { eventRegistrationApi: {} },
	parameters: {
		resource: 'registration',
		operation: 'create',
		eventId: locateById('1001'),
		details: { mappingMode: 'autoMapInputData', value: null, schema: [] },
	},
};

describe("the agent's input item under human review, in a real n8n", () => {
	let userFolder: string;
	let lab: Lab;
	let chat: ChatServer;
	let service: Server;
	const receivedRequests: string[] = [];
	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(tmpdir(), 'gatehouse-reviewed-'));
		lab = await startLab({ userFolder, sandbox: { registrations: 1 } });
		chat = await ChatServer.open();
		service = createServer((request, response) => {
			let body = '';
			request.on('data', (part: Buffer) => (body += part.toString()));
			request.on('end', () => {
				receivedRequests.push(`${request.url} ${body}`);
				response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}');
			});
		});
		await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
	});
	afterAll(async () => {
		(service as Server | undefined)?.close();
		await (chat as ChatServer | undefined)?.close();
		await (lab as Lab | undefined)?.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	const openReviews = async (tool: FlowNode, item: object, before: FlowNode[] = []) =>
		new Reviews(lab, chat, await openReviewedTools(lab, chat, [tool], before), item);
	const callRefund = (values: Record<string, unknown> = toolArguments) => [
		{ tool: 'Refund', arguments: values },
	];

	test('Code Tool: the phone shows the fields of a chat, and the tool gets the arguments', async () => {
		const reviews = await openReviews(codeTool, chatInput);
		const { shownRequests, toolResults } = await reviews.run(callRefund(), ['approved']);
		expect(shownRequests).toMatchObject([
			{
				details: {
					...ARGUMENT_ROWS,
					"Workflow's data": '3, marked ◇',
					'◇ sessionId': 'f1',
					'◇ action': 'sendMessage',
					'◇ chatInput': 'Please refund me',
				},
			},
		]);
		expect(toolResults[0]).toContain('Ada');
	});

	test.each([
		[
			'in the input',
			{ type: 'tool_call', id: 'x', name: 'Code', args: { Amount: 900 } },
			toolArguments,
		],
		['from the model', {}, { ...toolArguments, type: 'tool_call', args: { Amount: 900 } }],
	])("Code Tool: a call in LangChain's own format %s is rejected", async (_, item, values) => {
		const reviews = await openReviews(codeTool, { ...chatInput, ...item });
		const { shownRequests, agentReply } = await reviews.run(callRefund(values), []);
		expect(shownRequests).toEqual([]);
		expect(agentReply).toMatch(/tool_call.*The tool was not run/);
	});

	test.each([
		['from the input', { input: 'refund Mallory 900' }, { query: 'refund Ada 5' }],
		['from the model', {}, { query: 'refund Ada 5', input: 'refund Mallory 900' }],
	])(
		'Workflow Tool: "input" %s that would replace the query is rejected',
		async (_, item, values) => {
			const reviews = await openReviews(workflowTool, item);
			const { shownRequests, agentReply } = await reviews.run(callRefund(values), []);
			expect(shownRequests).toEqual([]);
			expect(agentReply).toMatch(/beside other arguments.*The tool was not run/);
		},
	);

	test('Workflow Tool: the phone shows the only argument, and the tool gets it', async () => {
		const reviews = await openReviews(workflowTool, { query: 'refund Mallory 900' });
		const { shownRequests, toolResults } = await reviews.run(
			callRefund({ input: 'refund Ada 5' }),
			['approved'],
		);
		expect(shownRequests).toMatchObject([{ details: { '• input': 'refund Ada 5' } }]);
		expect(toolResults[0]).toContain('refund Ada 5');
	});

	test('a tool of the pack: the phone shows the fields that the tool maps automatically', async () => {
		const reviews = await openReviews(autoMappingTool, { Email: 'mallory@example.com' });
		const { shownRequests } = await reviews.run(callRefund({ FirstName: 'Ada' }), ['denied']);
		expect(shownRequests).toMatchObject([
			{ details: { '• FirstName': 'Ada', '◇ Email': 'mallory@example.com' } },
		]);
	});

	test('HTTP Request: the tool reads only its parameters, so the phone shows no other fields', async () => {
		const tool: FlowNode = {
			name: 'Refund',
			type: 'n8n-nodes-base.httpRequestTool',
			typeVersion: 4.2,
			parameters: {
				toolDescription: 'Refunds a guest',
				method: 'POST',
				url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/refund`,
				sendBody: true,
				bodyParameters: {
					parameters: [
						{ name: 'amount', value: fromAi('Amount', 'number') },
						{ name: 'guest', value: fromAi('Guest', 'string') },
					],
				},
				options: {},
			},
		};
		const hostileFields = {
			url: 'http://127.0.0.1:9/',
			method: 'PUT',
			Account: 'M',
			body: { a: 1 },
		};
		const query = { Amount: 900, amount: 900, Guest: 'Mallory' };
		const reviews = await openReviews(tool, { ...chatInput, ...hostileFields, query });
		const { shownRequests } = await reviews.run(callRefund(), ['approved']);
		expect(Object.keys(shownRequests[0]!.details).filter((name) => name.startsWith('◇'))).toEqual(
			[],
		);
		expect(shownRequests).toMatchObject([{ details: ARGUMENT_ROWS }]);
		expect(receivedRequests).toEqual(['/refund {"amount":5,"guest":"Ada"}']);
	});

	test('Data Table: the tool reads only its parameters, so the phone shows no other fields', async () => {
		const columns = [
			{ name: 'amount', type: 'number' },
			{ name: 'guest', type: 'string' },
			{ name: 'Account', type: 'string' },
		];
		const makeTable: FlowNode = {
			name: 'Make the table',
			type: 'n8n-nodes-base.dataTable',
			typeVersion: 1.1,
			parameters: {
				resource: 'table',
				operation: 'create',
				tableName: 'Refunds',
				columns: { column: columns },
				options: { createIfNotExists: true },
			},
		};
		const tool: FlowNode = {
			name: 'Refund',
			type: 'n8n-nodes-base.dataTableTool',
			typeVersion: 1.1,
			parameters: {
				resource: 'row',
				operation: 'insert',
				dataTableId: { __rl: true, mode: 'name', value: 'Refunds' },
				columns: {
					mappingMode: 'defineBelow',
					value: { amount: fromAi('Amount', 'number'), guest: fromAi('Guest', 'string') },
					matchingColumns: [],
					schema: columns.map(({ name, type }) => ({
						id: name,
						displayName: name,
						required: false,
						defaultMatch: false,
						display: true,
						type,
						readOnly: false,
						removed: false,
					})),
				},
				options: {},
			},
		};
		const hostileFields = { amount: 900, guest: 'Mallory', Account: 'M', query: { Amount: 900 } };
		const reviews = await openReviews(tool, { ...chatInput, ...hostileFields }, [makeTable]);
		const { shownRequests, toolResults } = await reviews.run(callRefund(), ['approved']);
		expect(Object.keys(shownRequests[0]!.details).filter((name) => name.startsWith('◇'))).toEqual(
			[],
		);
		expect(toolResults[0]).toContain('"amount":5');
		expect(toolResults[0]).not.toMatch(/"amount":900|Mallory|"Account":"M"/i);
	});
});
