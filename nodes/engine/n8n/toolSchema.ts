// The arguments that a tool defines, as far as the tool's stored parameters show them.
//
// Relies on: n8n makes an argument of each `$fromAI` in the parameters of a tool, required unless it has a default (n8n-core,
//   dist/execution-engine/node-execution-context/utils/create-node-as-tool.js; n8n-workflow, `extractFromAICalls`). The Workflow
//   Tool does so only if it has workflow inputs (@n8n/n8n-nodes-langchain, WorkflowToolService.js), and the Code Tool has a
//   schema or an example in its parameters (ToolCode.node.js). All other tools of LangChain's class `Tool` take one text: they run
//   the item's field `input` alone and ignore the others (@langchain/core, dist/tools).
// Verified on: 2.41.1 (test/engine/n8n/toolSchema.test.ts).
// If absent: a call that lacks an argument is shown for approval, or a call with an argument `input` is rejected.

import { extractFromAICalls } from 'n8n-workflow';
import type { NodeTypeAndVersion } from 'n8n-workflow';

/** Names of the arguments that a tool defines. */
export interface DefinedArguments {
	all: string[];
	/** Without those that have a default. */
	required: string[];
}

type Tool = Pick<NodeTypeAndVersion, 'type' | 'typeVersion' | 'parameters'>;

const CODE_TOOL = '@n8n/n8n-nodes-langchain.toolCode';
const WORKFLOW_TOOL = '@n8n/n8n-nodes-langchain.toolWorkflow';
/** From this version on, the Code Tool requires all members of its example. */
const EXAMPLE_REQUIRED_SINCE = 1.3;

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const NONE: DefinedArguments = { all: [], required: [] };

/** Returns the arguments that the parameters of a tool define. Omits those in a text that cannot be parsed. */
export function definedArguments({ type, typeVersion, parameters = {} }: Tool): DefinedArguments {
	if (type === CODE_TOOL) {
		const hasSchema = parameters.specifyInputSchema === true;
		return hasSchema ? argumentsInSchema(parameters, typeVersion) : NONE;
	}
	const takesText = type === WORKFLOW_TOOL && !hasWorkflowInputs(parameters);
	return takesText ? NONE : argumentsFromAi(parameters);
}

const hasWorkflowInputs = ({ workflowInputs }: Record<string, unknown>): boolean =>
	isRecord(workflowInputs) &&
	Array.isArray(workflowInputs.schema) &&
	workflowInputs.schema.length > 0;

function argumentsInSchema(
	{ schemaType = 'fromJson', jsonSchemaExample, inputSchema }: Record<string, unknown>,
	typeVersion: number,
): DefinedArguments {
	if (schemaType === 'fromJson') {
		const all = Object.keys(parseObject(jsonSchemaExample));
		return { all, required: typeVersion >= EXAMPLE_REQUIRED_SINCE ? all : [] };
	}
	const { properties, required } = parseObject(inputSchema);
	const members = isRecord(properties) ? properties : {};
	const hasDefault = (name: string) => isRecord(members[name]) && 'default' in members[name];
	const requiredNames: unknown[] = Array.isArray(required) ? required : [];
	const all = Object.keys(members);
	return { all, required: all.filter((name) => requiredNames.includes(name) && !hasDefault(name)) };
}

/** Parses a JSON object. Returns an empty one for other texts, such as an expression. */
function parseObject(json: unknown): Record<string, unknown> {
	try {
		const value: unknown = typeof json === 'string' ? JSON.parse(json.replace(/^=/, '')) : json;
		return isRecord(value) ? value : {};
	} catch {
		return {};
	}
}

function argumentsFromAi(parameters: unknown): DefinedArguments {
	const calls = expressionsIn(parameters).flatMap(callsIn);
	const all = [...new Set(calls.map(({ key }) => key))];
	const optional = new Set(
		calls.filter(({ defaultValue }) => defaultValue !== undefined).map(({ key }) => key),
	);
	return { all, required: all.filter((name) => !optional.has(name)) };
}

const expressionsIn = (value: unknown): string[] => {
	if (typeof value === 'string') return value.startsWith('=') ? [value] : [];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(expressionsIn)
		: [];
};

/** The keys that n8n accepts. */
const KEY = /^[\w-]{1,64}$/;

/** Returns the calls of `$fromAI` in an expression. n8n rejects a tool whose calls cannot be parsed. */
function callsIn(expression: string): ReturnType<typeof extractFromAICalls> {
	try {
		return extractFromAICalls(expression).filter(({ key }) => KEY.test(key));
	} catch {
		return [];
	}
}
