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

const described = (name: string, inputs: ['main'] | []): INodeTypeDescription => ({
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

/** What the nodes around ours write down. */
export interface Notes {
	/** What reached the node behind ours, by execution: one entry for each time that it ran. */
	passed: Map<string, IDataObject[][]>;
	/** When each pause began. */
	pauses: number[];
}

/** The nodes around ours, by their types. */
export function nodesAround({ passed, pauses }: Notes): Record<string, new () => INodeType> {
	class Next implements INodeType {
		description = described('next', ['main']);

		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const id = (this.getExecutionId() as string | undefined) ?? '1';
			const items = this.getInputData();
			passed.set(id, [...(passed.get(id) ?? []), items.map(({ json }) => json)]);
			return [items];
		}
	}
	/** n8n's Wait node, as far as it rests: it notes when it began, and its successor how long that took. */
	class Pause implements INodeType {
		description = described('pause', ['main']);

		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			await this.putExecutionToWait(new Date(Date.now() + 600_000));
			pauses.push(Date.now());
			return [this.getInputData()];
		}
	}
	/** n8n's agent from version 3 on, as far as it has n8n run one tool, once or more in a turn, and puts out what that said. */
	class Agent implements INodeType {
		description = {
			...described('agent', ['main']),
			properties: [{ displayName: 'Calls', name: 'calls', type: 'number' as const, default: 1 }],
		};

		async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
			const [answered] = response?.actionResponses ?? [];
			const said = answered?.data.data?.ai_tool?.[0]?.map(({ json }) => json);
			if (said) return [[{ json: { said: said } }]];
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
	/** n8n's Webhook node, as far as it says when it answers. */
	class Hook extends Next {
		override description = {
			...described('hook', []),
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
	/** n8n's Chat Trigger, as far as it says when it answers, and who may call it. */
	class Chat extends Next {
		override description = {
			...described('chatTrigger', []),
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
