import 'reflect-metadata';
import { TriggerContext } from 'n8n-core';
import { ICredentialsHelper, NodeHelpers, Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	INodeParameters,
	INodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

/** Simulated durations of an execution and of a database write. In a busy n8n, other processes do this work. */
const EXECUTION_MS = 5;
const SAVE_MS = 3;

/** A trigger to run, with its credential. */
export interface HostedTrigger {
	Node: new () => INodeType;
	parameters: INodeParameters;
	Credential: new () => ICredentialType;
	secret: ICredentialDataDecryptedObject;
}

/** Executions that the trigger has started, and errors that it has reported. */
export interface HostedRun {
	executions: number;
	readonly errors: Error[];
}

/** Runs one trigger on n8n-core's own context, and serializes its static data whenever n8n would. */
export async function hostTrigger(hosted: HostedTrigger): Promise<HostedRun> {
	const nodeType = new hosted.Node();
	const node = toStoredNode(nodeType, hosted.parameters);
	const workflow = new Workflow({
		id: 'bench',
		name: 'Bench',
		active: true,
		nodes: [node],
		connections: {},
		nodeTypes: {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		},
		staticData: {},
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
	const run: HostedRun = { executions: 0, errors: [] };
	const startedKeys = new Set<string | undefined>();
	const execute = async (key: string | undefined) => {
		await delay(1);
		// n8n starts no second execution with the same deduplication key.
		if (startedKeys.has(key)) return undefined;
		startedKeys.add(key);
		run.executions++;
		await delay(EXECUTION_MS);
		return { finished: true };
	};
	const emit: TriggerContext['emit'] = (_data, _response, done, key) => {
		void saveStaticData(workflow);
		const execution = execute(key);
		if (done) execution.then(done.resolve as (value: unknown) => void, done.reject);
	};
	const recordError = (error: Error) => void run.errors.push(error);
	const context = new TriggerContext(
		workflow,
		node,
		createAdditionalData(hosted),
		'trigger',
		'init',
		emit,
		recordError,
		recordError,
	);
	await nodeType.trigger!.call(context);
	await saveStaticData(workflow);
	return run;
}

/** Returns the node as n8n stores it: with defaults filled in. */
function toStoredNode({ description }: INodeType, parameters: INodeParameters): INode {
	const { credentials = [], name, properties } = description;
	const node: INode = {
		id: 'trigger',
		name: 'Trigger',
		type: name,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: Object.fromEntries(
			credentials.map((credential) => [credential.name, { id: '1', name: 'Bench' }]),
		),
	};
	const filledParameters = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		node,
		description,
	);
	return { ...node, parameters: filledParameters! };
}

/** Serializes the static data if n8n noticed a change. n8n does so in its own process, so the benchmark counts it. */
async function saveStaticData({ staticData }: Workflow): Promise<void> {
	if (staticData.__dataChanged !== true) return;
	JSON.stringify(staticData);
	await delay(SAVE_MS);
	staticData.__dataChanged = false;
}

/** Parts of n8n's additional data that a trigger's context reads. */
const createAdditionalData = (hosted: HostedTrigger) =>
	({
		credentialsHelper: new HostedCredential(hosted),
		instanceBaseUrl: 'http://127.0.0.1:1/',
		variables: {},
	}) as unknown as IWorkflowExecuteAdditionalData;

/** Credentials helper that knows one credential. */
class HostedCredential extends ICredentialsHelper {
	private readonly type: ICredentialType;
	private readonly secret: ICredentialDataDecryptedObject;

	constructor({ Credential, secret }: HostedTrigger) {
		super();
		this.type = new Credential();
		this.secret = secret;
	}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async authenticate(
		secret: ICredentialDataDecryptedObject,
		_typeName: string,
		options: IHttpRequestOptions,
	) {
		const { authenticate } = this.type;
		return typeof authenticate === 'function' ? await authenticate(secret, options) : options;
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('A trigger reads decrypted credentials only');
	}

	async getDecrypted() {
		return { ...this.secret };
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}

	getCredentialsProperties() {
		return this.type.properties;
	}
}
