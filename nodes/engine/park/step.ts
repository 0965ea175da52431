import { randomUUID } from 'crypto';
import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookDescription,
	IWebhookResponseData,
} from 'n8n-workflow';

import { perProcess } from '../n8n/perProcess';
import { actionIdOf, requestItself, suspend } from '../n8n/suspend';

/** A step that n8n was asked for, and runs right after: in the same process, before anything else of that execution. */
interface ParkStep {
	until: number;
	/** Called when the execution has been put to rest. */
	onParked: () => void;
	requestedAt: number;
}

/** Who was cancelled in between never comes. */
const STEP_EXPIRY_MS = 600_000;

const steps = perProcess('park steps 1', () => new Map<string, ParkStep>());

/**
 * What a node returns to be run once more by n8n, as a step that rests, and after that again with what it keeps: plain JSON
 * that n8n stores with the execution.
 */
export function requestPark(
	context: IExecuteFunctions,
	state: object,
	{ until, onParked }: Pick<ParkStep, 'until' | 'onParked'>,
): EngineRequest {
	const now = Date.now();
	for (const [id, { requestedAt }] of steps)
		if (now - requestedAt > STEP_EXPIRY_MS) steps.delete(id);
	// Nobody can make it up: an item that merely looks like a step is an item.
	const id = randomUUID();
	steps.set(id, { until, onParked, requestedAt: now });
	return requestItself(context, id, state);
}

/** The step that n8n was asked for, if this run is one. */
export function takeParkStep(context: IExecuteFunctions): ParkStep | undefined {
	const id = actionIdOf(context);
	if (id === undefined) return undefined;
	const step = steps.get(id);
	steps.delete(id);
	return step;
}

/** Puts the execution to rest. When n8n goes on, this step must yield nothing, and the node itself must not be skipped. */
export async function parkExecution(
	context: IExecuteFunctions,
	step: ParkStep,
): Promise<INodeExecutionData[][]> {
	const output = await suspend(context, new Date(step.until));
	step.onParked();
	return output;
}

/** The address at which n8n is told to go on; n8n itself checks who calls. */
export const wakingWebhook: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
};

/** Lets n8n go on. Nothing of the call counts: what became of the wait, the node asks the service. */
export const wakeUp = (): IWebhookResponseData => ({
	workflowData: [],
	webhookResponse: { woken: true },
});
