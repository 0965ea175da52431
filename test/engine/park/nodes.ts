import { CHAT_TRIGGER_NODE_TYPE } from 'n8n-workflow';
import type {
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	NodeOutput,
} from 'n8n-workflow';

/** How long the imitated Wait node waits. */
export const WAIT_NODE_MS = 600_000;

const describeNode = (name: string, inputs: ['main'] | []): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['input'],
	version: 1,
	description: name,
	defaults: { name },
	inputs,
	outputs: ['main'],
	properties: [],
});

/** Inputs and times that the nodes around the waiting one record. */
export interface NodeRecords {
	/** Input of the node after the waiting one, by execution: one entry per run. */
	nextInputs: Map<string, IDataObject[][]>;
	/** When each run of the Wait node began. */
	waitNodeStarts: number[];
}

/** Returns the node types around the waiting node. */
export function createSurroundingNodes({
	nextInputs,
	waitNodeStarts,
}: NodeRecords): Record<string, new () => INodeType> {
	/** Records its input items. */
	class Next implements INodeType {
		description = describeNode('next', ['main']);

		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const id = (this.getExecutionId() as string | undefined) ?? '1';
			const items = this.getInputData();
			nextInputs.set(id, [...(nextInputs.get(id) ?? []), items.map(({ json }) => json)]);
			return [items];
		}
	}
	/** Imitates n8n's Wait node with a wait of ten minutes, and records when it began. */
	class Pause implements INodeType {
		description = describeNode('pause', ['main']);

		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			await this.putExecutionToWait(new Date(Date.now() + WAIT_NODE_MS));
			waitNodeStarts.push(Date.now());
			return [this.getInputData()];
		}
	}
	/** Imitates n8n's agent from version 3 on: has n8n run the tool Ask, once or more in a turn, and outputs its first result. */
	class Agent implements INodeType {
		description = {
			...describeNode('agent', ['main']),
			properties: [
				{ displayName: 'Call Count', name: 'callCount', type: 'number' as const, default: 1 },
			],
		};

		async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
			const [actionResponse] = response?.actionResponses ?? [];
			const toolResult = actionResponse?.data.data?.ai_tool?.[0]?.map(({ json }) => json);
			if (toolResult) return [[{ json: { toolResult } }]];
			const metadata = { itemIndex: 0 };
			const tool = {
				actionType: 'ExecutionNodeAction',
				nodeName: 'Ask',
				type: 'ai_tool',
			} as const;
			const callCount = this.getNodeParameter('callCount', 0) as number;
			const actions = Array.from({ length: callCount }, (_, index) => ({
				...tool,
				id: `call-${index + 1}`,
				input: { question: 'One?' },
				metadata,
			}));
			return { actions, metadata: {} };
		}
	}
	/** Imitates the response mode of n8n's Webhook node. */
	class Hook extends Next {
		override description = {
			...describeNode('hook', []),
			properties: [
				{
					displayName: 'Respond',
					name: 'responseMode',
					type: 'string' as const,
					default: 'onReceived',
				},
			],
		};
	}
	/** Imitates the response mode and authentication of n8n's Chat Trigger. */
	class Chat extends Next {
		override description = {
			...describeNode('chatTrigger', []),
			properties: [
				{
					displayName: 'Authentication',
					name: 'authentication',
					type: 'string' as const,
					default: 'none',
				},
				{ displayName: 'Public', name: 'public', type: 'boolean' as const, default: false },
				{
					displayName: 'Make Available in n8n Chat Hub',
					name: 'availableInChat',
					type: 'boolean' as const,
					default: false,
				},
				{
					displayName: 'Options',
					name: 'options',
					type: 'collection' as const,
					default: {},
					options: [
						{
							displayName: 'Response Mode',
							name: 'responseMode',
							type: 'string' as const,
							default: 'lastNode',
						},
					],
				},
			],
		};
	}
	return { next: Next, pause: Pause, hook: Hook, [CHAT_TRIGGER_NODE_TYPE]: Chat, agent: Agent };
}
