import type { IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../errors';
import { fieldsOutsideArguments, toolArguments } from '../n8n/toolItem';
import { isRecord } from '../values/isRecord';
import { agentRunOf } from './agentRun';
import type { AgentRun } from './agentRun';
import { inspectGuardedTool } from './guardedTool';

type Fields = Array<[string, unknown]>;

/** A tool call under review, exactly as n8n runs it after approval. */
export interface ToolCall {
	tool: string;
	arguments: Fields;
	/** Fields of the agent's input item that n8n passes to the tool next to the arguments. Empty if the tool cannot read them. */
	workflowData: Fields;
	/** The agent node that requests the call. */
	agent: string;
}

const ONLY_ARGUMENTS = 'Call the tool again with its own arguments only.';
const NOT_A_CALL = [
	"This isn't a tool call, so there is nothing to review",
	'Connect the tools to guard to this node, and this node to an agent.',
] as const;
const UNKNOWN_CALL = [
	"n8n doesn't say for sure which call would be run",
	'Call one tool at a time. Tell the person who runs this workflow: the review works below an AI Agent of version 3 or later.',
] as const;
const OTHER_TOOL = [
	'The call names a different tool for review than the one that would run',
	ONLY_ARGUMENTS,
] as const;
const OVERRIDES_REVIEW = [
	'The call gives "tool" or "toolParameters" inside "query", which would replace what the phone shows',
	ONLY_ARGUMENTS,
] as const;
const CHECK_INPUT_FIELDS =
	'Tell the person who runs this workflow: if the field comes from the input, put Edit Fields before the agent and keep only what it needs.';
const NESTED_CALL = [
	'The tool would be run with "type": "tool_call", which makes other arguments count than those beside it',
	`${ONLY_ARGUMENTS} ${CHECK_INPUT_FIELDS}`,
] as const;
const INPUT_BESIDE_ARGUMENTS = [
	'The tool would be run with "input" beside other arguments, and a tool that takes one text runs "input" instead of them',
	`Call the tool again with "input" as its only argument, or without it. ${CHECK_INPUT_FIELDS}`,
] as const;
const DUPLICATE_ARGUMENT = [
	'The call gives the same argument twice, once inside "query"',
	'Call the tool again with each argument once.',
] as const;

/**
 * Returns the tool call of an item. Both the model and the author of the workflow's input can write into the item, so a call
 * is rejected if n8n or LangChain would run a call other than the one that the reviewer sees.
 */
export function toolCallOf(context: IExecuteFunctions, itemIndex: number): ToolCall {
	const { run, named: toolName } = readReviewItem(context, itemIndex);
	const { tool, agent, toolNode, items, reviewQuery } = run;
	// The arguments that the model writes for the review can overwrite `tool` in the item.
	if (toolName !== tool) throw new BadInput(...OTHER_TOOL);
	// n8n 2.41.1 reads `$tool` from `query` first (n8n-workflow, `workflow-data-proxy`).
	if (hasOwn(reviewQuery, 'tool') || hasOwn(reviewQuery, 'toolParameters'))
		throw new BadInput(...OVERRIDES_REVIEW);
	if (items.length > 1) throw severalItems(items.length);
	const fields = toolArguments(run.input);
	const byName = new Map(fields);
	// A node that offers several tools selects one by this argument, not by the name of the called tool.
	if (byName.has('tool') && byName.get('tool') !== tool) throw new BadInput(...OTHER_TOOL);
	rejectDuplicates(byName);
	const itemFields = fieldsOutsideArguments(items[0]?.json ?? {}, byName.keys());
	const type = byName.get('type') ?? new Map(itemFields).get('type');
	// LangChain runs an item of this type with its `args` as the arguments (`_isToolCall` in @langchain/core).
	if (type === 'tool_call') throw new BadInput(...NESTED_CALL);
	const guardedTool = inspectGuardedTool(context, toolNode);
	const { readsItem, fillsDefaults, mayRunInputAlone, requiredArguments } = guardedTool;
	if (mayRunInputAlone && hasInputBesideArguments(byName, itemFields))
		throw new BadInput(...INPUT_BESIDE_ARGUMENTS);
	rejectMissing(byName, requiredArguments);
	if (fillsDefaults) rejectNull(fields);
	return { tool, agent, arguments: fields, workflowData: readsItem ? itemFields : [] };
}

/** Returns the agent's run behind a review item, and the name of the tool according to the item. */
export function readReviewItem(
	context: IExecuteFunctions,
	itemIndex: number,
): { run: AgentRun; named: string } {
	const { tool: toolName, toolCallId: id } = context.getInputData()[itemIndex]!.json;
	if (typeof toolName !== 'string' || toolName === '' || typeof id !== 'string') {
		throw new BadInput(...NOT_A_CALL);
	}
	const run = agentRunOf(context, id);
	if (run === undefined) throw new BadInput(...UNKNOWN_CALL);
	return { run, named: toolName };
}

const hasOwn = (value: unknown, name: string): boolean =>
	typeof value === 'object' && value !== null && Object.hasOwn(value, name);

/** Needed because `$fromAI` prefers a member of `query`, an object or a list, over the argument of the same name. */
function rejectDuplicates(byName: Map<string, unknown>): void {
	const query = byName.get('query');
	const hasNamedMembers = Array.isArray(query) && Object.keys(query).length !== query.length;
	if (hasNamedMembers || [...byName.keys()].some((name) => hasOwn(query, name))) {
		throw new BadInput(...DUPLICATE_ARGUMENT);
	}
}

/** Whether the tool gets `input`, as an argument or from the item, and another argument. n8n itself adds `tool`. */
function hasInputBesideArguments(byName: Map<string, unknown>, itemFields: Fields): boolean {
	const hasInput = byName.has('input') || itemFields.some(([name]) => name === 'input');
	return hasInput && [...byName.keys()].some((name) => name !== 'input' && name !== 'tool');
}

/** Counts a member of `query` as given, because `$fromAI` reads it. */
function rejectMissing(byName: Map<string, unknown>, required: string[]): void {
	const query = byName.get('query');
	const missing = required.filter((name) => !byName.has(name) && !hasOwn(query, name));
	if (missing.length === 0) return;
	throw new BadInput(
		`The call lacks what the tool requires: ${missing.join(', ').slice(0, 200)}`,
		'Call the tool again with all required arguments.',
	);
}

function rejectNull(fields: Fields): void {
	const query = new Map(fields).get('query');
	const queryEntries = isRecord(query) ? Object.entries(query) : [];
	const empty = [...fields, ...queryEntries].find(([, value]) => value === null);
	if (!empty) return;
	throw new BadInput(
		`The argument ${empty[0].slice(0, 100)} is null, and the tool would use its own default instead`,
		'Call the tool again with a value for it, or without it.',
	);
}

const severalItems = (count: number) =>
	new BadInput(
		`The agent has ${count} items, and n8n would run each approved tool once for every item`,
		'Tell the person who runs this workflow: Put Loop Over Items before the agent, with a batch size of 1.',
	);
