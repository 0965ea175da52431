import { Workflow } from 'n8n-workflow';
import type { INode, INodeType } from 'n8n-workflow';

/** Returns a workflow of one node, to evaluate expressions as n8n's editor does. */
export const singleNodeWorkflow = (node: INode, type: INodeType): Workflow =>
	new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
