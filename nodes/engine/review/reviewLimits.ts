import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { BadInput } from '../errors';
import { isRecord } from '../values/isRecord';
import { reviewsOf } from './agentRun';
import type { AgentRun } from './agentRun';

/** After this many reviews without approval, the person gets no more requests for the rest of the agent's run. */
const MAX_UNAPPROVED_REVIEWS = 5;

const STOP_CALLING = 'Stop calling tools that need a review, and say what you could not do.';

/**
 * Returns the part of a review's output that identifies the call, for later reviews of the same run. n8n stores the output
 * with the execution, so this part survives waits and restarts.
 */
export const reviewedCall = (run: AgentRun): { review: IDataObject } => ({
	review: { agent: run.agent, run: run.runIndex, tool: run.tool, arguments: canonical(run.input) },
});

/** Throws if the person has denied the same call in this run of the agent, or after too many reviews without approval. */
export function rejectRepeated(context: IExecuteFunctions, run: AgentRun): void {
	const { review: currentReview } = reviewedCall(run);
	const unapproved = reviewsOf(context, run.agent).filter(
		({ approved, review }) =>
			approved !== true &&
			isRecord(review) &&
			review.agent === currentReview.agent &&
			review.run === currentReview.run,
	);
	const isSame = ({ review }: IDataObject) =>
		isRecord(review) &&
		review.tool === currentReview.tool &&
		review.arguments === currentReview.arguments;
	if (unapproved.some((one) => one.outcome === 'denied' && isSame(one))) {
		throw new BadInput('The person has denied this very call already', STOP_CALLING);
	}
	if (unapproved.length >= MAX_UNAPPROVED_REVIEWS) {
		throw new BadInput(
			`${unapproved.length} reviews were denied or not answered, and no more are asked for in this run`,
			STOP_CALLING,
		);
	}
}

/** Returns JSON with sorted members, so that the order in which the model writes arguments makes no difference. */
const canonical = (value: unknown): string =>
	JSON.stringify(value ?? null, (_, one: unknown) =>
		isRecord(one)
			? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
			: one,
	);
