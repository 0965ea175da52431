import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../values/convert';
import { readsOnlySafe } from './notByAgent';

/**
 * Tools of n8n that read the item through expressions in their parameters alone, seen in their source (n8n-nodes-base 2.41.1) and
 * tried in `test/e2e/reviewedData.e2e.ts`. Code Tool, Workflow Tool and MCP Client get the whole item, and do not belong here.
 * The pack's own tools are held to the same by `test/rules/itemReads.test.ts`.
 */
const PARAMETERS_ONLY_TOOLS = ['n8n-nodes-base.httpRequestTool', 'n8n-nodes-base.dataTableTool'];

const FROM_AI = ['$fromAI', '$fromAi', '$fromai'];
const USES_FROM_AI = /\$fromai\b/i;

/** What matters of a reviewed tool. */
interface GuardedTool {
	/** Whether the tool can read fields of its item that are no arguments. */
	readsItem: boolean;
	/** Whether the tool replaces an argument that is null by a default. */
	fillsDefaults: boolean;
}

/** Inspects a tool behind this review. A tool that is not known to be harmless counts as harmful. */
export function guardedTool(context: IExecuteFunctions, name: string): GuardedTool {
	const review = context.getNode();
	const tool = context
		.getParentNodes(review.name, {
			connectionType: 'ai_tool',
			depth: 1,
			includeNodeParameters: true,
		})
		.find((one) => one.name === name);
	if (tool?.parameters === undefined) return { readsItem: true, fillsDefaults: true };
	const { type, parameters } = tool;
	return {
		readsItem:
			!readsParametersOnly(type, review.type) ||
			mapsAutomatically(parameters) ||
			!readsOnlySafe(parameters, FROM_AI),
		fillsDefaults: USES_FROM_AI.test(JSON.stringify(parameters)),
	};
}

/** Whether a tool is known to read parameters alone: of n8n's, and of the pack that the review itself comes from. */
const readsParametersOnly = (type: string, review: string): boolean =>
	PARAMETERS_ONLY_TOOLS.includes(type) ||
	(packageOf(type) === packageOf(review) && packageOf(type) !== 'CUSTOM');

/** The package of a node type. Those in n8n's folder for custom nodes are of anybody's making, and all called CUSTOM. */
const packageOf = (type: string): string => type.slice(0, Math.max(0, type.lastIndexOf('.')));

/** Whether a resource mapper takes its values from the item's fields ('Map Automatically'). */
function mapsAutomatically(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (isRecord(value) && 'mappingMode' in value && value.mappingMode !== 'defineBelow') return true;
	return Object.values(value).some(mapsAutomatically);
}
