import type { LabCredential } from '../../../lab/credentials';
import { Flow, recordingNode } from '../../../lab/drive/flows';
import type { FlowNode } from '../../../lab/drive/flows';
import type { Lab } from '../../../lab/lab';
import { unwrap } from '../../../lab/rest';
import { seededUserIds } from '../../sandbox/twoFactor.fixture';
import { locateById } from '../../support/locators';
import type { ChatServer } from '../support/chatServer';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const connectionToAgent = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] };
const connectionToReview = { ai_tool: [[{ node: 'Review', type: 'ai_tool', index: 0 }]] };

/** An agent with a scripted model, its tools, and the connections of the tools. */
interface Agent {
	typeVersion: number;
	/** Nodes between the webhook and the agent. */
	before?: FlowNode[];
	tools: FlowNode[];
	connections: Record<string, object>;
}

/** Opens a workflow with an agent whose answer contains the last results of its tools. */
async function openAgent(
	lab: Lab,
	chat: ChatServer,
	{ typeVersion, before = [], tools, connections }: Agent,
): Promise<Flow> {
	const account = { name: 'Scripted', type: 'openAiApi', data: { apiKey: 'any', url: chat.url } };
	const modelCredential = unwrap<LabCredential>(
		(await lab.rest.post('/credentials', account)).data,
	);
	const agent: FlowNode = {
		name: 'Agent',
		type: `${LANGCHAIN}.agent`,
		typeVersion,
		parameters: { promptType: 'define', text: 'Go', options: {} },
	};
	const model: FlowNode = {
		name: 'Model',
		type: `${LANGCHAIN}.lmChatOpenAi`,
		typeVersion: 1.3,
		credentials: { openAiApi: { id: modelCredential.id, name: modelCredential.name } },
		parameters: {
			model: locateById('any'),
			responsesApiEnabled: false,
			options: {},
		},
	};
	const connectionFromModel = {
		ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]],
	};
	return await Flow.open(
		lab,
		[...before, agent, recordingNode, model, ...tools],
		{},
		{},
		{ Next: {}, Model: connectionFromModel, ...connections },
	);
}

/** A tool that returns the status of a user. */
const statusTool = (name: string): FlowNode => ({
	name,
	type: 'n8n-nodes-gatehouse.twoFactorTool',
	credentials: { twoFactorApi: {} },
	parameters: {
		resource: 'user',
		operation: 'getStatus',
		twofactorId: "={{ $fromAI('User', '', 'string') }}",
	},
});

/** Opens a workflow with an agent whose input item is the posted body, and whose tool calls a person reviews on the phone. */
export const openReviewedTools = async (
	lab: Lab,
	chat: ChatServer,
	tools: FlowNode[],
	before: FlowNode[] = [],
): Promise<Flow> =>
	await openAgent(lab, chat, {
		typeVersion: 3.1,
		before: [
			...before,
			{
				name: 'Posted',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: "={{ $('Call').first().json.body }}", options: {} },
			},
		],
		tools: [review, ...tools],
		connections: {
			Review: connectionToAgent,
			...Object.fromEntries(tools.map(({ name }) => [name, connectionToReview])),
		},
	});

const review: FlowNode = {
	name: 'Review',
	type: 'n8n-nodes-gatehouse.twoFactorHitlTool',
	credentials: { twoFactorApi: {} },
	parameters: { twofactorId: `${seededUserIds.withApp}` },
};

/** Opens a workflow with an agent whose two tools, Look up and Find, are reviewed on the phone. */
export const openReviewed = async (lab: Lab, chat: ChatServer): Promise<Flow> =>
	await openAgent(lab, chat, {
		typeVersion: 3.1,
		tools: [review, statusTool('Look up'), statusTool('Find')],
		connections: {
			Review: connectionToAgent,
			'Look up': connectionToReview,
			Find: connectionToReview,
		},
	});

/** Opens a workflow with an agent that has one tool. */
export const openWithTool = async (
	lab: Lab,
	chat: ChatServer,
	{ type, ...tool }: FlowNode,
	typeVersion: number,
): Promise<Flow> =>
	await openAgent(lab, chat, {
		typeVersion,
		tools: [{ ...tool, type: `${type}Tool` }],
		connections: { [tool.name]: connectionToAgent },
	});
