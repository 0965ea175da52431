// The outputs of a node that branches.
//
// Relies on: n8n evaluates `outputs` from the node's parameters for the canvas and for every run, and adds the error output
//   (n8n-workflow, dist/cjs/node-helpers.js: `getNodeOutputs`). It puts on the first output what no node routed: the input of a
//   deactivated node or of one that threw, pinned data, and an empty item for _Always Output Data_ if the first output is
//   empty, whatever the others hold. The error output is the last one. It reads these settings from the execute data after the
//   run (n8n-core, dist/execution-engine/workflow-execute.js: `ensureAlwaysOutputData`, `handleNodeExecutionError`).
// Verified on: 2.41.1.
// If absent: the node has one output, or an approval also leaves by the negative output as an empty item, or an operation that
//   does not exist outputs the input by the negative output.

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** Whether the node has two outputs besides the error output. As an agent's tool it never has. */
export function hasTwoOutputs(context: IExecuteFunctions): boolean {
	const outputs = context.getNodeOutputs();
	return (
		outputs.filter(({ type, category }) => type === 'main' && category !== 'error').length === 2
	);
}

/** Returns the items on two outputs, and keeps n8n from adding an empty item to the first. */
export function outputOnTwo(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	isForSecond: (item: INodeExecutionData) => boolean,
): INodeExecutionData[][] {
	const data = context.getExecuteData();
	data.node = { ...data.node, alwaysOutputData: false };
	return [items.filter((item) => !isForSecond(item)), items.filter(isForSecond)];
}

/** Makes n8n stop the workflow if this run throws, whatever the user chose for On Error. */
export function stopOnError(context: IExecuteFunctions): void {
	const data = context.getExecuteData();
	data.node = { ...data.node, onError: 'stopWorkflow', continueOnFail: false };
}
