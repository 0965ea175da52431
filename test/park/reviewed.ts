import { deepCopy, SEND_AND_WAIT_OPERATION } from 'n8n-workflow';
import type {
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodeType,
	NodeOutput,
} from 'n8n-workflow';

/** The message that n8n gives every human review. */
export const N8N_MESSAGE =
	'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}';

const hidden = (name: string, value: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'hidden',
	default: value,
});

/** What n8n makes of the properties of a node that sends and waits. */
function reviewProperties(properties: INodeProperties[]): INodeProperties[] {
	const own = properties.filter(({ name }) => !['resource', 'operation', 'message'].includes(name));
	return [
		{ displayName: 'Message', name: 'message', type: 'string', default: N8N_MESSAGE },
		hidden('resource', 'approvalRequest'),
		hidden('operation', SEND_AND_WAIT_OPERATION),
		...own,
	];
}

type NodeClass = new () => INodeType;

/** Makes a variant of a node, once for each class of it. */
function variant(
	suffix: string,
	inputs: ['ai_tool'] | [],
	change: (properties: INodeProperties[]) => INodeProperties[],
): (Type: NodeClass) => NodeClass {
	const made = new WeakMap<NodeClass, NodeClass>();
	return (Type) => {
		const known = made.get(Type) ?? variantOf(Type, suffix, inputs, change);
		made.set(Type, known);
		return known;
	};
}

function variantOf(
	Type: NodeClass,
	suffix: string,
	inputs: ['ai_tool'] | [],
	change: (properties: INodeProperties[]) => INodeProperties[],
): NodeClass {
	return class extends Type {
		constructor() {
			super();
			const description = deepCopy(this.description);
			this.description = {
				...description,
				name: `${description.name}${suffix}`,
				inputs,
				outputs: ['ai_tool'],
				properties: change(description.properties),
			};
			const { execute } = Type.prototype as Required<INodeType>;
			// As n8n does it, which loses what it is given besides.
			this.execute = async function (this: IExecuteFunctions) {
				this.getNode().rewireOutputLogTo = 'ai_tool';
				return await execute.call(this);
			};
		}
	};
}

/** A node as n8n turns it into the human review of tools. */
export const asReview = variant('HitlTool', ['ai_tool'], reviewProperties);

/** A node as n8n turns it into a tool. */
export const asTool = variant('Tool', [], (properties) => properties);

/** A call of a tool as a model writes it. */
export interface ModelCall {
	id: string;
	tool: string;
	toolParameters?: unknown;
	hitlParameters?: IDataObject;
}

/** n8n's agent, as far as it has the calls in its input reviewed and puts out what its model would be told. */
export class ReviewedAgent implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Agent',
		name: 'reviewedAgent',
		group: ['input'],
		version: 1,
		description: 'Agent',
		defaults: { name: 'Agent' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};

	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
		const answers = response?.actionResponses ?? [];
		if (answers.length > 0) {
			const said = answers.map(({ action, data }) => {
				const json = data.data?.ai_tool?.[0]?.[0]?.json;
				const { toolName } = (action.metadata as { hitl: { toolName: string } }).hitl;
				return toldModel(toolName, action.id, json);
			});
			return [[{ json: { said } }]];
		}
		const calls = this.getInputData()[0]!.json.calls as unknown as ModelCall[];
		const actions = calls.map(({ id, tool, toolParameters, hitlParameters }) => ({
			actionType: 'ExecutionNodeAction' as const,
			nodeName: 'Ask',
			type: 'ai_tool' as const,
			id,
			input: { tool, ...hitlParameters, toolParameters: toolParameters as IDataObject },
			metadata: {
				itemIndex: 0,
				hitl: { gatedToolNodeName: tool, toolName: tool, originalInput: toolParameters },
			},
		}));
		return { actions, metadata: {} };
	}
}

/** What n8n tells the model of a review. */
function toldModel(tool: string, id: string, json: IDataObject | undefined): string {
	if (json?.approved === true) return `${tool} runs`;
	const call = `call to ${tool} (id: ${id})`;
	return typeof json?.chatInput === 'string' && json.chatInput !== ''
		? `The user reviewed your planned tool ${call} and provided feedback: "${json.chatInput}".`
		: `User rejected the tool ${call}.`;
}
