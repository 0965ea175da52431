import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeTypes,
	ResourceMapperFields,
} from 'n8n-workflow';

import { additionalData, toStoredNode, nodeTypeOf } from './workflow';
import type { NodeKit } from './workflow';

/** Requests of n8n's editor to a node while a user fills in its panel. */
export interface Panel {
	/** Returns one page of a list to choose from, or the results of a search in it. */
	list(method: string, filter?: string, token?: string): Promise<INodeListSearchResult>;
	/** Returns the fields of a resource mapper. */
	inputs(method: string): Promise<ResourceMapperFields>;
	/** Returns the options of a drop-down list. */
	choices(method: string): Promise<INodePropertyOptions[]>;
}

/** Opens the panel of a node with the given parameters, on n8n's own context for it. */
export function openPanel(kit: NodeKit, type: string, parameters: INodeParameters): Panel {
	const nodeTypes: INodeTypes = {
		getByName: (name) => nodeTypeOf(kit, name),
		getByNameAndVersion: (name) => nodeTypeOf(kit, name),
		getKnownTypes: () => ({}),
	};
	const node = toStoredNode({ name: 'Node', type, parameters }, 0, kit);
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
		settings: { timezone: 'UTC' },
	});
	const data = { ...additionalData(kit), currentNodeParameters: parameters };
	const context = new LoadOptionsContext(
		workflow,
		node,
		data,
		'parameters',
	) as unknown as ILoadOptionsFunctions;
	const { methods = {} } = nodeTypeOf(kit, type);
	return {
		list: async (method, filter, token) =>
			await methods.listSearch![method]!.call(context, filter, token),
		inputs: async (method) => await methods.resourceMapping![method]!.call(context),
		choices: async (method) => await methods.loadOptions![method]!.call(context),
	};
}
