import type { IExecuteFunctions, NodeOutput } from 'n8n-workflow';

import type { Catalog } from '../operation';
import { execute } from '../run/execute';
import { rest, stepOf } from './step';

/** Runs the chosen operation of a node that waits: as itself, or as the step that lets its execution rest. */
export async function executeOrRest(
	context: IExecuteFunctions,
	service: Catalog,
): Promise<NodeOutput> {
	const step = stepOf(context);
	return step ? await rest(context, step) : await execute(context, service);
}
