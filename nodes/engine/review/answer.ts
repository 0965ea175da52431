import type { IExecuteFunctions, NodeOutput } from 'n8n-workflow';

import { isReview } from '../asTool';
import { sentence, toNodeError } from '../errors';
import { keptBy } from '../park/step';

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
		const asked = keptBy(context) !== undefined;
		const what = asked
			? "The person was asked, but their decision couldn't be read"
			: "The person couldn't be asked";
		const chatInput = `${what}: ${sentence(error.message)} ${NOT_RUN}`;
		return [[{ json: { approved: false, chatInput }, pairedItem: { item: 0 } }]];
	}
}
