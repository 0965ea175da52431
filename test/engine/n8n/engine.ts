import type {
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeType,
	INodeTypeDescription,
	NodeConnectionType,
	NodeOutput,
} from 'n8n-workflow';

import { connectTo, runNode, runWorkflow } from '../../support/workflow';
import type { NodeKit } from '../../support/workflow';

type Execute = (context: IExecuteFunctions, response?: EngineResponse) => Promise<NodeOutput>;

/** Creates a node type for n8n's engine with the behavior that a test defines. */
export function createNodeType(
	execute: Execute,
	description: Partial<INodeTypeDescription> = {},
): new () => INodeType {
	return class implements INodeType {
		description: INodeTypeDescription = {
			displayName: 'Probe',
			name: 'probe',
			group: ['input'],
			version: 1,
			description: 'Does what a test says',
			defaults: { name: 'Probe' },
			inputs: ['main'] as NodeConnectionType[],
			outputs: ['main'] as NodeConnectionType[],
			properties: [{ displayName: 'Operation', name: 'operation', type: 'string', default: '' }],
			...description,
		};

		async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
			return await execute(this, response);
		}
	};
}

export const createKit = (nodes: NodeKit['nodes']): NodeKit => ({
	nodes,
	credentials: [],
	credentialData: {},
});

/** Runs a function inside a node on n8n's engine, and returns its last result. */
export async function runInNode<T>(
	inspect: (context: IExecuteFunctions) => T | Promise<T>,
	parameters: INode['parameters'] = {},
): Promise<T> {
	let found: { value: T } | undefined;
	const type = createNodeType(async (context) => {
		found = { value: await inspect(context) };
		return [[{ json: {} }]];
	});
	const { error } = await runNode(createKit({ probe: type }), 'probe', parameters);
	if (!found) throw error ?? new Error('The node was not run');
	return found.value;
}

/** Runs an agent that requests one tool on n8n's engine, and the tool. */
export async function runAgent(
	input: IDataObject,
	item: IDataObject,
	tool: Parameters<typeof createNodeType>[0],
) {
	const hitl = { gatedToolNodeName: 'Other', toolName: 'other', originalInput: item };
	const agent = createNodeType(async (_, response?: EngineResponse) =>
		response?.actionResponses.length
			? [[{ json: { done: true } }]]
			: {
					actions: [
						{
							actionType: 'ExecutionNodeAction',
							nodeName: 'Tool',
							type: 'ai_tool',
							id: 'call-1',
							input: { tool: 'other', ...item },
							metadata: { itemIndex: 0, hitl },
						},
					],
					metadata: {},
				},
	);
	return await runWorkflow(
		createKit({ agent, tool: createNodeType(tool, { inputs: [], outputs: ['ai_tool'] }) }),
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Agent', type: 'agent' },
			{ name: 'Tool', type: 'tool', rewireOutputLogTo: 'ai_tool' },
		],
		{
			Start: connectTo('Agent'),
			Tool: connectTo('Agent', 'ai_tool'),
		},
		[input],
	);
}
