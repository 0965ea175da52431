import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData } from 'n8n-workflow';
import type {
	IDataObject,
	IHttpRequestOptions,
	IRun,
	IRunExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { ExecutionOptions } from './executionOptions';
import {
	ExecutionStore,
	prepareResume,
	readData,
	statusOf,
	tokenOf,
	writeData,
} from './executionStore';
import type { StoredExecution } from './executionStore';
import type { N8nProcess } from './n8nProcess';
import { trackWaits } from './waitTracker';
import type { World } from './world';

/** Address of n8n, for its resume webhook and its own endpoints. */
export const N8N_ADDRESS = 'http://n8n.test';

/** Time that the database takes to read an execution. */
const READ_MS = 20;
/** Time from reading an execution to claiming it in the database. */
const PREPARE_MS = 20;
const MAX_RECOVERY_MS = 2000;
const MAX_SHUTDOWN_MS = 30_000;
const SHUTDOWN_CHECK_MS = 500;

interface LocalResponse {
	status: number;
	body: unknown;
}

/**
 * Runs executions on n8n's engine and stores them as n8n 2.41.1 does: parked ones with their data, running ones without. The
 * wait tracker resumes parked executions by time and does not clear its timers; the resume webhook claims an execution in the
 * database. At a start, executions that the database shows as running become crashed.
 */
export class Executions {
	readonly store = new ExecutionStore();
	/** Processes whose recovery is under way. n8n then says that it is not ready. */
	private readonly recovering = new Set<N8nProcess>();
	/** Processes that end in an orderly way. Their wait tracker has stopped. */
	private readonly ending = new WeakSet<N8nProcess>();
	/** Executions that an engine runs, by ID. */
	private readonly engines = new Map<string, { process: N8nProcess; cancel: () => void }>();
	/** Processes that serve webhooks. One that starts does not yet. */
	private readonly serving = new WeakSet<N8nProcess>();

	constructor(
		private readonly world: World,
		private readonly options: ExecutionOptions,
	) {}

	/** Starts the wait tracker and the recovery of a new process. */
	startIn(process: N8nProcess): void {
		this.serving.add(process);
		trackWaits(this.world, this.store, {
			hasStopped: () => process.hasEnded() || this.ending.has(process),
			resume: (execution) =>
				void this.world.cause(process, 'resume', () => {
					if (execution.status === 'waiting')
						this.resume(process, execution, readData(execution), 'time');
				}),
		});
		void this.recover(process);
	}

	/**
	 * Prepares the orderly end of a process, as n8n 2.41.1 does (stopProcess in dist/commands/start.js): stops the wait tracker
	 * and waits until no execution runs, also one that starts meanwhile. Executions of triggers take `triggersMs`. Returns
	 * whether none runs; after half a minute n8n exits anyway.
	 */
	async endIn(process: N8nProcess, triggersMs: number): Promise<boolean> {
		this.ending.add(process);
		const isBusy = () => [...this.engines.values()].some((engine) => engine.process === process);
		let waitedMs = 0;
		for (; waitedMs < MAX_SHUTDOWN_MS; waitedMs += SHUTDOWN_CHECK_MS) {
			if (waitedMs >= triggersMs && !isBusy()) return true;
			await this.sleep(process, SHUTDOWN_CHECK_MS);
		}
		return !isBusy();
	}

	/** Starts an execution with these items, unless n8n is down or starting. */
	async start(workflowId: string, items: IDataObject[]): Promise<StoredExecution | undefined> {
		const { process } = this.world;
		// n8n 2.41.1 starts triggers after its recovery (dist/commands/start.js).
		if (!process || !this.serving.has(process) || this.recovering.has(process)) return undefined;
		const workflow = this.options.loadWorkflow(process, workflowId);
		const firstNode = Object.values(workflow.nodes)[0]!;
		const input = items.map((json, item) => ({ json, pairedItem: { item } }));
		const data = createRunExecutionData({
			executionData: {
				contextData: {},
				metadata: {},
				waitingExecution: {},
				waitingExecutionSource: {},
				nodeExecutionStack: [{ node: firstNode, data: { main: [input] }, source: null }],
			},
			resultData: { runData: {}, pinData: { [firstNode.name]: input } },
		});
		return await this.world.cause(process, 'start', async () => {
			const execution = this.store.create(workflowId);
			const { id } = execution;
			data.resumeToken = tokenOf(id);
			const { number } = process;
			this.world.record({
				type: 'executionStarted',
				execution: id,
				workflow: workflowId,
				items,
				process: number,
			});
			void process.run(async () => await this.run(process, execution, data), { execution: id });
			return execution;
		});
	}

	/** Stops an execution, as a user does. Impossible while n8n is down. */
	cancel(id: string): void {
		const execution = this.store.find(id);
		if (!this.world.process) return;
		if (execution?.status !== 'waiting' && execution?.status !== 'running') return;
		execution.status = 'canceled';
		this.world.record({ type: 'executionEnded', execution: id, status: 'canceled' });
		this.engines.get(id)?.cancel();
	}

	/** Whether the engine runs an execution, whatever the database shows. */
	isRunning(id: string): boolean {
		return this.engines.get(id)?.process.hasEnded() === false;
	}

	/** Calls the resume webhook of a node from outside. Resolves never if n8n is killed meanwhile. */
	async callFromOutside(
		id: string,
		node: string,
		{ token = tokenOf(id), body }: { token?: string; body: IDataObject },
	): Promise<void> {
		const { process } = this.world;
		const execution = this.store.find(id);
		if (!process || !this.serving.has(process) || !execution) return;
		const { nodes } = this.options.loadWorkflow(process, execution.workflow);
		const { status } = await this.resumeByCall(process, id, nodes[node]!.id, token, body);
		this.world.record({ type: 'calledFromOutside', execution: id, status });
	}

	/** Responds to a request of a process to n8n itself. */
	async respond(process: N8nProcess, options: IHttpRequestOptions): Promise<LocalResponse> {
		await this.sleep(process, READ_MS);
		const { pathname, searchParams } = new URL(options.url);
		if (pathname === '/healthz/readiness') {
			const isReady = !this.recovering.has(process);
			return { status: isReady ? 200 : 503, body: { status: isReady ? 'ok' : 'error' } };
		}
		const [, endpoint, id = '', suffix] = pathname.split('/');
		const [token, signedNodeId = ''] = searchParams.get('signature')?.split('/') ?? [];
		if (endpoint === 'form-waiting' && suffix === 'n8n-execution-status') {
			if (token !== tokenOf(id)) return { status: 401, body: 'No' };
			return { status: 200, body: this.store.find(id)?.status ?? 'null' };
		}
		if (endpoint !== 'webhook-waiting') throw new Error(`${options.url} is not simulated`);
		return await this.resumeByCall(process, id, suffix ?? signedNodeId, suffix ? undefined : token);
	}

	/**
	 * Resumes a parked execution, as the webhook of n8n 2.41.1 does (dist/webhooks/waiting-webhooks.js). The token is missing if
	 * the path names the node.
	 */
	private async resumeByCall(
		process: N8nProcess,
		id: string,
		nodeId: string,
		token: string | undefined,
		body: IDataObject = {},
	): Promise<LocalResponse> {
		const execution = this.store.find(id);
		if (!execution) return { status: 404, body: { message: 'No' } };
		if (token !== undefined && token !== tokenOf(id)) return { status: 401, body: {} };
		const workflow = this.options.loadWorkflow(process, execution.workflow);
		const node = Object.values(workflow.nodes).find((each) => each.id === nodeId);
		// For this operation, n8n shows a page to a person who follows a link too late.
		const tooLate =
			node?.parameters.operation === 'sendAndWait'
				? { status: 200, body: 'No action required' }
				: undefined;
		if (execution.status === 'success') return tooLate ?? { status: 409, body: { message: 'No' } };
		if (execution.status !== 'waiting') {
			const isRunning = execution.status === 'running';
			const message = isRunning ? `The execution "${id}" is running already.` : 'No';
			return { status: 409, body: { message } };
		}
		const data = readData(execution);
		if (!node || data.resultData.lastNodeExecuted !== node.name)
			return tooLate ?? { status: 404, body: {} };
		const response = await this.options
			.typeOf(process, node.type)
			.webhook!.call({ getBodyData: () => body } as IWebhookFunctions);
		prepareResume(data, response.workflowData ?? []);
		await this.sleep(process, PREPARE_MS);
		return await this.world.cause(process, 'resume', () => {
			// n8n claims the execution in the database: of two simultaneous calls only one succeeds. The other one fails with
			// ExecutionAlreadyResumingError (dist/active-executions.js), which dist/webhooks/webhook-helpers.js does not expect.
			if (execution.status !== 'waiting')
				return { status: 500, body: { message: 'There was a problem executing the workflow' } };
			this.resume(process, execution, data, 'call');
			return { status: 200, body: response.webhookResponse as unknown };
		});
	}

	private resume(
		process: N8nProcess,
		execution: StoredExecution,
		data: IRunExecutionData,
		by: 'call' | 'time',
	): void {
		execution.status = 'running';
		const { number } = process;
		this.world.record({ type: 'executionResumed', execution: execution.id, by, process: number });
		void process.run(async () => await this.run(process, execution, data), {
			execution: execution.id,
		});
	}

	/** Runs an execution until it is parked or has ended, and stores it unless its process is killed meanwhile. */
	private async run(
		process: N8nProcess,
		execution: StoredExecution,
		data: IRunExecutionData,
	): Promise<void> {
		const { world, options } = this;
		const { id } = execution;
		const workflowData = {
			...options.loadAdditionalData(process),
			executionId: id,
			webhookWaitingBaseUrl: `${N8N_ADDRESS}/webhook-waiting`,
			formWaitingBaseUrl: `${N8N_ADDRESS}/form-waiting`,
			setExecutionStatus: () => undefined,
		};
		const workflow = options.loadWorkflow(process, execution.workflow);
		const engine = new WorkflowExecute(workflowData, 'trigger', data);
		const running = engine.processRunExecutionData(workflow);
		this.engines.set(id, { process, cancel: () => process.run(() => running.cancel()) });
		const run = await running;
		if (process.hasEnded()) return;
		await world.cause(process, run.waitTill ? 'park' : 'execution end', async () => {
			await world.machine.sleep(world.random.next() * options.maxWriteMs);
			this.engines.delete(id);
			if (execution.status === 'canceled') return;
			execution.data = writeData(run.data);
			execution.waitTill = run.waitTill?.getTime();
			execution.status = statusOf(run);
			if (run.waitTill) world.record({ type: 'executionParked', execution: id });
			else this.recordEnd(execution, run);
		});
	}

	private recordEnd({ id, status }: StoredExecution, run: IRun): void {
		const { message, description } = run.data.resultData.error ?? {};
		this.world.record({
			type: 'executionEnded',
			execution: id,
			status,
			...(message !== undefined && { message }),
			...(description && { description }),
		});
	}

	/**
	 * Marks executions as crashed that the database shows as running, unless they end meanwhile, as n8n 2.41.1 does in regular
	 * mode shortly after its wait tracker has resumed overdue executions.
	 */
	private async recover(process: N8nProcess): Promise<void> {
		this.recovering.add(process);
		await this.sleep(process, 10);
		const running = this.store.withStatus('running');
		await this.sleep(process, this.world.random.next() * MAX_RECOVERY_MS);
		for (const execution of running) {
			if (execution.status !== 'running' && execution.status !== 'waiting') continue;
			execution.status = 'crashed';
			this.world.record({ type: 'executionEnded', execution: execution.id, status: 'crashed' });
		}
		this.recovering.delete(process);
	}

	private async sleep(process: N8nProcess, ms: number): Promise<void> {
		await this.world.machine.sleep(ms);
		await process.ifAlive(undefined);
	}
}
