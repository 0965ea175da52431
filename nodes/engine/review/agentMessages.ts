import type { IDataObject, IExecuteFunctions, NodeOutput } from 'n8n-workflow';

import { toSentence, toNodeError } from '../errors';
import { parkedStateOf } from '../n8n/suspend';
import { isReview } from '../n8n/toolVariants';
import { hasAsked } from '../park/askedRuns';
import { agentRunOf } from './agentRun';
import { reviewedCall } from './reviewLimits';

/** Ends every message to the agent about a review without a decision. n8n 2.41.1 presents the message as the person's reply. */
export const NOT_RUN = 'The tool was not run.';

/** Whether this run is the human review of a tool call and reports failures to the agent instead of throwing. */
export function reportsToAgent(context: IExecuteFunctions): boolean {
	const node = context.getNode();
	return isReview(node) && node.onError !== 'stopWorkflow';
}

/**
 * Runs a node. If it is the human review of a tool call, an error becomes a message to the agent, because n8n would report
 * an error as a rejection by the user. A canceled execution still throws.
 */
export async function withErrorsAsAgentMessages(
	context: IExecuteFunctions,
	run: () => Promise<NodeOutput>,
): Promise<NodeOutput> {
	if (!reportsToAgent(context)) return await run();
	try {
		return await run();
	} catch (caught) {
		const error = toNodeError(context.getNode(), caught, undefined);
		if (context.getExecutionCancelSignal()?.aborted) throw error;
		const wasAsked = parkedStateOf(context) !== undefined || hasAsked(context);
		const failure = wasAsked
			? "The person was asked, but their decision couldn't be read"
			: "The person couldn't be asked";
		const chatInput = `${failure}: ${toSentence(error.message)} ${NOT_RUN}`;
		const json = { approved: false, chatInput, ...(wasAsked && reviewOutput(context)) };
		return [[{ json, pairedItem: { item: 0 } }]];
	}
}

/** Returns the entry by which later reviews of the agent's run count this one, since the person was asked. */
function reviewOutput(context: IExecuteFunctions): IDataObject {
	const run = agentRunOf(context, `${context.getInputData()[0]?.json.toolCallId}`);
	return run ? reviewedCall(run) : {};
}
