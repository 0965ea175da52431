import 'reflect-metadata';
import { parse, stringify } from 'flatted';
import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData } from 'n8n-workflow';
import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	IRunExecutionData,
	IWebhookFunctions,
	Workflow,
} from 'n8n-workflow';

import { additionalData, nodeTypeOf } from '../../support/workflow';
import type { NodeKit, TestNode } from '../../support/workflow';
import type { MemoryResponse } from './memoryHttp';
import { startPackProcess } from './packProcess';
import type { PackProcess } from './packProcess';
import { buildKit, buildWorkflow, readinessResponse } from './parkWorkflow';
import type { HostOptions, StoredExecution } from './parkWorkflow';

/** n8n's wait tracker reads the database once a minute, and sets timers for the executions of the next 70 seconds. */
const TRACK_EVERY_MS = 60_000;
const TRACK_AHEAD_MS = 70_000;

/**
 * Stands for n8n: its engine and contexts, a database that stores parked executions as n8n stores them, the wait tracker that
 * resumes executions by time (and does not clear its timers), and the webhook that resumes an execution when it is called.
 */
export class ParkHost {
	readonly executions = new Map<string, StoredExecution>();
	/** Input of the node after the waiting one, by execution: one entry per run. */
	readonly nextInputs = new Map<string, IDataObject[][]>();
	/** Input items of the reviewed tools that ran. */
	readonly toolInputs: IDataObject[] = [];
	/** When each run of the Wait node began. */
	readonly waitNodeStarts: number[] = [];
	/** Requests for the status of an execution, in order. */
	readonly statusRequests: Array<{ id: string; requestedAtMs: number }> = [];
	/** Calls of the resume webhook and their responses. */
	readonly resumeCalls: Array<{ id: string; status: number }> = [];
	/** Time that the database takes to store a parked execution. */
	storeMs = 300;
	/** Time that the database takes to read an execution that is to be resumed. */
	readMs = 20;
	/** Highest number of concurrent calls of the webhook. */
	maxConcurrentCalls = 0;
	private openCallCount = 0;
	/** Whether the resume webhook and status requests fail with 502. */
	isUnreachable = false;
	/** n8n's response to the question whether it is ready; `undefined` if a proxy does not let the question pass. */
	isReady: boolean | undefined = true;
	/** Whether the credential was deleted. */
	isCredentialDeleted = false;
	/** Key in the credential. */
	apiKey = 'key-0123456789';
	/** The people whom the credential names. */
	people = '';
	packProcess: PackProcess;
	private processCount = 1;
	private startedCount = 0;
	private readonly timers = new Map<string, NodeJS.Timeout>();
	private trackerTimer: NodeJS.Timeout | undefined;

	constructor(
		private readonly nodes: TestNode[],
		private readonly options: HostOptions = {},
	) {
		this.packProcess = startPackProcess(options.resumeAfterMs);
		this.startWaitTracker();
	}

	/** Starts an execution with these items; resolves when it is parked or has ended. */
	async start(items: IDataObject[]): Promise<StoredExecution> {
		const id = `${++this.startedCount}`;
		const workflow = this.workflow();
		const firstNode = workflow.getNode(this.nodes[0]!.name)!;
		const input = items.map((json, item) => ({ json, pairedItem: { item } }));
		const data = createRunExecutionData({
			executionData: {
				contextData: {},
				metadata: {},
				waitingExecution: {},
				waitingExecutionSource: {},
				nodeExecutionStack: [{ node: firstNode, data: { main: [input] }, source: null }],
			},
			resultData: {
				runData: {},
				pinData: firstNode.type === 'twoFactor' ? {} : { [firstNode.name]: input },
			},
		});
		data.resumeToken = `token-of-${id}`;
		this.executions.set(id, { id, status: 'running', data: '' });
		return await this.run(id, data, workflow);
	}

	/** Stops a parked execution, as a user does. */
	cancel(id: string): void {
		this.executions.get(id)!.status = 'canceled';
	}

	/** Kills the process. Its requests that are under way go on, but n8n does not respond to them. */
	killProcess(): void {
		this.packProcess.kill();
		this.processCount++;
		this.stopTimers();
	}

