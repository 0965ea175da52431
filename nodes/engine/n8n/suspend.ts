// Suspending an execution and running the node again.
//
// Relies on: a node may return an `EngineRequest` that names the node itself; n8n runs the node as an action, with the
//   action's id in `toolCallId` of the first item, then runs the requester again with `metadata` in `subNodeExecutionData`
//   and `nodeWasResumed` (n8n-core, dist/execution-engine/requests-response.js). After `putExecutionToWait` n8n stores the
//   execution; on resuming, n8n disables the node of the first stack entry and drops that node's run (n8n-core,
//   dist/execution-engine/workflow-execute.js: `handleWaitingState`).
// Verified on: 2.33.7, 2.40.7, 2.41.1 (test:generations: parked); 1.123.81, 2.20.12 (blocking wait).
// If absent: `canSuspend` is false and the node waits blocking. If n8n ignored an engine request that names its
//   requester, the service's request would have been sent and its result lost; hence the test against the engine.

import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	NodeConnectionType,
} from 'n8n-workflow';

/**
 * Whether this n8n was tested with suspending. n8n does not expose its version to nodes, so `onExecutionFinish` stands for
 * the version: this function is new in n8n 2.33, and 2.33.7 is the oldest release that was tested.
 */
export const canSuspend = (context: IExecuteFunctions): boolean =>
	typeof context.onExecutionFinish === 'function';

/** Whether n8n runs an action before its requester. In the old execution order it does not. */
export const hasV1ExecutionOrder = (context: IExecuteFunctions): boolean =>
	context.getWorkflowSettings().executionOrder === 'v1';

/** Returns the request that makes n8n run this node as an action with an ID, and then again with `state`, which is plain JSON. */
export function requestItself(
	context: IExecuteFunctions,
	id: string,
	state: object,
): EngineRequest {
	const { name, rewireOutputLogTo } = context.getNode();
	// n8n drops the output of a tool on any other connection.
	const type: NodeConnectionType = rewireOutputLogTo ?? 'main';
	const action = { nodeName: name, input: {}, type, id, metadata: { itemIndex: 0 } };
	return { actions: [{ actionType: 'ExecutionNodeAction', ...action }], metadata: state };
}

/** Returns the ID of the action that n8n runs this node as. Untrusted: an ordinary item may have any text in that field. */
export function actionIdOf(context: IExecuteFunctions): string | undefined {
	const id = context.getInputData()[0]?.json.toolCallId;
	return typeof id === 'string' ? id : undefined;
}

/**
 * Returns the `state` of the node's request to itself when n8n runs the node again, or null if n8n has lost it; undefined in
 * any other run.
 */
export function parkedStateOf(context: IExecuteFunctions): unknown {
	const { metadata } = context.getExecuteData();
	if (metadata?.nodeWasResumed !== true) return undefined;
	return metadata.subNodeExecutionData?.metadata ?? null;
}

/** Suspends the execution from inside the action. Returns the action's output, which is also empty after the resume. */
export async function suspend(
	context: IExecuteFunctions,
	until: Date,
): Promise<INodeExecutionData[][]> {
	const data = context.getExecuteData();
	// The node is copied because, on resuming, n8n disables the node of this entry, and the requester's entry holds the same
	// object. With `alwaysOutputData` the action would output an empty item.
	data.node = { ...data.node, alwaysOutputData: false };
	// A disabled node outputs its input, so the input must be empty.
	data.data = { main: [] };
	await context.putExecutionToWait(until);
	return [[]];
}
