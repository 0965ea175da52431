import { randomUUID } from 'crypto';
import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookDescription,
	IWebhookResponseData,
} from 'n8n-workflow';

import { perProcess } from '../n8n/perProcess';

/** A step that n8n was asked for, and runs right after: in the same process, before anything else of that execution. */
interface Step {
	until: number;
	/** Called when the execution has been put to rest. */
	parked: () => void;
	askedAt: number;
}

/** Who was cancelled in between never comes. */
const FORGOTTEN_MS = 600_000;

const steps = perProcess('park steps 1', () => new Map<string, Step>());

/**
 * What a node returns to be run once more by n8n, as a step that rests, and after that again with what it keeps: plain JSON
 * that n8n stores with the execution.
 */
export function askToRest(
	context: IExecuteFunctions,
	keeps: object,
	{ until, parked }: Pick<Step, 'until' | 'parked'>,
): EngineRequest {
	const { name, rewireOutputLogTo } = context.getNode();
	const now = Date.now();
	for (const [id, { askedAt }] of steps) if (now - askedAt > FORGOTTEN_MS) steps.delete(id);
	// Nobody can make it up: an item that merely looks like a step is an item.
	const id = randomUUID();
	steps.set(id, { until, parked, askedAt: now });
	return {
		actions: [
			{
				actionType: 'ExecutionNodeAction',
				nodeName: name,
				input: {},
				// Where the node is a tool, its output is lost on any other way.
				type: rewireOutputLogTo ?? 'main',
				id,
				metadata: { itemIndex: 0 },
			},
		],
		metadata: keeps,
	};
}

/** What the node kept when it asked to rest, now that it is run again; nothing in any other run. */
export function keptBy(context: IExecuteFunctions): unknown {
	const { metadata } = context.getExecuteData();
	return metadata?.nodeWasResumed === true ? metadata.subNodeExecutionData?.metadata : undefined;
}

/** The step that n8n was asked for, if this run is one. */
export function stepOf(context: IExecuteFunctions): Step | undefined {
	const id = context.getInputData()[0]?.json.toolCallId;
	const step = typeof id === 'string' ? steps.get(id) : undefined;
	if (step) steps.delete(`${id}`);
	return step;
}

/** Puts the execution to rest. When n8n goes on, this step must yield nothing, and the node itself must not be skipped. */
export async function rest(
	context: IExecuteFunctions,
	step: Step,
): Promise<INodeExecutionData[][]> {
	const data = context.getExecuteData();
	// n8n disables the node of this step when it goes on, and the one to be run again is the same object. Nor may the
	// step put out an empty item.
	data.node = { ...data.node, alwaysOutputData: false };
	// What a disabled node gets, it passes on.
	data.data = { main: [] };
	await context.putExecutionToWait(new Date(step.until));
	step.parked();
	return [[]];
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
