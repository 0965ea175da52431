import { TriggerContext, WebhookContext } from 'n8n-core';
import { NodeHelpers, Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	INode,
	INodeParameters,
	INodeType,
	ITriggerResponse,
	IWebhookData,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { additionalData } from '../../support/n8nData';
import type { NodeKit } from '../../support/n8nData';
import type { N8nProcess } from './n8nProcess';
import { WebhookResponse } from './webhookResponse';
import type { World } from './world';

/** A published workflow with one trigger. */
export interface TriggerWorkflow {
	id: string;
	/** Class of the trigger in the pack. */
	trigger: string;
	parameters: INodeParameters;
}

export interface N8nOptions {
	workflows: TriggerWorkflow[];
	credentials: Record<string, ICredentialDataDecryptedObject>;
	/** Longest time that a write to the database takes. */
	maxWriteMs: number;
	/** Whether a write begins when the previous one has ended, as with SQLite. With PostgreSQL a later one can end first. */
	ordersWrites: boolean;
	/** Whether n8n keeps successful executions, and with them their deduplication keys. */
	keepsExecutions: boolean;
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
	/** The column of static data, by workflow. */
	private readonly staticData = new Map<string, string>();
	private readonly keys = new Set<string>();
	private lastWrite: Promise<unknown> = Promise.resolve();
	private openTriggers = new Map<string, ITriggerResponse>();
	private readonly nodeTypes = new WeakMap<new () => INodeType, INodeType>();

	constructor(
		private readonly world: World,
		private readonly options: N8nOptions,
	) {
		world.record({ type: 'settings', keepsExecutions: options.keepsExecutions });
	}

	/** Starts n8n. Resolves when all workflows are activated, or never if n8n is killed meanwhile. */
	async start(activation: WorkflowActivateMode = 'init'): Promise<void> {
		const process = this.world.startProcess();
		this.openTriggers = new Map();
		await this.sleep(process, STARTUP_MS);
		for (const workflow of this.options.workflows)
			await this.activate(process, workflow, activation);
	}

	/** Posts to the webhook of a workflow's trigger. Resolves with the status, or never if n8n is killed meanwhile. */
	async post(workflowIndex: number, body: IDataObject): Promise<number> {
		const { process } = this.world;
		if (!process) return 0;
		const workflow = this.load(process, this.options.workflows[workflowIndex]!);
		const node = Object.values(workflow.nodes)[0]!;
		const response = new WebhookResponse();
		const extras = Object.assign(this.additionalData(process), {
			httpRequest: { body, headers: { 'content-type': 'application/json' }, rawBody: undefined },
			httpResponse: response,
		});
		const webhookData = { webhookDescription: { name: 'default' } } as unknown as IWebhookData;
		const context = new WebhookContext(workflow, node, extras, 'webhook', webhookData, [], null);
		const result = await this.typeOf(process, node.type).webhook!.call(context);
		await this.save(process, workflow);
		if (!result.noWebhookResponse) response.json();
		await response.sent;
		return await this.world.cause(process, () => response.statusCode);
	}

	private async activate(
		process: N8nProcess,
		definition: TriggerWorkflow,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const workflow = this.load(process, definition);
		const node = Object.values(workflow.nodes)[0]!;
		const context = new TriggerContext(
			workflow,
			node,
			this.additionalData(process),
			'trigger',
			activation,
			(data, _response, deferred, key) => {
				void this.save(process, workflow);
				const items = data[0]!.map(({ json }) => json);
				const { resolve, reject } = deferred!;
				this.execute(process, key!, items).then(resolve as (value: unknown) => void, reject);
			},
			() => void this.reactivate(process, definition),
			(error) => this.recordReport(error as Error & { description?: string }),
		);
		try {
			const response = await this.typeOf(process, node.type).trigger!.call(context);
			if (response) this.openTriggers.set(definition.id, response);
		} catch {
			void this.reactivate(process, definition);
			return;
		}
		await this.save(process, workflow);
	}

	/**
	 * Activates a workflow again whose trigger failed: n8n's reconciler does, and so does a user whose publishing failed (n8n
	 * 2.41.1, dist/workflows/publication).
	 */
	private async reactivate(process: N8nProcess, definition: TriggerWorkflow): Promise<void> {
		await this.openTriggers.get(definition.id)?.closeFunction?.();
		await this.sleep(process, RECONCILE_MS);
		await this.activate(process, definition, 'update');
	}

	/** Creates and runs an execution, unless one with its key exists. */
	private async execute(process: N8nProcess, key: string, items: IDataObject[]): Promise<unknown> {
		const { world, options } = this;
		world.record({ type: 'startRequested', process: process.number, key });
		const isNew = await world.cause(process, async () => {
			await world.machine.sleep(world.random.next() * options.maxWriteMs);
			if (this.keys.has(key)) return false;
			this.keys.add(key);
			world.record({ type: 'started', key, items: structuredClone(items) });
			return true;
		});
		if (!isNew) return undefined;
		await this.sleep(process, world.random.next() * MAX_EXECUTION_MS);
		if (!options.keepsExecutions) this.keys.delete(key);
		return { finished: true };
	}

	/**
	 * Saves static data that is marked as changed, as n8n 2.41.1 does (dist/workflows/workflow-static-data.service.js): the
	 * whole column, without an error if it fails.
	 */
	private async save(process: N8nProcess, workflow: Workflow): Promise<void> {
		const { world, options } = this;
		if (workflow.staticData.__dataChanged !== true) return;
		const content = JSON.stringify(workflow.staticData);
		const beganAt = Math.round(world.machine.nowMs);
		const previous = options.ordersWrites ? this.lastWrite : Promise.resolve();
		const write = world.cause(process, async () => {
			await previous;
			await this.sleep(process, world.random.next() * options.maxWriteMs);
			this.staticData.set(workflow.id, content);
			world.record({ type: 'saved', workflow: workflow.id, beganAt });
		});
		// The next process does not wait for the writes of a dead one.
		this.lastWrite = Promise.race([write, process.dead]);
		await write;
		workflow.staticData.__dataChanged = false;
	}

	/** Waits in the time of the machine, for as long as the process lives. */
	private async sleep(process: N8nProcess, ms: number): Promise<void> {
		await this.world.machine.sleep(ms);
		await process.ifAlive(undefined);
	}

	private recordReport({ message, description = '' }: Error & { description?: string }): void {
		this.world.record({ type: 'reported', message, description });
	}

	/** Returns a node type. Each is created once per process, as in n8n. */
	private typeOf({ pack }: N8nProcess, name: string): INodeType {
		const Type = pack[name]!;
		const nodeType = this.nodeTypes.get(Type) ?? new Type();
		this.nodeTypes.set(Type, nodeType);
		return nodeType;
	}

	/** Loads a workflow from the database. */
	private load(process: N8nProcess, { id, trigger, parameters }: TriggerWorkflow): Workflow {
		const { description } = this.typeOf(process, trigger);
		const credentials = Object.fromEntries(
			(description.credentials ?? []).map(({ name }) => [name, { id: name, name }]),
		);
		const node: INode = {
			id: `node of ${id}`,
			name: 'Trigger',
			type: trigger,
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials,
			webhookId: `webhook of ${id}`,
		};
		node.parameters = NodeHelpers.getNodeParameters(
			description.properties,
			parameters,
			true,
			false,
			node,
			description,
		)!;
		return new Workflow({
			id,
			name: id,
			active: true,
			nodes: [node],
			connections: {},
			nodeTypes: {
				getByName: (name) => this.typeOf(process, name),
				getByNameAndVersion: (name) => this.typeOf(process, name),
				getKnownTypes: () => ({}),
			},
			staticData: JSON.parse(this.staticData.get(id) ?? '{}') as IDataObject,
			settings: {
				executionOrder: 'v1',
				timezone: 'UTC',
				...(!this.options.keepsExecutions && { saveDataSuccessExecution: 'none' as const }),
			},
		});
	}

	private additionalData({ pack }: N8nProcess) {
		const classes = Object.entries(pack);
		const kit: NodeKit = {
			nodes: pack,
			credentials: classes.flatMap(([name, Class]) =>
				name.endsWith('Api') ? [Class as new () => ICredentialType] : [],
			),
			credentialData: this.options.credentials,
		};
		return additionalData(kit);
	}
}
