import 'reflect-metadata';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, ICredentialsHelper, LoggerProxy, Workflow } from 'n8n-workflow';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodeType,
	INodeTypes,
	IRun,
	IWorkflowExecuteAdditionalData,
	NodeExecutionHint,
} from 'n8n-workflow';

import './resetPauses';

// n8n's logger looks up its caller in a stack trace before it drops the line.
if (process.env.N8N_LOG_LEVEL === 'silent') {
	const discard = () => undefined;
	LoggerProxy.init({ error: discard, warn: discard, info: discard, debug: discard });
}

/** Node types and credentials of a test workflow. */
export interface NodeKit {
	/** Node types by the names that workflows use. */
	nodes: Record<string, new () => INodeType>;
	credentials: Array<new () => ICredentialType>;
	/** The decrypted data of each credential type. */
	credentialData: Record<string, ICredentialDataDecryptedObject>;
}

/** Emits items into a workflow, as a trigger would. */
export class Start implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Start',
		name: 'start',
		group: ['input'],
		version: 1,
		description: 'Outputs the items of the test',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	};

	async execute(): Promise<INodeExecutionData[][]> {
		return [[]];
	}
}

/** Gives nodes the credential data of the kit. */
class TestCredentials extends ICredentialsHelper {
	private readonly types: Map<string, ICredentialType>;

	constructor(private readonly kit: NodeKit) {
		super();
		this.types = new Map(kit.credentials.map((Type) => [new Type().name, new Type()]));
	}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	) {
		const { authenticate } = this.types.get(typeName) ?? {};
		return typeof authenticate === 'function'
			? await authenticate(credentials, requestOptions)
			: requestOptions;
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Not needed');
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
	) {
		return { ...this.kit.credentialData[type] };
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.types.get(type)?.properties ?? [];
	}
}

/** A node of a test workflow as n8n stores it. Missing fields get defaults. */
export type TestNode = Partial<INode> & Pick<INode, 'name' | 'type'>;

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

/** Returns the connections of a node whose only output leads to one other node. */
export const connectTo = (
	node: string,
	type: 'main' | 'ai_tool' = 'main',
): IConnections[string] => ({ [type]: [[{ node, type, index: 0 }]] });

/** Runs one node over the given items and returns its output. */
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
	return {
		...workflowRun,
		outputItems: workflowRun.json('Node'),
		errorItems: workflowRun.items('Node', 1),
	};
}

/** Returns a node as n8n stores it. */
export function toStoredNode(node: TestNode, index: number, kit: NodeKit): INode {
	const requiredCredentials =
		node.type === 'start' ? [] : (nodeTypeOf(kit, node.type).description.credentials ?? []);
	return {
		id: `node-${index}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: Object.fromEntries(
			requiredCredentials.map(({ name }) => [name, { id: name, name }]),
		),
		...node,
	};
}

const nodeTypeInstances = new WeakMap<new () => INodeType, INodeType>();

/** Returns a node type of the kit. Each is created once, as in n8n, which looks it up for every parameter that it reads. */
export function nodeTypeOf(kit: NodeKit, name: string): INodeType {
	const Type = name === 'start' ? Start : kit.nodes[name];
	if (!Type) throw new Error(`The kit has no node type ${name}`);
	const nodeType = nodeTypeInstances.get(Type) ?? new Type();
	nodeTypeInstances.set(Type, nodeType);
	return nodeType;
}

/** Returns n8n's data for every context besides the workflow: credentials, addresses, hooks. */
export function additionalData(kit: NodeKit): IWorkflowExecuteAdditionalData {
	const address = 'http://127.0.0.1:1/';
	return {
		credentialsHelper: new TestCredentials(kit),
		hooks: new ExecutionLifecycleHooks('manual', 'execution', {
			id: 'test',
			name: 'Test',
			active: false,
			nodes: [],
			connections: {},
			createdAt: new Date(),
			updatedAt: new Date(),
			isArchived: false,
			activeVersionId: null,
		}),
		currentNodeExecutionIndex: 0,
		restApiUrl: address,
		instanceBaseUrl: address,
		formBaseUrl: address,
		formWaitingBaseUrl: address,
		formTestBaseUrl: address,
		webhookBaseUrl: address,
		webhookWaitingBaseUrl: address,
		webhookTestBaseUrl: address,
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
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
