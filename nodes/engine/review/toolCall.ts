import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../errors';
import { isRecord } from '../values/convert';

/** A tool call that a person is to review: what n8n will really run if it is approved. */
export interface ToolCall {
	tool: string;
	/** Each argument by its name. */
	arguments: Array<[string, unknown]>;
	/** The node that asks for it. */
	agent?: string;
}

const NOT_A_CALL = [
	"This isn't a tool call, so there is nothing to review",
	'Connect the tools to guard to this node, and this node to an agent.',
] as const;
const UNCLEAR = [
	"n8n doesn't say for sure which tool would be run",
	'Tell the person who runs this workflow: give each tool a human review of its own.',
] as const;
const OTHER_TOOL = [
	'The call names a different tool for review than the one that would run',
	'Call the tool again with its own arguments only.',
] as const;
const TWICE = [
	'The call gives the same argument twice, once inside "query"',
	'Call the tool again with each argument once.',
] as const;

/**
 * The tool call of an item. The model has a hand in everything in the item, so whatever n8n would take differently from how it
 * reads is refused.
 */
export function toolCallOf(context: IExecuteFunctions, itemIndex: number): ToolCall {
	const { json } = context.getInputData()[itemIndex]!;
	const { tool: named, toolParameters: parameters, toolCallId: id } = json;
	if (typeof named !== 'string' || named === '' || typeof id !== 'string') {
		throw new BadInput(...NOT_A_CALL);
	}
	const tool = toolAskedFor(context, id) ?? onlyTool(context, named);
	if (tool === undefined) throw new BadInput(...UNCLEAR);
	// What the model adds for the review can overwrite the name in the item.
	if (named !== tool) throw new BadInput(...OTHER_TOOL);
	const given = argumentsIn(parameters);
	const byName = new Map(given);
	// A node of several tools goes by this argument, and not by the name of the tool.
	if (byName.has('tool') && byName.get('tool') !== tool) throw new BadInput(...OTHER_TOOL);
	// What is inside this argument goes before the arguments beside it.
	const query = byName.get('query');
	if (isRecord(query) && Object.keys(query).some((name) => byName.has(name))) {
		throw new BadInput(...TWICE);
	}
	const { source } = context.getExecuteData();
	return { tool, arguments: given, agent: source?.main?.[0]?.previousNode };
}

/** Each argument as n8n hands it to the tool. */
function argumentsIn(parameters: unknown): Array<[string, unknown]> {
	if (parameters === undefined || parameters === null) return [];
	return typeof parameters === 'object' ? Object.entries(parameters) : [['input', parameters]];
}

/** What an agent asked n8n for, as far as it matters here. */
interface Asked {
	id?: unknown;
	nodeName?: unknown;
	metadata?: { hitl?: { toolName?: unknown } };
}

/** The tool that an agent has asked n8n for under this id, where n8n shows what it has still to do. */
function toolAskedFor(context: IExecuteFunctions, id: string): string | undefined {
	const { runExecutionData } = context as unknown as {
		runExecutionData?: { executionData?: { nodeExecutionStack?: IExecuteData[] } };
	};
	const stack = runExecutionData?.executionData?.nodeExecutionStack ?? [];
	const asked = stack
		.flatMap(({ metadata }) => metadata?.subNodeExecutionData?.actions ?? [])
		.map(({ action }) => action as Asked)
		.filter((action) => action.id === id && action.nodeName === context.getNode().name)
		.map(({ metadata }) => metadata?.hitl?.toolName);
	const [first] = asked;
	return typeof first === 'string' && asked.every((one) => one === first) ? first : undefined;
}

/** The name of the tool in the item, where this node guards only one. */
const onlyTool = (context: IExecuteFunctions, named: string): string | undefined =>
	context.getParentNodes(context.getNode().name, { connectionType: 'ai_tool', depth: 1 }).length ===
	1
		? named
		: undefined;
