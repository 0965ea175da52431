// The data that n8n passes to one run of a node.
//
// Relies on: every try of a run (Retry On Fail) gets the same execute data object (n8n-core,
//   dist/execution-engine/workflow-execute.js: `getRetryParams`). A tool inside its agent's step gets the agent's execute data,
//   and one arguments object per call, which all tries share (n8n-core,
//   dist/execution-engine/node-execution-context/utils/get-input-connection-data.js: `makeHandleToolInvocation`).
// Verified on: 2.41.1.
// If absent: each try counts as a new run, so Retry On Fail repeats requests that were sent; an execution would be parked from
//   inside an agent's step, and n8n would lose the result.

import type { IExecuteFunctions, ITaskMetadata } from 'n8n-workflow';

/** Whether the node runs inside its agent's step: tools of agents below version 3 and of sub-agents. */
export const isInsideAgentStep = (context: IExecuteFunctions): boolean =>
	context.getExecuteData().node.name !== context.getNode().name;

/**
 * Returns the name of the node that this run's input comes from; undefined for the first node and for one that runs alone.
 */
export const previousNodeOf = (context: IExecuteFunctions): string | undefined =>
	context.getExecuteData().source?.main?.[0]?.previousNode;

/**
 * Returns the object that all tries of a run share and no other run has; undefined if n8n makes one try only. The run index
 * is not a substitute: a resumed run has the index of the run before it.
 */
export function repeatedRunOf(context: IExecuteFunctions): object | undefined {
	if (context.getNode().retryOnFail !== true) return undefined;
	return isInsideAgentStep(context) ? context.getInputData()[0]?.json : context.getExecuteData();
}

/** Returns what earlier tries of the run, or the run before parking, have set for n8n's traces. */
export const tracingOf = (context: IExecuteFunctions): NonNullable<ITaskMetadata['tracing']> =>
	context.getExecuteData().metadata?.tracing ?? {};
