import 'reflect-metadata';
import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeTypes,
	IRun,
	NodeExecutionHint,
} from 'n8n-workflow';

import { additionalData, connectTo, nodeTypeOf, toStoredNode } from './n8nData';
import type { NodeKit, TestNode } from './n8nData';
import './resetPauses';

export * from './n8nData';

/** A finished run, with accessors for tests. */
export interface WorkflowRun {
	run: IRun;
	/** The items that a node returned, by output (0 is the first; the error branch comes last). */
	items(node: string, output?: number): INodeExecutionData[];
	json(node: string, output?: number): IDataObject[];
	error: Error | undefined;
	hints: NodeExecutionHint[];
}

/** Runs a whole workflow on n8n's own engine. The first node must be of type `start`; its items are the input. */
export async function runWorkflow(
	kit: NodeKit,
	nodes: TestNode[],
	connections: IConnections,
	input: IDataObject[] = [{}],
	options: { onStart?: (cancel: () => void) => void; timezone?: string } = {},
): Promise<WorkflowRun> {
	const types: INodeTypes = {
		getByName: (name) => nodeTypeOf(kit, name),
		getByNameAndVersion: (name) => nodeTypeOf(kit, name),
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		id: 'test',
		name: 'Test',
		active: false,
		nodes: nodes.map((node, index) => toStoredNode(node, index, kit)),
		connections,
		nodeTypes: types,
		settings: { executionOrder: 'v1', timezone: options.timezone ?? 'UTC' },
	});
	const startNode = workflow.getNode(nodes[0]!.name)!;
	const items = input.map((json, item) => ({ json, pairedItem: { item } }));
	const runData = createRunExecutionData({
		executionData: {
			contextData: {},
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
			nodeExecutionStack: [{ node: startNode, data: { main: [items] }, source: null }],
		},
		resultData: { runData: {}, pinData: { [startNode.name]: items } },
	});
	const execution = new WorkflowExecute(additionalData(kit), 'manual', runData);
	const pendingRun = execution.processRunExecutionData(workflow);
	options.onStart?.(() => pendingRun.cancel());
	const run = await pendingRun;
	return toWorkflowRun(run);
}

/**
 * Runs one node over the given items. Returns its items, and those on its error output. The items of a node with two outputs are
 * in input order; those of any other node are in the order in which it returned them.
 */
export async function runNode(
	kit: NodeKit,
	type: string,
	parameters: INodeParameters,
	input: IDataObject[] = [{}],
	options: Partial<INode> & {
		onStart?: (cancel: () => void) => void;
		timezone?: string;
	} = {},
): Promise<WorkflowRun & { outputItems: IDataObject[]; errorItems: INodeExecutionData[] }> {
	const { onStart, timezone, ...node } = options;
	const workflowRun = await runWorkflow(
		kit,
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Node', type, parameters, ...node },
		],
		{ Start: connectTo('Node') },
		input,
		{ onStart, timezone },
	);
	const outputs = workflowRun.run.data.resultData.runData.Node?.at(-1)?.data?.main ?? [];
	const errorItems = node.onError === 'continueErrorOutput' ? (outputs.at(-1) ?? []) : [];
	const [first = [], ...others] = outputs
		.filter((items) => items !== errorItems)
		.map((items) => items ?? []);
	const items =
		others.length === 0 ? first : [first, ...others].flat().sort((a, b) => indexOf(a) - indexOf(b));
	return { ...workflowRun, outputItems: items.map(({ json }) => json), errorItems };
}

/** Returns the input item that an output item is paired with; items without one are the last. */
function indexOf({ pairedItem }: INodeExecutionData): number {
	const [first] = [pairedItem].flat();
	return typeof first === 'object' ? first.item : (first ?? Infinity);
}

function toWorkflowRun(run: IRun): WorkflowRun {
	const { runData, error } = run.data.resultData;
	const listTasks = (node: string) => runData[node] ?? [];
	const items = (node: string, output = 0) =>
		listTasks(node).flatMap(({ data }) => data?.main?.[output] ?? []);
	return {
		run,
		items,
		json: (node, output) => items(node, output).map(({ json }) => json),
		error:
			error ??
			Object.values(runData).flatMap((list) => list.flatMap((task) => task.error ?? []))[0],
		hints: Object.values(runData).flatMap((list) => list.flatMap((task) => task.hints ?? [])),
	};
}
