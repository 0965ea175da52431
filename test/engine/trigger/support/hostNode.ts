import { NodeHelpers, Workflow } from 'n8n-workflow';
import type { IDataObject, INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import type { TriggerName, Triggers } from './loadTriggers';

/** A trigger of a test's workflow; missing values get defaults. */
export interface HostNode {
	name?: string;
	id?: string;
	type: TriggerName;
	parameters?: INodeParameters;
	credentialId?: string;
}

/** Returns a trigger as n8n stores it, with the defaults of its parameters. */
function toStoredTrigger(
	pack: Triggers,
	{ name, id, type, parameters = {}, credentialId = '1' }: HostNode,
	index: number,
): INode {
	const { description } = new pack[type]!();
	const credentials = Object.fromEntries(
		description.credentials!.map((credential) => [
			credential.name,
			{ id: credentialId, name: 'Test' },
		]),
	);
	const node: INode = {
		id: id ?? `node-${index}`,
		name: name ?? `Trigger ${index}`,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials,
		webhookId: `hook-${index}`,
	};
	const completeParameters = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		node,
		description,
	);
	return { ...node, parameters: completeParameters! };
}

/** Builds a workflow of these triggers, with static data from the database. */
export function hostWorkflow(
	pack: Triggers,
	nodes: HostNode[],
	{
		settings,
		...workflowData
	}: { id: string; staticData: IDataObject; settings: IWorkflowSettings },
): Workflow {
	return new Workflow({
		...workflowData,
		name: 'Test',
		active: true,
		nodes: nodes.map((node, index) => toStoredTrigger(pack, node, index)),
		connections: {},
		nodeTypes: {
			getByName: (name) => new pack[name as TriggerName]!(),
			getByNameAndVersion: (name) => new pack[name as TriggerName]!(),
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1', timezone: 'UTC', ...settings },
	});
}
