import type {
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
	IRunData,
} from 'n8n-workflow';

import { isReview } from '../asTool';
import { isRecord } from '../values/convert';

/** What an agent has asked n8n for: the review of a tool call, and the tool that runs once it is approved. */
interface ReviewAction {
	id?: unknown;
	nodeName?: unknown;
	/** What n8n gives the review, before the agent's input item is merged with it. */
	input?: unknown;
	metadata?: {
		hitl?: { gatedToolNodeName?: unknown; toolName?: unknown; originalInput?: unknown };
	};
}

/** The run of an agent node that asks for a review. It spans all turns of the model, and every wait between them. */
export interface AgentRun {
	agent: string;
	runIndex: number;
	/** The agent's input items. */
	items: INodeExecutionData[];
	tool: string;
	toolNode: string;
	/** The arguments as the model gave them. */
	input: unknown;
	/** The argument `query` of the review itself, also from the model. */
	told: unknown;
}

/** n8n's own record of the execution. It is stored with the execution while that waits. */
interface ExecutionRecord {
	executionData?: { nodeExecutionStack?: IExecuteData[] };
	resultData?: { runData?: IRunData };
}

const recordOf = (context: IExecuteFunctions): ExecutionRecord =>
	(context as unknown as { runExecutionData?: ExecutionRecord }).runExecutionData ?? {};

/**
 * Returns the agent's run that has asked for the review of the call with this id, from n8n's execution stack: the model cannot
 * write there. Undefined where there is none, or where several calls with this id differ.
 */
export function agentRunOf(context: IExecuteFunctions, id: string): AgentRun | undefined {
	const { name } = context.getNode();
	const found = (recordOf(context).executionData?.nodeExecutionStack ?? []).flatMap((entry) =>
		(entry.metadata?.subNodeExecutionData?.actions ?? [])
			.map(({ action }) => action as ReviewAction)
			.filter((action) => action.id === id && action.nodeName === name)
			.map((action) => runOf(entry, action)),
	);
	const [first] = found;
	return found.every((one) => JSON.stringify(one) === JSON.stringify(first)) ? first : undefined;
}

function runOf(
	{ node, runIndex = 0, data }: IExecuteData,
	{ input, metadata }: ReviewAction,
): AgentRun | undefined {
	const { toolName, gatedToolNodeName, originalInput } = metadata?.hitl ?? {};
	if (typeof toolName !== 'string' || typeof gatedToolNodeName !== 'string') return undefined;
	const items = data.main?.[0] ?? [];
	const tool = { tool: toolName, toolNode: gatedToolNodeName, input: originalInput };
	const told = isRecord(input) ? input.query : undefined;
	return { agent: node.name, runIndex, items, told, ...tool };
}

/** The outputs of all human reviews of an agent in this execution, oldest first for each node. */
export function reviewsOf(context: IExecuteFunctions, agent: string): IDataObject[] {
	const { runData = {} } = recordOf(context).resultData ?? {};
	return context
		.getParentNodes(agent, { connectionType: 'ai_tool', depth: 1 })
		.filter(isReview)
		.flatMap(({ name }) => runData[name] ?? [])
		.map(({ data }) => data?.ai_tool?.[0]?.[0]?.json)
		.filter(isRecord);
}
