import { TriggerContext, WebhookContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	ITriggerResponse,
	IWebhookData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { Database } from './database';
import type { DatabaseOptions } from './database';
import { Executions } from './executions';
import type { N8nProcess } from './n8nProcess';
import { WebhookResponse } from './webhookResponse';
import { storedWorkflowOf, Workflows } from './workflows';
import type { StoredWorkflow, TriggerWorkflow } from './workflows';
import type { World } from './world';

export interface N8nOptions extends DatabaseOptions {
	workflows?: TriggerWorkflow[];
	/** Workflows whose executions run on n8n's engine. */
	executedWorkflows?: StoredWorkflow[];
	credentials: Record<string, ICredentialDataDecryptedObject>;
}

const MAX_EXECUTION_MS = 3000;
/** Interval at which n8n activates workflows whose activation failed. */
const RECONCILE_MS = 10_000;
/** Time from the start of a process until n8n activates workflows. */
const STARTUP_MS = 2000;

/**
 * Stands for the package n8n: its database, the activation of workflows, starts with deduplication keys, and webhooks. Contexts
 * and workflows are n8n-core's.
 */
export class N8nModel {
	readonly database: Database;
	/** The active triggers of each process, by the ID of their nodes. */
	private readonly openTriggers = new WeakMap<N8nProcess, Map<string, ITriggerResponse>>();
	/** Processes that activate workflows. n8n publishes one workflow after the other. */
	private readonly activating = new WeakSet<N8nProcess>();
	/** Processes in which no workflow is published at present. */
	private readonly unpublishedIn = new WeakSet<N8nProcess>();
	private readonly workflows: Workflows;
	readonly executions: Executions;

	constructor(
		private readonly world: World,
		private readonly options: N8nOptions,
	) {
		this.database = new Database(world, options);
		this.workflows = new Workflows(world, options.credentials);
		this.executions = new Executions(world, {
			maxWriteMs: options.maxWriteMs,
			loadWorkflow: (process, id) => this.workflows.load(process, this.findExecuted(id)),
			loadAdditionalData: (process) => this.workflows.additionalData(process),
			typeOf: (process, name) => this.workflows.typeOf(process, name),
		});
		world.onLocalRequest = async (process, request) =>
			await this.executions.respond(process, request);
	}

	/** Starts n8n. Resolves when all workflows are activated, or never if n8n is killed meanwhile. */
	async start(activation: WorkflowActivateMode = 'init'): Promise<void> {
		const process = this.world.startProcess();
		await this.sleep(process, STARTUP_MS);
		this.executions.startIn(process);
		await this.activateAll(process, activation);
	}

	/** Unpublishes all workflows, and publishes them after a pause: n8n closes their triggers and activates them anew. */
	async publishAgain(pauseMs: number): Promise<void> {
		const { process } = this.world;
		if (!process || this.triggersOf(process).size === 0 || this.activating.has(process)) return;
		await this.closeAll(process);
		this.unpublishedIn.add(process);
		this.world.record({ type: 'unpublished', process: process.number });
		if (pauseMs > 0) await this.sleep(process, pauseMs);
		this.unpublishedIn.delete(process);
		this.world.record({ type: 'reopened' });
		await this.activateAll(process, 'update');
	}

	/**
	 * Ends n8n's process in an orderly way: n8n waits for running executions. It does not close its triggers then: n8n 2.41.1,
	 * removeAllNonWebhookTriggerWorkflows in dist/active-workflow-manager.js, returns at once if its publication service
	 * publishes workflows, the default. Resolves never if the process is killed meanwhile.
	 */
	async stop(): Promise<void> {
		const { process } = this.world;
		if (!process) return;
		const triggersMs = MAX_EXECUTION_MS + this.options.maxWriteMs;
		const isIdle = await this.executions.endIn(process, triggersMs);
		this.world.endProcess(process, !isIdle);
	}

	/** Starts another process of n8n beside the present one, which is killed after some time. */
	takeOver(overlapMs: number): void {
		const { world } = this;
		const previous = world.process;
		void this.start();
		if (previous) world.machine.schedule(overlapMs, () => world.killProcess(previous, 0));
	}

	private async activateAll(process: N8nProcess, activation: WorkflowActivateMode): Promise<void> {
		this.activating.add(process);
		await process.run(async () => {
			for (const workflow of this.options.workflows ?? [])
				for (let index = 0; index <= (workflow.moreParameters?.length ?? 0); index++)
					await this.activate(process, workflow, index, activation);
		});
		this.activating.delete(process);
	}

	/** Closes the triggers of a process; if a workflow is given, only its own. */
	private async closeAll(process: N8nProcess, workflow?: string): Promise<void> {
		const triggers = this.triggersOf(process);
		for (const [nodeId, { closeFunction }] of [...triggers]) {
			if (workflow !== undefined && !nodeId.endsWith(` of ${workflow}`)) continue;
			triggers.delete(nodeId);
			await process.run(async () => await closeFunction?.());
		}
		await process.ifAlive(undefined);
	}

	private triggersOf(process: N8nProcess): Map<string, ITriggerResponse> {
		const triggers = this.openTriggers.get(process) ?? new Map<string, ITriggerResponse>();
		this.openTriggers.set(process, triggers);
		return triggers;
	}

	/** Publishes a workflow: activates it now and at each start. */
	async publish(workflow: TriggerWorkflow): Promise<void> {
		this.options.workflows!.push(workflow);
		const process = this.world.process!;
		await process.run(async () => await this.activate(process, workflow, 0, 'activate'));
	}

	/** Unpublishes a workflow. n8n 2.41.1 closes its triggers and saves nothing. */
	async unpublish(id: string): Promise<void> {
		const { workflows } = this.options;
		const index = workflows!.findIndex((workflow) => workflow.id === id);
		if (index < 0) return;
		workflows!.splice(index, 1);
		const { process } = this.world;
		if (process) await this.closeAll(process, id);
	}

	/** Posts to the webhook of a workflow's trigger. Resolves with the status, or never if n8n is killed meanwhile. */
	async post(workflowIndex: number, body: IDataObject, nodeIndex = 0): Promise<number> {
		const { process } = this.world;
		if (!process) return 0;
		if (this.unpublishedIn.has(process)) return 404;
		const workflow = this.load(process, this.options.workflows![workflowIndex]!);
		const node = Object.values(workflow.nodes)[nodeIndex]!;
		const response = new WebhookResponse();
		const extras = Object.assign(this.workflows.additionalData(process), {
			httpRequest: { body, headers: { 'content-type': 'application/json' }, rawBody: undefined },
			httpResponse: response,
		});
		const webhookData = { webhookDescription: { name: 'default' } } as unknown as IWebhookData;
		const context = new WebhookContext(workflow, node, extras, 'webhook', webhookData, [], null);
		const webhook = this.workflows.typeOf(process, node.type).webhook!;
		const result = await process.run(async () => await webhook.call(context), { trigger: node.id });
		await this.save(process, workflow);
		if (!result.noWebhookResponse) response.json();
		await response.sent;
		return await this.world.cause(process, 'webhook response', () => response.statusCode);
	}

	/** Posts to the webhook of a workflow with this ID. n8n responds 404 if the workflow is not published. */
	async postTo(id: string, body: IDataObject): Promise<number> {
		const index = this.options.workflows!.findIndex((workflow) => workflow.id === id);
		return index < 0 ? 404 : await this.post(index, body);
	}

	private async activate(
		process: N8nProcess,
		definition: TriggerWorkflow,
		nodeIndex: number,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const workflow = this.load(process, definition);
		const node = Object.values(workflow.nodes)[nodeIndex]!;
		const reactivate = () => void this.reactivate(process, definition, nodeIndex, node.id);
		const context = new TriggerContext(
			workflow,
			node,
			this.workflows.additionalData(process),
			'trigger',
			activation,
			(data, _response, deferred, key) => {
				void this.save(process, workflow);
				const items = data[0]!.map(({ json }) => json);
				const { resolve, reject } = deferred!;
				this.execute(process, key!, items, node.id).then(
					resolve as (value: unknown) => void,
					reject,
				);
			},
			reactivate,
			(error) => this.recordReport(node.id, error as Error & { description?: string }),
		);
		try {
			const open = this.workflows.typeOf(process, node.type).trigger!;
			const response = await process.run(async () => await open.call(context), {
				trigger: node.id,
			});
			if (response) this.triggersOf(process).set(node.id, response);
		} catch {
			this.world.record({
				type: 'activationFailed',
				process: process.number,
				workflow: workflow.id,
			});
			reactivate();
			return;
		}
		await this.save(process, workflow);
	}

	/**
	 * Activates a workflow again whose trigger failed: n8n's reconciler does, and so does a user whose publishing failed (n8n
	 * 2.41.1, dist/workflows/publication).
	 */
	private async reactivate(
		process: N8nProcess,
		definition: TriggerWorkflow,
		nodeIndex: number,
		nodeId: string,
	): Promise<void> {
		const triggers = this.triggersOf(process);
		await triggers.get(nodeId)?.closeFunction?.();
		triggers.delete(nodeId);
		await this.sleep(process, RECONCILE_MS);
		if (this.unpublishedIn.has(process)) return;
		await this.activate(process, definition, nodeIndex, 'update');
	}

	/** Creates and runs an execution, unless one with its key exists. */
	private async execute(
		process: N8nProcess,
		key: string,
		items: IDataObject[],
		trigger: string,
	): Promise<unknown> {
		const { world, database } = this;
		if (!(await database.createExecution(process, { key, items, trigger }))) return undefined;
		await this.sleep(process, world.random.next() * MAX_EXECUTION_MS);
		database.endExecution(key);
		return { finished: true };
	}

	/**
	 * Saves static data that is marked as changed, as n8n 2.41.1 does (dist/workflows/workflow-static-data.service.js): the
	 * whole column, without an error if it fails.
	 */
	private async save(process: N8nProcess, workflow: Workflow): Promise<void> {
		if (workflow.staticData.__dataChanged !== true) return;
		const content = JSON.stringify(workflow.staticData);
		const isConfirmed = await this.database.saveStaticData(process, workflow.id, content);
		if (isConfirmed) workflow.staticData.__dataChanged = false;
	}

	/** Waits in the time of the machine, for as long as the process lives. */
	private async sleep(process: N8nProcess, ms: number): Promise<void> {
		await this.world.machine.sleep(ms);
		await process.ifAlive(undefined);
	}

	private recordReport(
		trigger: string,
		{ message, description = '' }: Error & { description?: string },
	): void {
		this.world.record({ type: 'reported', message, description, trigger });
	}

	private findExecuted(id: string): StoredWorkflow {
		return this.options.executedWorkflows!.find((workflow) => workflow.id === id)!;
	}

	/** Loads a workflow with triggers from the database. */
	private load(process: N8nProcess, definition: TriggerWorkflow): Workflow {
		const staticData = JSON.parse(this.database.readStaticData(definition.id)) as IDataObject;
		const stored = storedWorkflowOf(definition, this.options.keepsExecutions);
		return this.workflows.load(process, stored, staticData);
	}
}
