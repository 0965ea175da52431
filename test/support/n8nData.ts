import 'reflect-metadata';
import { ExecutionLifecycleHooks } from 'n8n-core';
import { ICredentialsHelper } from 'n8n-workflow';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { createRequire } from 'node:module';

const { Logger } = createRequire(require.resolve('n8n-core'))('@n8n/backend-common') as {
	Logger: { prototype: { log: unknown } };
};

/** Keeps a silent n8n from looking up the caller of each log line in a stack trace before it drops the line. */
function dropLogLines(): void {
	if (process.env.N8N_LOG_LEVEL === 'silent') Logger.prototype.log = () => undefined;
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

/** Returns the connections of a node whose only output leads to one other node. */
export const connectTo = (
	node: string,
	type: 'main' | 'ai_tool' = 'main',
): IConnections[string] => ({ [type]: [[{ node, type, index: 0 }]] });

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
	dropLogLines();
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
