import { NodeHelpers, Workflow } from 'n8n-workflow';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
} from 'n8n-workflow';

import { additionalData, connectTo, Start, toStoredNode } from '../../support/n8nData';
import type { NodeKit, TestNode } from '../../support/n8nData';
import type { N8nProcess } from './n8nProcess';
import type { World } from './world';

/** A workflow as n8n's database stores it. */
export interface StoredWorkflow {
	id: string;
	/** Types are classes of the pack, `start`, `record` and `pause`. */
	nodes: TestNode[];
	/** By default each node leads to the next one. */
	connections?: IConnections;
	settings?: IWorkflowSettings;
}

/** A published workflow with its triggers. */
export interface TriggerWorkflow {
	id: string;
	/** Class of the trigger in the pack. */
	trigger: string;
	parameters: INodeParameters;
	/** Parameters of further triggers of the same class, which share the workflow's static data. */
	moreParameters?: INodeParameters[];
}

/** Loads workflows with the node types of a process. */
export class Workflows {
	/** Node types, created once per process, as in n8n. */
	private readonly kits = new WeakMap<N8nProcess, NodeKit>();
	private readonly instances = new WeakMap<N8nProcess, Map<string, INodeType>>();
	/** Complete parameters of the stored nodes. All processes of a world have the same node types. */
	private readonly parameters = new WeakMap<TestNode, INodeParameters>();
	private readonly recordType: new () => INodeType;

	constructor(
		world: World,
		private readonly credentials: Record<string, ICredentialDataDecryptedObject>,
	) {
		this.recordType = createRecordType(world);
	}

	typeOf(process: N8nProcess, name: string): INodeType {
		const instances = this.instances.get(process) ?? new Map<string, INodeType>();
		this.instances.set(process, instances);
		const nodeType = instances.get(name) ?? new (this.kitOf(process).nodes[name]!)();
		instances.set(name, nodeType);
		return nodeType;
	}

	load(process: N8nProcess, stored: StoredWorkflow, staticData: IDataObject = {}): Workflow {
		const { id, nodes, settings } = stored;
		const kit = this.kitOf(process);
		const loaded = nodes.map((node, index) => {
			const complete = toStoredNode({ id: `node ${index} of ${id}`, ...node }, index, kit);
			const parameters = this.parameters.get(node) ?? this.completeParameters(process, complete);
			this.parameters.set(node, parameters);
			return { ...complete, parameters: structuredClone(parameters) };
		});
		const getByName = (name: string) => this.typeOf(process, name);
		return new Workflow({
			id,
			name: id,
			active: true,
			nodes: loaded,
			connections: stored.connections ?? connectInRow(nodes),
			nodeTypes: { getByName, getByNameAndVersion: getByName, getKnownTypes: () => ({}) },
			staticData,
			settings: { executionOrder: 'v1', timezone: 'UTC', ...settings },
		});
	}

	/** Returns the parameters of a node with their defaults. */
	private completeParameters(process: N8nProcess, node: INode): INodeParameters {
		const { description } = this.typeOf(process, node.type);
		const { properties } = description;
		return NodeHelpers.getNodeParameters(
			properties,
			node.parameters,
			true,
			false,
			node,
			description,
		)!;
	}

	additionalData(process: N8nProcess): IWorkflowExecuteAdditionalData {
		return additionalData(this.kitOf(process));
	}

	private kitOf(process: N8nProcess): NodeKit {
		const { pack } = process;
		const kit = this.kits.get(process) ?? {
			nodes: { ...pack, start: Start, record: this.recordType, pause: Pause },
			credentials: Object.entries(pack).flatMap(([name, Class]) =>
				name.endsWith('Api') ? [Class as new () => ICredentialType] : [],
			),
			credentialData: this.credentials,
		};
		this.kits.set(process, kit);
		return kit;
	}
}

const connectInRow = (nodes: TestNode[]): IConnections =>
	Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, connectTo(name)]),
	);

/** Creates a node type that records its input items in the history, under the node's name. */
function createRecordType(world: World): new () => INodeType {
	return class Record implements INodeType {
		description: INodeType['description'] = {
			...new Start().description,
			displayName: 'Record',
			name: 'record',
			inputs: ['main'],
		};

		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const items = this.getInputData();
			world.record({
				type: 'output',
				execution: this.getExecutionId(),
				node: this.getNode().name,
				items: structuredClone(items.map(({ json }) => json)),
				...readPairing(this),
			});
			return [items];
		}
	};
}

/**
 * Returns with which items the previous node has paired its output. n8n pairs the items of the next node's input anew (n8n-core
 * 2.41.1, workflow-execute.js).
 */
function readPairing(context: IExecuteFunctions): { from?: Array<number | null> } {
	const { previousNode, previousNodeOutput = 0 } = context.getInputSourceData();
	const { runExecutionData } = context as unknown as { runExecutionData: IRunExecutionData };
	const run = runExecutionData.resultData.runData[previousNode]?.at(-1);
	const output = run?.data?.main?.[previousNodeOutput];
	return output ? { from: output.map(({ pairedItem }) => indexOf(pairedItem)) } : {};
}

/** Returns the index of the input item that an item is paired with. */
function indexOf(pairedItem: INodeExecutionData['pairedItem']): number | null {
	const [paired] = Array.isArray(pairedItem) ? pairedItem : [pairedItem];
	return (typeof paired === 'object' ? paired.item : paired) ?? null;
}

/** Imitates n8n's Wait node with a wait of ten minutes. */
class Pause implements INodeType {
	description: INodeType['description'] = {
		...new Start().description,
		displayName: 'Pause',
		name: 'pause',
		inputs: ['main'],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		await this.putExecutionToWait(new Date(Date.now() + 600_000));
		return [this.getInputData()];
	}
}

/** Returns a workflow with triggers as n8n stores it. */
export function storedWorkflowOf(
	{ id, trigger, parameters, moreParameters = [] }: TriggerWorkflow,
	keepsExecutions: boolean,
): StoredWorkflow {
	const nodes = [parameters, ...moreParameters].map((given, index) => ({
		id: index === 0 ? `node of ${id}` : `node ${index + 1} of ${id}`,
		name: `Trigger ${index + 1}`,
		type: trigger,
		parameters: given,
		webhookId: `webhook ${index + 1} of ${id}`,
	}));
	const settings = { saveDataSuccessExecution: 'none' as const };
	return { id, nodes, connections: {}, ...(!keepsExecutions && { settings }) };
}
