import type { INodeTypeDescription } from 'n8n-workflow';

import type { Field } from '../field';
import type { Branches, Catalog } from '../operation';

/** Parameter of operations that can output their items on two branches. As a tool, the node always has one output. */
export const outputsField = ({ names: [negative, positive], requires }: Branches): Field => ({
	displayName: 'Outputs',
	name: 'outputs',
	type: 'options',
	// The outputs of a node must be known before it runs.
	noDataExpression: true,
	options: [
		{ name: 'One', value: 'one', description: 'All items leave by the same output' },
		{
			name: 'Two',
			value: 'two',
			description: `One output for ${positive}, and one for everything else: ${negative}`,
		},
	],
	default: 'two',
	description:
		'Use One in a workflow that another workflow or a webhook takes the result of: n8n returns only the first output there. After a change, check what is connected to each output.',
	displayOptions: {
		...(requires !== undefined && { show: { [requires]: [true] } }),
		hide: { '@tool': [true] },
	},
});

/**
 * Returns the expression for the outputs of a node. It depends on parameters that allow no expressions, because n8n evaluates it
 * without items; if it failed, the node would have no output at all. It must not contain two closing braces in a row: n8n would
 * end it there.
 */
export function branchingOutputs({ resources }: Catalog): INodeTypeDescription['outputs'] {
	const rows = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, { branches }]) =>
			branches ? [[`${resource} ${operation}`, branches.requires ?? '', ...branches.names]] : [],
		),
	);
	return `={{ ((row) => row && $parameter.outputs === "two" && (row[1] === "" || $parameter[row[1]] === true) ? [{ type: "main", displayName: row[2] }, { type: "main", displayName: row[3] }] : [{ type: "main" }])(${JSON.stringify(rows)}.find((row) => row[0] === $parameter.resource + " " + $parameter.operation)) }}`;
}
