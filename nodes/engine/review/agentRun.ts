import type {
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { requestedActions, runDataOf } from '../n8n/agentStack';
import type { RequestedAction } from '../n8n/agentStack';
import { isReview } from '../n8n/toolVariants';
import { isRecord } from '../values/isRecord';

/** The run of an agent node that requests a review. It spans all turns of the model and all waits between them. */
export interface AgentRun {
	agent: string;
	runIndex: number;
	/** The agent's input items. */
	items: INodeExecutionData[];
	tool: string;
	toolNode: string;
	/** The arguments as the model wrote them. */
	input: unknown;
	/** The argument `query` of the review itself, also written by the model. */
	reviewQuery: unknown;
}

/**
 * Returns the agent's run that requested the review of the call with this ID, from n8n's execution stack, to which the model
 * cannot write. Returns undefined if no run is found, or if several calls with this ID differ.
 */
export function agentRunOf(context: IExecuteFunctions, id: string): AgentRun | undefined {
	const { name } = context.getNode();
	const runs = requestedActions(context)
		.filter(({ action }) => action.id === id && action.nodeName === name)
		.map(({ requester, action }) => runOf(requester, action));
	const [first] = runs;
	return runs.every((one) => JSON.stringify(one) === JSON.stringify(first)) ? first : undefined;
}

function runOf(
	{ node, runIndex = 0, data }: IExecuteData,
	{ input, metadata }: RequestedAction,
): AgentRun | undefined {
	const { toolName, gatedToolNodeName, originalInput } = metadata?.hitl ?? {};
	if (typeof toolName !== 'string' || typeof gatedToolNodeName !== 'string') return undefined;
	const items = data.main?.[0] ?? [];
	const tool = { tool: toolName, toolNode: gatedToolNodeName, input: originalInput };
	const reviewQuery = isRecord(input) ? input.query : undefined;
	return { agent: node.name, runIndex, items, reviewQuery, ...tool };
}

/** Returns the outputs of all human reviews of an agent in this execution, oldest first per review node. */
export function reviewsOf(context: IExecuteFunctions, agent: string): IDataObject[] {
	const runData = runDataOf(context);
	return context
		.getParentNodes(agent, { connectionType: 'ai_tool', depth: 1 })
		.filter(isReview)
		.flatMap(({ name }) => runData[name] ?? [])
		.map(({ data }) => data?.ai_tool?.[0]?.[0]?.json)
		.filter(isRecord);
}
