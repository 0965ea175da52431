import { CHAT_TRIGGER_NODE_TYPE, isExpression } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isInsideAgentStep, previousNodeOf } from '../n8n/executeData';
import { canSuspend, runsActionsFirst } from '../n8n/suspend';
import { isRecord } from '../values/convert';

/**
 * Returns why this execution cannot be parked, so that the node must wait blocking; undefined if it can. To be called before
 * anything is sent. An n8n that was not tested counts as unable to park. In all other cases n8n would lose the result, as
 * seen in a running n8n (2.41.1).
 */
export function findBlockingReason(context: IExecuteFunctions): string | undefined {
	if (!canSuspend(context)) return "parking wasn't tested with this version of n8n";
	if (!context.getExecutionId()) return "n8n doesn't store it, as for a tool of an MCP server";
	if (isInsideAgentStep(context)) {
		return 'its agent runs tools inside its own step, as agents below version 3 and sub-agents do';
	}
	const previous = previousNodeOf(context);
	if (!previous) return 'there is no node before this one';
	if (!runsActionsFirst(context)) {
		return 'the workflow has the old execution order (v0, see its settings)';
	}
	const trigger = findTriggerAnsweringLast(context, previous);
	return trigger && `'${trigger}' answers when the last node has finished`;
}

/** Returns how n8n's Chat Trigger answers, by the rule in its own description (n8n 2.41.1). */
function chatResponseModeOf({ options, availableInChat }: IDataObject): unknown {
	const chosen = isRecord(options) ? options.responseMode : undefined;
	return chosen ?? (availableInChat === true ? 'streaming' : 'lastNode');
}

/**
 * Returns the name of the trigger that started this execution, if its caller gets what the last node returns or streams. n8n
 * would answer as soon as the execution is parked: with HTTP 500, or with the end of the stream.
 */
function findTriggerAnsweringLast(
	context: IExecuteFunctions,
	previous: string,
): string | undefined {
	// An agent's tool has no node before it on the main path; its agent has.
	const before = [context.getNode().name, previous].flatMap((name) =>
		context.getParentNodes(name, { includeNodeParameters: true }),
	);
	const { $: byName } = context.getWorkflowDataProxy(0);
	return before.find(({ name, type, parameters = {} }) => {
		const isChat = type === CHAT_TRIGGER_NODE_TYPE;
		const mode = isChat ? chatResponseModeOf(parameters) : parameters.responseMode;
		// An expression can evaluate to either.
		const isAtTheEnd = mode === 'lastNode' || mode === 'streaming' || isExpression(mode);
		return isAtTheEnd && byName(name).isExecuted === true;
	})?.name;
}
