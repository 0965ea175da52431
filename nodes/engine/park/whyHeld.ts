import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Why this execution cannot be parked, if it cannot; to be asked before anything is sent. Each is a case in which n8n would lose
 * the result, seen in a running n8n.
 */
export function whyHeld(context: IExecuteFunctions): string | undefined {
	const { node, source } = context.getExecuteData();
	// By what the n8n has that parking was tested in, and older ones lack: none says which version it is.
	if (typeof context.onExecutionFinish !== 'function') {
		return "parking wasn't tested with this version of n8n";
	}
	if (!context.getExecutionId()) return "n8n doesn't store it, as for a tool of an MCP server";
	if (node.name !== context.getNode().name) {
		return 'its agent runs tools inside its own step, as agents below version 3 and sub-agents do';
	}
	if (!source?.main?.[0]?.previousNode) return 'there is no node before this one';
	if (context.getWorkflowSettings().executionOrder !== 'v1') {
		return 'the workflow has the old execution order (v0, see its settings)';
	}
	if (answersAtItsEnd(context)) {
		return 'the webhook that starts the workflow answers when the last node has finished';
	}
	return undefined;
}

/** Whether somebody waits for the answer of the whole workflow: n8n would give one as soon as the execution rests. */
function answersAtItsEnd(context: IExecuteFunctions): boolean {
	const before = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return before.some(({ parameters }) => parameters?.responseMode === 'lastNode');
}