	/** Kills the process and starts another one with the stored executions. */
	restartProcess(): void {
		this.killProcess();
		for (const execution of this.executions.values()) {
			if (execution.status === 'running') execution.status = 'crashed';
		}
		this.packProcess = startPackProcess(this.options.resumeAfterMs);
		this.startWaitTracker();
	}

	/**
	 * Recovers running executions, as n8n 2.41.1 does at its start in regular mode, shortly after it has resumed overdue ones:
	 * executions that it read as running are marked as crashed, unless they have ended meanwhile.
	 */
	recoverExecutions(durationMs = 2000): void {
		const executions = [...this.executions.values()];
		if (this.isReady) this.isReady = false;
		setTimeout(() => {
			const runningExecutions = executions.filter(({ status }) => status === 'running');
			setTimeout(() => {
				for (const execution of runningExecutions) {
					const hasEnded = ['success', 'error', 'canceled'].includes(execution.status);
					if (!hasEnded) execution.status = 'crashed';
				}
				if (this.isReady === false) this.isReady = true;
			}, durationMs);
		}, 10);
	}

	/** Stops n8n's timers, as when the process ends. */
	stopTimers(): void {
		for (const timer of this.timers.values()) clearTimeout(timer);
		this.timers.clear();
		clearInterval(this.trackerTimer);
	}

	/** URL of the resume webhook, without the execution's ID. */
	get resumeBaseUrl(): string {
		return `${this.address}/webhook-waiting`;
	}

	/** Address of the current process. Each process has another one. */
	private get address(): string {
		return `http://n8n-${this.processCount}.test`;
	}

	/**
	 * Responds to calls of the resume webhook and to status requests. A call from an earlier process than the current one never
	 * gets a response. `isExternal` marks the calls that a test makes.
	 */
	async respond(options: IHttpRequestOptions, isExternal = false): Promise<MemoryResponse> {
		if (!options.url.startsWith(`${this.address}/`)) await new Promise(() => undefined);
		if (!options.url.startsWith(`${this.resumeBaseUrl}/`))
			return await this.respondToStatusRequest(options);
		this.maxConcurrentCalls = Math.max(this.maxConcurrentCalls, ++this.openCallCount);
		if (!isExternal) await new Promise((resolve) => setTimeout(resolve, this.readMs));
		return await this.respondToResumeCall(options).finally(() => this.openCallCount--);
	}

	/** Returns the status of an execution, as n8n's forms request it. */
	private async respondToStatusRequest({
		url,
		method,
	}: IHttpRequestOptions): Promise<MemoryResponse> {
		await new Promise((resolve) => setTimeout(resolve, this.readMs));
		const { pathname, searchParams } = new URL(url);
		if (pathname === '/healthz/readiness') return readinessResponse(this.isReady);
		const [, endpoint, id = '', suffix] = pathname.split('/');
		if (endpoint !== 'form-waiting' || suffix !== 'n8n-execution-status' || method !== 'GET') {
			throw new Error(`${method} ${url} is not simulated`);
		}
		if (searchParams.get('signature') !== `token-of-${id}`) return { status: 401, body: 'No' };
		this.statusRequests.push({ id, requestedAtMs: Date.now() });
		if (this.isUnreachable) return { status: 502, body: 'canceled' };
		return { status: 200, body: this.executions.get(id)?.status ?? 'null' };
	}

