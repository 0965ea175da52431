import type { IExecuteFunctions, NodeOutput } from 'n8n-workflow';

import { parkedStateOf } from '../n8n/suspend';
import type { Catalog } from '../operation';
import { execute } from '../run/execute';
import { noRepeatAdviceIn } from './parkedState';
import { parkExecution, takeParkStep } from './step';

/** Runs the chosen operation of a node that can wait, or the step that parks its execution. */
export async function executeOrPark(
	context: IExecuteFunctions,
	service: Catalog,
): Promise<NodeOutput> {
	const step = takeParkStep(context);
	if (step) return await parkExecution(context, step);
	// A resumed run can fail before it polls, for example if the credential was deleted while the execution was parked.
	const advice = noRepeatAdviceIn(parkedStateOf(context), context.getInputData().length);
	return await execute(context, service, advice);
}
