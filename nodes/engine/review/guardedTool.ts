import type { IExecuteFunctions } from 'n8n-workflow';

import { definedArguments } from '../n8n/toolSchema';
import { isRecord } from '../values/isRecord';
import { readsOnlySafeVariables } from './notByAgent';

/**
 * Tools of n8n that read the item only through expressions in their parameters. This was checked in their source
 * (n8n-nodes-base 2.41.1) and is checked by `test/e2e/reviewedData.e2e.ts`. Code Tool, Workflow Tool and MCP Client receive
 * the whole item and must not be listed. `test/rules/itemReads.test.ts` checks the same for the pack's own tools.
 */
const PARAMETERS_ONLY_TOOLS = ['n8n-nodes-base.httpRequestTool', 'n8n-nodes-base.dataTableTool'];

/**
 * The package whose tools n8n makes of ordinary nodes, and the MCP clients. They read each argument by its name, so none of
 * them is a text tool, even if it defines an argument `input` that its parameters do not show.
 */
const NODES_PACKAGE = 'n8n-nodes-base';
const MCP_CLIENTS = ['mcpClientTool', 'mcpRegistryClientTool'].map(
	(name) => `@n8n/n8n-nodes-langchain.${name}`,
);

const FROM_AI = ['$fromAI', '$fromAi', '$fromai'];
const USES_FROM_AI = /\$fromai\b/i;

interface GuardedTool {
	/** Whether the tool can read fields of its item other than the arguments. */
	readsItem: boolean;
	/** Whether the tool replaces a null argument with a default (`$fromAI`). */
	fillsDefaults: boolean;
	/** Whether the tool may be one of LangChain's text tools. They run the field `input`, whatever the other arguments are. */
	mayRunInputAlone: boolean;
	/** Names of the arguments without which the model must not call the tool, as far as they are known. */
	requiredArguments: string[];
}

const UNKNOWN_TOOL: GuardedTool = {
	readsItem: true,
	fillsDefaults: true,
	mayRunInputAlone: true,
	requiredArguments: [],
};

/** Inspects a tool that is connected to this review. */
export function inspectGuardedTool(context: IExecuteFunctions, name: string): GuardedTool {
	const review = context.getNode();
	const tool = context
		.getParentNodes(review.name, {
			connectionType: 'ai_tool',
			depth: 1,
			includeNodeParameters: true,
		})
		.find((one) => one.name === name);
	if (tool?.parameters === undefined) return UNKNOWN_TOOL;
	const { type, parameters } = tool;
	const isKnown = readsParametersOnly(type, review.type);
	const { all, required } = definedArguments(tool);
	const readsByName = isKnown || packageOf(type) === NODES_PACKAGE || MCP_CLIENTS.includes(type);
	return {
		readsItem:
			!isKnown || mapsAutomatically(parameters) || !readsOnlySafeVariables(parameters, FROM_AI),
		fillsDefaults: USES_FROM_AI.test(JSON.stringify(parameters)),
		mayRunInputAlone: !readsByName && !all.includes('input'),
		requiredArguments: required,
	};
}

/**
 * Whether a tool is known to read only its parameters. True for the tools listed above and for tools of the same package as
 * the review node.
 */
const readsParametersOnly = (type: string, reviewType: string): boolean =>
	PARAMETERS_ONLY_TOOLS.includes(type) ||
	(packageOf(type) === packageOf(reviewType) && packageOf(type) !== 'CUSTOM');

/** Returns the package of a node type. CUSTOM stands for n8n's folder for custom nodes, whose authors are unknown. */
const packageOf = (type: string): string => type.slice(0, Math.max(0, type.lastIndexOf('.')));

/** Whether a resource mapper takes its values from the item's fields ('Map Automatically'). */
function mapsAutomatically(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (isRecord(value) && 'mappingMode' in value && value.mappingMode !== 'defineBelow') return true;
	return Object.values(value).some(mapsAutomatically);
}
