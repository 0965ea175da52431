import { CHAT_TRIGGER_NODE_TYPE, isExpression } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isInsideAgentStep, previousNodeOf } from '../n8n/executeData';
import { canSuspend, hasV1ExecutionOrder } from '../n8n/suspend';
import { isRecord } from '../values/isRecord';

/**
 * Returns why this execution cannot be parked and the node must block while it waits; undefined if it can be parked. Call it
 * before anything is sent. An untested version of n8n counts as unable to park. For each of the other reasons, n8n 2.41.1 was
 * observed to lose the result.
 */
export function findBlockingReason(context: IExecuteFunctions): string | undefined {
	if (!canSuspend(context)) return "parking wasn't tested with this version of n8n";
	if (!context.getExecutionId()) return "n8n doesn't store it, as for a tool of an MCP server";
	if (isInsideAgentStep(context)) {
		return 'its agent runs tools inside its own step, as agents below version 3 and sub-agents do';
	}
	const previous = previousNodeOf(context);
	if (!previous) return 'there is no node before this one';
	if (!hasV1ExecutionOrder(context)) {
		return "the workflow has the old execution order: choose v1 under 'Execution Order' in its settings";
	}
	const trigger = findTriggerRespondingAtEnd(context, previous);
	return trigger && `'${trigger}' answers when the last node has finished`;
}

/** Returns how n8n's Chat Trigger answers, by the rule in its own description (n8n 2.41.1). */
function chatResponseModeOf({ options, availableInChat }: IDataObject): unknown {
	const chosen = isRecord(options) ? options.responseMode : undefined;
	return chosen ?? (availableInChat === true ? 'streaming' : 'lastNode');
}

/**
 * Returns the name of the trigger that started this execution, if it responds to its caller with the output of the last
 * node, or streams. If the execution were parked, n8n 2.41.1 would end the response to the caller at once, with HTTP 500 or
 * by closing the stream.
 */
function findTriggerRespondingAtEnd(
	context: IExecuteFunctions,
	previous: string,
): string | undefined {
	// A tool has no main input, so no trigger is among its parents. Its `previous` node is the agent, whose parents are
	// searched too.
	const ancestors = [context.getNode().name, previous].flatMap((name) =>
		context.getParentNodes(name, { includeNodeParameters: true }),
	);
	const { $: byName } = context.getWorkflowDataProxy(0);
	return ancestors.find(({ name, type, parameters = {} }) => {
		const isChat = type === CHAT_TRIGGER_NODE_TYPE;
		const mode = isChat ? chatResponseModeOf(parameters) : parameters.responseMode;
		// An expression can evaluate to either of the two modes.
		const respondsAtEnd = mode === 'lastNode' || mode === 'streaming' || isExpression(mode);
		return respondsAtEnd && byName(name).isExecuted === true;
	})?.name;
}
