import { randomUUID } from 'crypto';
import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookDescription,
	IWebhookResponseData,
} from 'n8n-workflow';

import { addHint } from '../n8n/hints';
import { perProcess } from '../n8n/perProcess';
import { actionIdOf, requestItself, suspend } from '../n8n/suspend';
import { toWaitSentence } from './visibleWaits';
import type { VisibleWait } from './visibleWaits';

/**
 * A run of this node whose only task is to park the execution. n8n starts it right after the node has returned the
 * EngineRequest, in the same process and before any other node.
 */
interface ParkStep {
	/** When n8n's own timer resumes the execution. */
	timerAt: number;
	/** What the execution waits for. */
	waits: VisibleWait[];
	/** Called when n8n has accepted the wait. */
	onParked: () => void;
	requestedAt: number;
}

/** Age at which a step is deleted. n8n 2.41.1 never runs the step of an execution that is canceled in between. */
const STEP_EXPIRY_MS = 600_000;

const steps = perProcess('park steps 1', () => new Map<string, ParkStep>());

/**
 * Returns the EngineRequest that makes n8n run this node twice: first as the step that parks the execution; then, once the
 * execution resumes, with `state`, plain JSON that n8n stores with the execution.
 */
export function requestPark(
	context: IExecuteFunctions,
	state: object,
	step: Omit<ParkStep, 'requestedAt'>,
): EngineRequest {
	const now = Date.now();
	for (const [id, { requestedAt }] of steps)
		if (now - requestedAt > STEP_EXPIRY_MS) steps.delete(id);
	// Random, so that no input item can pass for a step.
	const id = randomUUID();
	steps.set(id, { ...step, requestedAt: now });
	return requestItself(context, id, state);
}

/** Returns the requested step if this run is a step. Deletes it, because each step runs once. */
export function takeParkStep(context: IExecuteFunctions): ParkStep | undefined {
	const id = actionIdOf(context);
	if (id === undefined) return undefined;
	const step = steps.get(id);
	steps.delete(id);
	return step;
}

/** Parks the execution. `suspend` ensures that, after the resume, the step outputs nothing and n8n still runs the node. */
export async function parkExecution(
	context: IExecuteFunctions,
	step: ParkStep,
): Promise<INodeExecutionData[][]> {
	for (const wait of step.waits)
		addHint(context, toWaitSentence(wait, context.getTimezone()), wait);
	const output = await suspend(context, new Date(step.timerAt));
	step.onParked();
	return output;
}

/** Webhook at which n8n resumes a parked execution. n8n itself authenticates the caller (`n8n/waitingWebhook`). */
export const resumeWebhook: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
};

/**
 * Makes n8n resume the execution. Ignores the contents of the call: the resumed node polls the service for the decision, so a
 * leaked URL approves nothing.
 */
export const respondToResume = (): IWebhookResponseData => ({
	workflowData: [],
	webhookResponse: { resumed: true },
});
