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
const N8N_MESSAGE =
	'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}';

const hiddenProperty = (name: string, value: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'hidden',
	default: value,
});

/** Converts the properties of a send-and-wait node as n8n does for a human review. */
function toReviewProperties(properties: INodeProperties[]): INodeProperties[] {
	const otherProperties = properties.filter(
		({ name }) => !['resource', 'operation', 'message'].includes(name),
	);
	return [
		{ displayName: 'Message', name: 'message', type: 'string', default: N8N_MESSAGE },
		hiddenProperty('resource', 'approvalRequest'),
		hiddenProperty('operation', SEND_AND_WAIT_OPERATION),
		...otherProperties,
	];
}

type NodeClass = new () => INodeType;

/** Returns a function that derives a variant of a node class, once per class. */
function createVariant(
	suffix: string,
	inputs: ['ai_tool'] | [],
	convert: (properties: INodeProperties[]) => INodeProperties[],
): (Type: NodeClass) => NodeClass {
	const variants = new WeakMap<NodeClass, NodeClass>();
	return (Type) => {
		const variant = variants.get(Type) ?? deriveVariant(Type, suffix, inputs, convert);
		variants.set(Type, variant);
		return variant;
	};
}

function deriveVariant(
	Type: NodeClass,
	suffix: string,
	inputs: ['ai_tool'] | [],
	convert: (properties: INodeProperties[]) => INodeProperties[],
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
				properties: convert(description.properties),
			};
			const { execute } = Type.prototype as Required<INodeType>;
			// n8n calls `execute` of a tool without its other arguments.
			this.execute = async function (this: IExecuteFunctions) {
				this.getNode().rewireOutputLogTo = 'ai_tool';
				return await execute.call(this);
			};
		}
	};
}

/** A node as n8n turns it into the human review of tools. */
export const asReview = createVariant('HitlTool', ['ai_tool'], toReviewProperties);

/** A node as n8n turns it into a tool. */
export const asTool = createVariant('Tool', [], (properties) => properties);

/** A call of a tool as a model writes it. */
export interface ModelCall {
	id: string;
	tool: string;
	/** Arguments of the tool. */
	toolParameters?: unknown;
	/** Values for the parameters of the review that the model chooses. */
	hitlParameters?: IDataObject;
}

type Action = Extract<NodeOutput, { actions: unknown }>['actions'][number];
type ActionResponse = EngineResponse['actionResponses'][number];

/** State of the agent between its turns. */
interface Progress {
	turn: number;
	toolResults: string[];
}

/**
 * Simulates n8n's agent from version 3 on, as far as human review goes (`executeBatch`, `createEngineRequests` and
 * `processHitlResponses` of n8n 2.41.1): it plays the turns of a model, each a list of calls, and outputs what the model would
 * receive.
 */
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
		properties: [{ displayName: 'Turns', name: 'turns', type: 'json', default: '[]' }],
	};

	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<NodeOutput> {
		const turns = JSON.parse(this.getNodeParameter('turns', 0) as string) as ModelCall[][];
		const progress = (response?.metadata ?? {}) as Partial<Progress>;
		const { turn = -1, toolResults = [] } = progress;
		const actions: Action[] = [];
		const newToolResults = [...toolResults];
		for (const itemIndex of this.getInputData().keys()) {
			// n8n passes the responses for all items with each of them.
			const { approved, observations } = processResponses(
				response?.actionResponses ?? [],
				itemIndex,
			);
			if (approved.length > 0) {
				// Calls that were denied in the same turn are dropped here, as in n8n.
				actions.push(...approved);
				continue;
			}
			newToolResults.push(
				...observations.filter(({ item }) => item === itemIndex).map(({ text }) => text),
			);
			const calls = turns[turn + 1] ?? [];
			actions.push(...calls.map((call) => createReviewAction(call, itemIndex)));
		}
		if (actions.length === 0) return [[{ json: { toolResults: newToolResults } }]];
		const isNewTurn = actions.some(({ metadata }) => 'hitl' in metadata);
		return {
			actions,
			metadata: { turn: isNewTurn ? turn + 1 : turn, toolResults: newToolResults },
		};
	}
}

/** Returns the request for the review of a call. */
function createReviewAction(call: ModelCall, itemIndex: number): Action {
	const { id, tool, toolParameters, hitlParameters } = call;
	return {
		actionType: 'ExecutionNodeAction',
		nodeName: 'Ask',
		type: 'ai_tool',
		id: itemIndex === 0 ? id : `${id}_${itemIndex}`,
		input: { tool, ...hitlParameters, toolParameters: toolParameters as IDataObject },
		metadata: {
			itemIndex,
			hitl: { gatedToolNodeName: tool, toolName: tool, originalInput: toolParameters },
		},
	};
}

