import 'reflect-metadata';
import { HookContext, TriggerContext, WebhookContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	ITriggerResponse,
	IWebhookData,
	IWorkflowSettings,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { readStoredIds } from '../../../../nodes/engine/trigger/ids/storedIds';
import type { SavedId, IdSnapshot } from '../../../../nodes/engine/watch';
import type { Sandbox } from '../../../../sandbox/server';
import { packServices } from '../../../support/pack';
import { additionalData } from '../../../support/workflow';
import type { NodeKit } from '../../../support/workflow';
import { toExpressResponse, parseBody } from './express';
import type { PostOptions } from './express';
import { hostWorkflow } from './hostNode';
import type { HostNode } from './hostNode';
import { loadTriggersOf } from './loadTriggers';
import type { Triggers } from './loadTriggers';
import { postJson, WebhookServer } from './webhookServer';
import type { WebhookResponse } from './webhookServer';

export type { TriggerName, Triggers, IdTriggerName } from './loadTriggers';
export type { HostNode } from './hostNode';
export { waitUntil } from './waitUntil';

const WEBHOOK_PATH = /^(?:\/n8n)?\/webhook(-test)?\/hook-(\d+)\/watch$/;

/** One execution as n8n's database stores it. */
export interface Execution {
	key: string;
	item: IDataObject;
	/** All items that it started with. */
	items: IDataObject[];
	startedAtMs: number;
}

/**
 * Stands for n8n: contexts and workflows of n8n-core, a database column for static data that is written when n8n writes it,
 * executions with unique deduplication keys, and webhooks over HTTP that save static data before they respond.
 */
export class TriggerHost {
	/** The static data in the database. */
	staticDataJson = '{}';
	executions: Execution[] = [];
	/** Errors passed to `saveFailedExecution`. */
	failedExecutions: Error[] = [];
	/** Errors passed to `emitError`. */
	emittedErrors: Error[] = [];
	/** How often triggers called `emit`. */
	emitCalls = 0;
	/** How many of the next starts fail; counts down with each of them. */
	startsToReject = 0;
	/** Whether n8n crashes before it creates the next execution. Static data that it saved stays saved. */
	crashesBeforeNextStart = false;
	/** Called with every request to a webhook, before the node handles it. */
	onRequest: (request: IncomingMessage, body: string) => void = () => undefined;
	/** Whether webhooks receive `rawBody`, as they do in n8n. */
	keepsRawBody = true;
	settings: IWorkflowSettings = {};
	/** Duration of each of the next saves in milliseconds; later ones take 3. */
	saveDelaysMs: number[] = [];
	/** How often the column was written. */
	saveCount = 0;
	/** Longest time for which serializing the column blocked the event loop. */
	longestSaveMs = 0;
	/** How many requests webhooks have received. */
	webhookCalls = 0;
	/** Every save waits for this promise. */
	databaseReady: Promise<unknown> = Promise.resolve();
	/** Duration of an execution. */
	executionMs = 5;
	/** Returns the error with which an execution ends, if it fails. */
	executionError: () => Error | undefined = () => undefined;
	/** How often the credential was read. */
	credentialReads = 0;
	/** Thrown when the credential is read. */
	credentialReadError: Error | undefined;
	credentialData: Record<string, ICredentialDataDecryptedObject>;
	pack: Triggers;
	private readonly openTriggers = new Set<ITriggerResponse>();
	private readonly server = new WebhookServer(
		async (request, response, rawBody) => await this.serve(request, response, rawBody),
	);

	constructor(
		sandbox: Pick<Sandbox, 'credentials'>,
		public nodes: HostNode[],
		private readonly workflowId = 'workflow-1',
		private readonly loadPack = () => loadTriggersOf(nodes),
	) {
		this.pack = loadPack();
		this.credentialData = structuredClone(sandbox.credentials);
	}

	/** Starts the triggers of the workflow, as an activation does, and saves the static data. */
	async start(
		activation: WorkflowActivateMode = 'activate',
		staticDataJson = this.staticDataJson,
	): Promise<ITriggerResponse[]> {
		const workflow = this.workflow(staticDataJson);
		const responses: ITriggerResponse[] = [];
		for (const node of Object.values(workflow.nodes)) {
			await this.callHook('checkExists', workflow, node, activation);
			const context = this.triggerContext(workflow, node, activation);
			const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type);
			const response = (await nodeType.trigger!.call(context))!;
			this.openTriggers.add(response);
			responses.push(response);
		}
		await this.save(workflow);
		return responses;
	}

	/** Closes the running triggers. */
	async stop(): Promise<void> {
		const responses = [...this.openTriggers];
		this.openTriggers.clear();
		await Promise.all(responses.map(async ({ closeFunction }) => await closeFunction!()));
	}

	/** Unpublishes the workflow: closes its webhooks and triggers. */
	async unpublish(): Promise<void> {
		const workflow = this.workflow();
		for (const node of Object.values(workflow.nodes)) await this.callHook('delete', workflow, node);
		await this.stop();
	}

	/** Opens or closes the webhook (or test URL) of a node that has one, as n8n does before it starts triggers. */
	async callHook(
		method: 'checkExists' | 'delete',
		workflow: Workflow,
		node: INode,
		activation: WorkflowActivateMode = 'activate',
		isTest = false,
	): Promise<void> {
		const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type);
		const [webhook] = nodeType.description.webhooks ?? [];
		const httpMethod =
			webhook &&
			workflow.expression.getSimpleParameterValue(node, webhook.httpMethod, 'internal', {});
		if (!httpMethod) return;
		const webhookData = { webhookDescription: webhook, isTest } as IWebhookData;
		const hookData = await this.additionalHookData();
		const context = new HookContext(workflow, node, hookData, 'trigger', activation, webhookData);
		await nodeType.webhookMethods!.default![method].call(context);
	}

	private async additionalHookData() {
		const url = await this.server.url();
		const urls = { webhookBaseUrl: `${url}/webhook`, webhookTestBaseUrl: `${url}/webhook-test` };
		return Object.assign(this.additionalData(), urls);
	}

	/** Replaces the process by a new one, which only has what the database contains. */
	async restartProcess(): Promise<void> {
		await this.stop();
		this.pack = this.loadPack();
	}

	/** Posts to the webhook of a node over HTTP: a string unchanged, anything else as JSON. */
	async post(
		body: unknown,
		{ headers = {}, node: nodeIndex = 0, test: isTest = false }: PostOptions = {},
	): Promise<WebhookResponse> {
		return await postJson(await this.webhookUrl(nodeIndex, isTest), body, headers);
	}

	/** Returns the URL of a node's webhook. */
	async webhookUrl(nodeIndex = 0, isTest = false): Promise<string> {
		return `${await this.server.url()}/webhook${isTest ? '-test' : ''}/hook-${nodeIndex}/watch`;
	}

	async close(): Promise<void> {
		await this.stop();
		await this.server.close();
	}

	/** Returns the IDs of a node in the saved static data. */
	savedIds(nodeIndex = 0): SavedId[] {
		const { global = {} } = JSON.parse(this.staticDataJson) as {
			global?: Record<string, IdSnapshot>;
		};
		return (readStoredIds(global[`node-${nodeIndex}`]) as IdSnapshot | undefined)?.ids ?? [];
	}

	/** Returns the items with which executions were started, by ID. */
	startedItemsById(): Map<unknown, IDataObject> {
		return new Map(this.executions.map(({ item }) => [item.id, item]));
	}

	/** Builds the workflow from the database. */
	workflow(staticDataJson = this.staticDataJson): Workflow {
		return hostWorkflow(this.pack, this.nodes, {
			id: this.workflowId,
			staticData: JSON.parse(staticDataJson) as IDataObject,
			settings: this.settings,
		});
	}

	/** Returns the additional data of n8n's contexts. */
	additionalData() {
		const kit: NodeKit = {
			nodes: this.pack,
			credentials: packServices.map(({ Credential }) => Credential),
			credentialData: this.credentialData,
		};
		const extras = additionalData(kit);
		const { credentialsHelper } = extras;
		const decrypt = credentialsHelper.getDecrypted.bind(credentialsHelper);
		credentialsHelper.getDecrypted = async (...args) => {
			this.credentialReads++;
			if (this.credentialReadError) throw this.credentialReadError;
			return await decrypt(...args);
		};
		return extras;
	}

	private triggerContext(workflow: Workflow, node: INode, activation: WorkflowActivateMode) {
		const emit: TriggerContext['emit'] = (data, _response, deferred, key) => {
			this.emitCalls++;
			void this.save(workflow);
			const items = data[0]!.map(({ json }) => json);
			const execution = this.execute(key!, items);
			if (deferred) execution.then(deferred.resolve as (value: unknown) => void, deferred.reject);
		};
		return new TriggerContext(
			workflow,
			node,
			this.additionalData(),
			'trigger',
			activation,
			emit,
			(error) => this.emittedErrors.push(error),
			(error) => this.failedExecutions.push(error),
		);
	}

	/** Stores and runs an execution, unless one with its key exists. */
	private async execute(key: string, items: IDataObject[]): Promise<unknown> {
		await delay(1);
		if (this.crashesBeforeNextStart) return await new Promise(() => undefined);
		if (this.startsToReject > 0) {
			this.startsToReject--;
			throw new Error('The database is busy');
		}
		if (this.executions.some((execution) => execution.key === key)) return undefined;
		const copies = structuredClone(items);
		this.executions.push({ key, item: copies[0]!, items: copies, startedAtMs: Date.now() });
		await delay(this.executionMs, undefined, { ref: false });
		const error = this.executionError();
		if (error) throw error;
		return { finished: true };
	}

	/** Writes the whole column if the static data is marked as changed, as n8n does. */
	private async save(workflow: Workflow): Promise<void> {
		if (workflow.staticData.__dataChanged !== true) return;
		const startedAtMs = performance.now();
		const staticDataJson = JSON.stringify(workflow.staticData);
		this.longestSaveMs = Math.max(this.longestSaveMs, performance.now() - startedAtMs);
		this.saveCount++;
		await this.databaseReady;
		await delay(this.saveDelaysMs.shift() ?? 3);
		this.staticDataJson = staticDataJson;
		workflow.staticData.__dataChanged = false;
	}

	private async serve(
		request: IncomingMessage,
		response: ServerResponse,
		rawBody: Buffer,
	): Promise<void> {
		this.webhookCalls++;
		this.onRequest(request, rawBody.toString());
		const [, testSuffix, nodeIndex] = WEBHOOK_PATH.exec(request.url!)!;
		const workflow = this.workflow();
		const node = Object.values(workflow.nodes)[Number(nodeIndex)]!;
		const extras = this.additionalData();
		const parsedBody = { body: parseBody(request, rawBody), ...(this.keepsRawBody && { rawBody }) };
		extras.httpRequest = Object.assign(request, parsedBody) as never;
		extras.httpResponse = toExpressResponse(response) as never;
		const mode = testSuffix ? 'manual' : 'webhook';
		const webhookData = { webhookDescription: { name: 'default' } } as unknown as IWebhookData;
		const context = new WebhookContext(workflow, node, extras, mode, webhookData, [], null);
		const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type);
		const result = await nodeType.webhook!.call(context);
		if (!testSuffix) await this.save(workflow);
		if (!result.noWebhookResponse) response.end(JSON.stringify(result.webhookResponse));
	}
}
