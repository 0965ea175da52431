import type { IDataObject, IExecuteFunctions, NodeOutput } from 'n8n-workflow';

import { toSentence, toNodeError } from '../errors';
import { keptBy } from '../n8n/suspend';
import { isReview } from '../n8n/toolVariants';
import { agentRunOf } from './agentRun';
import { reviewedCall } from './reviewLimits';

/** What the agent must know in any case; n8n frames it as what the person has said. */
export const NOT_RUN = 'The tool was not run.';

/** Whether this run is the review of a tool call, and tells the agent whatever comes of it rather than failing. */
export function tellsAgent(context: IExecuteFunctions): boolean {
	const node = context.getNode();
	return isReview(node) && node.onError !== 'stopWorkflow';
}

/**
 * Runs a node, and where it is the review of a tool call tells the agent why nobody was asked: n8n would make "the user
 * rejected it" of an error.
 */
export async function answeringAgent(
	context: IExecuteFunctions,
	run: () => Promise<NodeOutput>,
): Promise<NodeOutput> {
	if (!tellsAgent(context)) return await run();
	try {
		return await run();
	} catch (caught) {
		const error = toNodeError(context.getNode(), caught, undefined);
		if (context.getExecutionCancelSignal()?.aborted) throw error;
		const wasAsked = keptBy(context) !== undefined;
		const failure = wasAsked
			? "The person was asked, but their decision couldn't be read"
			: "The person couldn't be asked";
		const chatInput = `${failure}: ${toSentence(error.message)} ${NOT_RUN}`;
		const json = { approved: false, chatInput, ...(wasAsked && reviewOutput(context)) };
		return [[{ json, pairedItem: { item: 0 } }]];
	}
}

/** The person was asked: later reviews of the agent's run must count it. */
function reviewOutput(context: IExecuteFunctions): IDataObject {
	const run = agentRunOf(context, `${context.getInputData()[0]?.json.toolCallId}`);
	return run ? reviewedCall(run) : {};
}
