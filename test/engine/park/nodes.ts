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

/** Records of the nodes around the waiting one. */
export interface Notes {
	/** Input of the node after the waiting one, by execution: one entry per run. */
	nextInputs: Map<string, IDataObject[][]>;
	/** When each run of the Wait node began. */
	waitNodeStarts: number[];
}

/** Node types around the waiting node. */
export function nodesAround({
	nextInputs,
	waitNodeStarts,
}: Notes): Record<string, new () => INodeType> {
	class Next implements INodeType {
		description = describeNode('next', ['main']);

		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const id = (this.getExecutionId() as string | undefined) ?? '1';
			const items = this.getInputData();
			nextInputs.set(id, [...(nextInputs.get(id) ?? []), items.map(({ json }) => json)]);
			return [items];
		}
	}
	/** Imitates n8n's Wait node: records when it began, and the next node how long it took. */
	class Pause implements INodeType {
		description = describeNode('pause', ['main']);

		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			await this.putExecutionToWait(new Date(Date.now() + 600_000));
			waitNodeStarts.push(Date.now());
			return [this.getInputData()];
		}
	}
	/** Imitates n8n's agent from version 3 on: has n8n run one tool, once or more in a turn, and outputs its result. */
	class Agent implements INodeType {
		description = {
			...describeNode('agent', ['main']),
			properties: [{ displayName: 'Calls', name: 'calls', type: 'number' as const, default: 1 }],
		};

		async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
			const [actionResponse] = response?.actionResponses ?? [];
			const message = actionResponse?.data.data?.ai_tool?.[0]?.map(({ json }) => json);
			if (message) return [[{ json: { said: message } }]];
			const metadata = { itemIndex: 0 };
			const tool = {
				actionType: 'ExecutionNodeAction',
				nodeName: 'Ask',
				type: 'ai_tool',
			} as const;
			const calls = this.getNodeParameter('calls', 0) as number;
			const actions = Array.from({ length: calls }, (_, index) => ({
				...tool,
				id: `call-${index + 1}`,
				input: { question: 'One?' },
				metadata,
			}));
			return { actions, metadata: {} };
		}
	}
	/** Imitates n8n's Webhook node: its response mode. */
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
	/** Imitates n8n's Chat Trigger: its response mode and authentication. */
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
