// The requests of an agent on n8n's execution stack.
//
// Relies on: contexts have `runExecutionData`, outside their public type (n8n-core,
//   dist/execution-engine/node-execution-context/node-execution-context.js). The entry of a node that waits for its actions
//   holds them in `metadata.subNodeExecutionData.actions` (n8n-core, dist/execution-engine/requests-response.js). An agent from
//   version 3 on puts the reviewed call into `metadata.hitl` of the action (@n8n/n8n-nodes-langchain, `createEngineRequests`).
// Verified on: 2.41.1 (test/e2e/review.e2e.ts).
// If absent: the list is empty, so every review is rejected with `n8n doesn't say for sure which call would be run`; nothing
//   is shown for approval that n8n would not run.

import type { IExecuteData, IExecuteFunctions, IRunData } from 'n8n-workflow';

/**
 * An action that a node has requested. For a review, the action runs the review node, and `metadata.hitl` holds the tool
 * call that n8n runs once a person approves it.
 */
export interface RequestedAction {
	id?: unknown;
	nodeName?: unknown;
	/** The input of the review, before n8n merges the agent's input item into it. */
	input?: unknown;
	metadata?: {
		hitl?: { gatedToolNodeName?: unknown; toolName?: unknown; originalInput?: unknown };
	};
}

/** The part of n8n's execution data that this file reads. n8n stores it while the execution waits. */
interface ExecutionRecord {
	executionData?: { nodeExecutionStack?: IExecuteData[] };
	resultData?: { runData?: IRunData };
}

const recordOf = (context: IExecuteFunctions): ExecutionRecord =>
	(context as unknown as { runExecutionData?: ExecutionRecord }).runExecutionData ?? {};

/**
 * Returns all requested actions of the execution, each with its requester's stack entry. A model cannot write to the stack.
 */
export const requestedActions = (
	context: IExecuteFunctions,
): Array<{ requester: IExecuteData; action: RequestedAction }> =>
	(recordOf(context).executionData?.nodeExecutionStack ?? []).flatMap((requester) =>
		(requester.metadata?.subNodeExecutionData?.actions ?? []).map(({ action }) => ({
			requester,
			action,
		})),
	);

/** Returns the runs of all nodes so far, by the node's name. */
export const runDataOf = (context: IExecuteFunctions): IRunData =>
	recordOf(context).resultData?.runData ?? {};