/** Data that n8n stores with the request for a review (human in the loop): the tool that waits for it, and its input. */
interface Hitl {
	gatedToolNodeName: string;
	toolName: string;
	originalInput: unknown;
}

/** Returns the tools that the reviews of the last step approved, and the messages to the model. */
function processResponses(responses: ActionResponse[], itemIndex: number) {
	const approved: Action[] = [];
	const observations: Array<{ item: number; text: string }> = [];
	for (const { action, data } of responses) {
		const { hitl, itemIndex: item } = action.metadata as { hitl?: Hitl; itemIndex: number };
		const output = data.data?.ai_tool?.[0]?.map(({ json }) => json) ?? [];
		if (hitl && output[0]?.approved === true)
			approved.push(createToolAction(action, hitl, itemIndex));
		else if (hitl)
			observations.push({ item, text: buildDenialMessage(hitl, action.id, output[0]) });
		else observations.push({ item, text: `${action.nodeName} ran: ${JSON.stringify(output)}` });
	}
	return { approved, observations };
}

/** Returns the request to run a tool that was approved. */
function createToolAction(
	{ id, nodeName }: ActionResponse['action'],
	hitl: Hitl,
	itemIndex: number,
): Action {
	const { gatedToolNodeName, toolName, originalInput } = hitl;
	return {
		actionType: 'ExecutionNodeAction',
		nodeName: gatedToolNodeName,
		type: 'ai_tool',
		id,
		input:
			typeof originalInput === 'object'
				? { tool: toolName, ...originalInput }
				: { tool: toolName, input: originalInput },
		metadata: { itemIndex, parentNodeName: nodeName },
	};
}

/** Returns n8n's message to the model about a call that was not approved. */
function buildDenialMessage(
	{ gatedToolNodeName }: Hitl,
	id: string,
	reviewOutput: IDataObject | undefined,
): string {
	const call = `call to ${gatedToolNodeName} (id: ${id})`;
	return typeof reviewOutput?.chatInput === 'string' && reviewOutput.chatInput !== ''
		? `The user reviewed your planned tool ${call} and provided feedback: "${reviewOutput.chatInput}".`
		: `User rejected the tool ${call}.`;
}

/** A tool that records its input items. Like the Code Tool, it may read all of them. */
export function recordingTool(
	inputs: IDataObject[],
	properties: INodeProperties[] = [
		{ displayName: 'Values', name: 'values', type: 'json', default: '' },
	],
): NodeClass {
	return class implements INodeType {
		description: INodeType['description'] = {
			displayName: 'Recording Tool',
			name: 'recordingTool',
			group: ['transform'],
			version: 1,
			description: 'Records its input items',
			defaults: { name: 'Recording Tool' },
			inputs: [],
			outputs: ['ai_tool'],
			properties,
		};

		async execute(this: IExecuteFunctions): Promise<NodeOutput> {
			inputs.push(...this.getInputData().map(({ json }) => json));
			return [[{ json: { done: true } }]];
		}
	};
}

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const anyProperty = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'json',
	default: '',
});

/** Imitates tools of n8n that define their arguments in different ways: only their parameters. They record their input items. */
export const n8nTools = (inputs: IDataObject[]): Record<string, NodeClass> => {
	const schema = ['specifyInputSchema', 'schemaType', 'inputSchema', 'jsonSchemaExample'];
	const types: Array<[string, string[]]> = [
		[`${LANGCHAIN}.toolCode`, [...schema, 'jsCode']],
		[`${LANGCHAIN}.toolWorkflow`, ['workflowInputs', 'fields']],
		[`${LANGCHAIN}.toolWikipedia`, []],
		[`${LANGCHAIN}.mcpClientTool`, []],
		['n8n-nodes-base.httpRequestTool', ['url']],
		['n8n-nodes-base.gmailTool', ['to']],
	];
	return Object.fromEntries(
		types.map(([type, names]) => [type, recordingTool(inputs, names.map(anyProperty))]),
	);
};

/** Imitates n8n's triggers that accept input from outside: only their parameters. */
export const openTriggers: Record<string, NodeClass> = Object.fromEntries(
	['n8n-nodes-base.webhook', 'n8n-nodes-base.formTrigger'].map((name) => [
		name,
		class implements INodeType {
			description: INodeType['description'] = {
				displayName: name,
				name,
				group: ['trigger'],
				version: 1,
				description: name,
				defaults: { name },
				inputs: [],
				outputs: ['main'],
				properties: [hiddenProperty('authentication', 'none')],
			};
		},
	]),
);
