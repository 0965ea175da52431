// The nodes of the running workflow.
//
// Relies on: contexts have `workflow.nodes`, outside their public type (n8n-core,
//   dist/execution-engine/node-execution-context/node-execution-context.js; n8n-workflow, `Workflow.nodes`).
//   `getParentNodes()` returns only nodes that are connected to this one.
// Verified on: 2.41.1 (test/engine/review/reviewVariants.ts runs on n8n-core 2.41.1).
// If absent: the list is empty, so a parameter that reads an open trigger's output is not rejected.

import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** Returns all nodes of the workflow, whether they are connected to this one or not. */
export function workflowNodes(context: IExecuteFunctions): INode[] {
	const { workflow } = context as unknown as { workflow?: { nodes?: Record<string, INode> } };
	return Object.values(workflow?.nodes ?? {});
}