	/** Resumes a parked execution, as n8n's webhook does. */
	private async respondToResumeCall({ url, method }: IHttpRequestOptions): Promise<MemoryResponse> {
		const { pathname, searchParams } = new URL(url);
		const [, , id = '', pathNodeId] = pathname.split('/');
		// In n8n's resume URLs the node's ID follows the token, or is in the path.
		const [token, signatureNodeId = ''] = searchParams.get('signature')?.split('/') ?? [];
		const nodeId = pathNodeId ?? signatureNodeId;
		const status = this.isUnreachable
			? 502
			: this.checkResumeCall(id, nodeId, pathNodeId ? undefined : token);
		this.resumeCalls.push({ id, status });
		if (method !== 'POST' || status !== 200) {
			const isRunning = this.executions.get(id)?.status === 'running';
			const message = isRunning ? `The execution "${id}" is running already.` : 'No';
			return { status, body: { message } };
		}
		const execution = this.executions.get(id)!;
		const data = parse(execution.data) as IRunExecutionData;
		data.executionData!.nodeExecutionStack[0]!.node.disabled = true;
		data.waitTill = undefined;
		const runs = data.resultData.runData[data.resultData.lastNodeExecuted!]!;
		const { inputOverride, source } = runs.pop()!;
		if (inputOverride) {
			runs.push({ startTime: 0, executionTime: 0, executionIndex: 0, source, inputOverride });
		}
		const nodeType = nodeTypeOf(this.kit(), this.findNode(nodeId)!.type);
		const response = await nodeType.webhook!.call({} as IWebhookFunctions);
		// n8n claims the execution in the database: of two simultaneous calls only one succeeds.
		if (this.executions.get(id)?.status !== 'waiting') return { status: 409, body: {} };
		execution.status = 'running';
		void this.run(id, data);
		return { status: 200, body: response.webhookResponse as unknown };
	}

	/** Resumes a parked execution by time, as the wait tracker does. */
	resumeByTimer(id: string): void {
		const execution = this.executions.get(id);
		if (execution?.status !== 'waiting') return;
		execution.status = 'running';
		void this.run(id, parse(execution.data) as IRunExecutionData);
	}

	private findNode(id: string): INode | undefined {
		return Object.values(this.workflow().nodes).find((node) => node.id === id);
	}

	/** Returns n8n's response status. Checks only the token, one of n8n's two proofs, which n8n reads if the path names no node. */
	private checkResumeCall(id: string, nodeId: string, token?: string): number {
		const execution = this.executions.get(id);
		if (!execution) return 404;
		if (execution.status !== 'waiting') return 409;
		const { resultData, resumeToken } = parse(execution.data) as IRunExecutionData;
		const node = this.findNode(nodeId);
		if (resumeToken && token !== resumeToken) return 401;
		return node && resultData.lastNodeExecuted === node.name ? 200 : 404;
	}

	/** Runs an execution until it is parked or has ended, and stores it unless its process was killed meanwhile. */
	private async run(
		id: string,
		data: IRunExecutionData,
		workflow = this.workflow(),
	): Promise<StoredExecution> {
		const { packProcess } = this;
		const executionId = this.options.withoutExecutionId ? undefined : id;
		const workflowData = {
			...additionalData(this.kit()),
			executionId,
			webhookWaitingBaseUrl: this.resumeBaseUrl,
			formWaitingBaseUrl: `${this.address}/form-waiting`,
			setExecutionStatus: () => undefined,
		};
		const run = await new WorkflowExecute(workflowData, 'trigger', data).processRunExecutionData(
			workflow,
		);
		const execution = this.executions.get(id)!;
		if (run.waitTill) await new Promise((resolve) => setTimeout(resolve, this.storeMs));
		if (!packProcess.isAlive) return execution;
		execution.run = run;
		execution.data = stringify(run.data);
		execution.waitTill = run.waitTill?.getTime();
		execution.status = run.waitTill ? 'waiting' : run.data.resultData.error ? 'error' : 'success';
		return execution;
	}

	private startWaitTracker(): void {
		const setDueTimers = () => {
			for (const { id, status, waitTill = Infinity } of this.executions.values()) {
				if (status !== 'waiting' || this.timers.has(id)) continue;
				if (waitTill > Date.now() + TRACK_AHEAD_MS) continue;
				const resume = () => {
					this.timers.delete(id);
					this.resumeByTimer(id);
				};
				// A call of the webhook does not clear this timer, as in n8n.
				this.timers.set(id, setTimeout(resume, waitTill - Date.now()));
			}
		};
		this.trackerTimer = setInterval(setDueTimers, TRACK_EVERY_MS);
		setDueTimers();
	}

	private kit(): NodeKit {
		return buildKit(this);
	}

	private workflow(): Workflow {
		return buildWorkflow(this.kit(), this.nodes, this.options);
	}
}
