import { Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { RenewedConnection } from '../../../../nodes/engine/trigger/common/renewedConnection';
import type { IdTriggerDefinition } from '../../../../nodes/engine/trigger/ids/idTriggerDefinition';
import { LiveIdTrigger } from '../../../../nodes/engine/trigger/ids/liveIdTrigger';
import { receiveIds } from '../../../../nodes/engine/trigger/ids/webhook/receive';
import type { EndedId } from '../../../../nodes/engine/watch';
import type { WatchHooks } from '../../../../nodes/engine/watch/watcher';
import { WebhookResponse } from '../../../simulation/world/webhookResponse';
import { createRandom } from '../support/virtualTime';

const NODE_IDS = ['node-0', 'node-1'];
const SECRET = { secret: 'the-secret' };
const definition = {
	service: { secretFields: [] },
	shape: { outputSchema: {} },
} as unknown as IdTriggerDefinition;

/** The static data of the workflow, as the database has it. */
type Column = { global?: Record<string, { ids: string[]; confirmedIds: string[] }> };

export interface DatabaseOptions {
	seed: number;
	/** The longest duration of a write. Writes are concurrent, so that a later one can end first. */
	maxWriteMs: number;
}

/**
 * A workflow with two ID triggers in an n8n 2.41.1 whose database is slow: n8n saves static data without waiting when a trigger
 * emits, at the end of an activation, and before it answers a webhook. Run it with Jest's fake timers.
 */
export class DatabaseModel {
	readonly random: () => number;
	/** IDs that were acknowledged with status 200. */
	readonly acknowledgedIds = new Set<string>();
	/** Acknowledged IDs that a kill at some moment would have lost. */
	readonly lostIds = new Set<string>();
	/** How long each acknowledgement took. */
	readonly responseTimesMs: number[] = [];
	/** How long the trigger waited for each start. */
	readonly startDelaysMs: number[] = [];
	/** Whether writes that begin now fail. */
	isFailing = false;
	private column = '{}';
	private readonly startedIds = new Set<string>();
	/** Number of polls after which an ID ends. */
	private readonly lifetimes = new Map<string, number>();
	private readonly requestedAtMs = new Map<string, number>();
	private readonly triggers = new Map<string, LiveIdTrigger>();

	constructor(private readonly options: DatabaseOptions) {
		this.random = createRandom(options.seed);
	}

	/** Replaces the request to the service: each ID ends after one to hundreds of polls. */
	private readonly poll: WatchHooks['pollId'] = async ({ id, pollNumber }) => {
		await delay(20);
		const lifetime = this.lifetimes.get(id) ?? 1 / this.random();
		this.lifetimes.set(id, lifetime);
		if (pollNumber < lifetime) return { kind: 'pending' };
		return { kind: 'finished', outcome: 'approved' };
	};

	/** Activates a trigger as n8n does, with the static data of the database. */
	async activate(nodeIndex: number): Promise<void> {
		const nodeId = NODE_IDS[nodeIndex]!;
		const workflow = this.loadWorkflow();
		await this.triggers.get(nodeId)?.close();
		const trigger = new LiveIdTrigger({
			context: this.triggerContext(workflow, nodeId),
			definition,
			connection: await RenewedConnection.open(
				async () => ({ credential: { triggerSecret: SECRET.secret }, secrets: new Set() }) as never,
			),
			settings: {
				enteredIds: [],
				acceptNewIds: true,
				outcomes: new Set(['approved']),
				watcherOptions: { intervalMs: 1000 },
				options: {},
				simplifies: false,
			},
		});
		this.triggers.set(nodeId, trigger);
		const { hooks } = trigger.watcher as unknown as { hooks: WatchHooks };
		const { emit } = hooks;
		Object.assign(hooks, {
			pollId: this.poll,
			emit: async (ended: EndedId) => {
				this.requestedAtMs.set(ended.id, performance.now());
				return await emit(ended);
			},
		});
		await trigger.start();
		// n8n registers the other triggers, or updates the trigger count.
		await delay(this.random() * this.options.maxWriteMs);
		await this.save(workflow);
	}

	/** Submits IDs to the webhook of a trigger. */
	async submit(nodeIndex: number, ids: string[]): Promise<number> {
		const calledAtMs = performance.now();
		const workflow = this.loadWorkflow();
		const response = new WebhookResponse();
		const context = {
			...nodeContext(workflow, NODE_IDS[nodeIndex]!),
			getMode: () => 'webhook',
			getHeaderData: () => ({
				'content-type': 'application/json',
				'x-gatehouse-secret': SECRET.secret,
			}),
			getBodyData: () => ({ ids }) as IDataObject,
			getRequestObject: () => ({}),
			getResponseObject: () => response,
		} as unknown as IWebhookFunctions;
		const { noWebhookResponse } = await receiveIds(context, definition);
		await this.save(workflow);
		if (!noWebhookResponse) response.json();
		await response.sent;
		const { statusCode } = response;
		if (statusCode !== 200) return statusCode;
		this.responseTimesMs.push(performance.now() - calledAtMs);
		for (const id of ids) this.acknowledgedIds.add(id);
		this.findLostIds();
		return statusCode;
	}

	async close(): Promise<void> {
		await Promise.all([...this.triggers.values()].map(async (trigger) => await trigger.close()));
	}

	private loadWorkflow(): Workflow {
		return new Workflow({
			id: `${this.options.seed} ${this.options.maxWriteMs}`,
			nodes: [],
			connections: {},
			active: true,
			nodeTypes: {} as never,
			staticData: JSON.parse(this.column) as IDataObject,
		});
	}

	private triggerContext(workflow: Workflow, nodeId: string): ITriggerFunctions {
		const emit = (
			data: INodeExecutionData[][],
			_response: undefined,
			done: { resolve(run?: unknown): void },
		) => {
			void this.save(workflow);
			void this.execute(data[0]![0]!.json.id as string).then(done.resolve);
		};
		const context = {
			...nodeContext(workflow, nodeId),
			emit,
			getActivationMode: () => 'init',
			helpers: { createDeferredPromise },
		};
		return context as unknown as ITriggerFunctions;
	}

	private async execute(id: string): Promise<void> {
		await delay(this.random() * this.options.maxWriteMs);
		if (!this.startedIds.has(id))
			this.startDelaysMs.push(performance.now() - this.requestedAtMs.get(id)!);
		this.startedIds.add(id);
		await delay(50);
	}

	/** Saves as n8n does (dist/workflows/workflow-static-data.service.js): an error is only logged. */
	private async save(workflow: Workflow): Promise<void> {
		if (workflow.staticData.__dataChanged !== true) return;
		const content = JSON.stringify(workflow.staticData);
		const { isFailing } = this;
		await delay(this.random() * this.options.maxWriteMs);
		if (isFailing) return;
		this.column = content;
		this.findLostIds();
		workflow.staticData.__dataChanged = false;
	}

	/** If n8n is killed now, the next process has only the column, and n8n its executions. */
	private findLostIds(): void {
		const { global = {} } = JSON.parse(this.column) as Column;
		const saved = Object.values(global).flatMap(({ ids, confirmedIds }) => [
			...ids.map((text) => (JSON.parse(text) as { id: string }).id),
			...confirmedIds,
		]);
		const known = new Set([...saved, ...this.startedIds]);
		for (const id of this.acknowledgedIds) if (!known.has(id)) this.lostIds.add(id);
	}
}

const delay = async (ms: number): Promise<void> =>
	await new Promise((resolve) => setTimeout(resolve, ms));

function createDeferredPromise() {
	let resolve: (value?: unknown) => void = () => undefined;
	const promise = new Promise((settle) => (resolve = settle));
	return { promise, resolve };
}

const nodeContext = (workflow: Workflow, id: string) => ({
	workflow,
	getNode: () => ({ id, name: id, webhookId: id, type: 'trigger' }) as INode,
	getWorkflow: () => ({ id: workflow.id }),
	getNodeParameter: () => undefined,
	getWorkflowStaticData: () => workflow.getStaticData('global'),
	saveFailedExecution: () => undefined,
});
