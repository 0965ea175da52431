import 'reflect-metadata';
import { parse, stringify } from 'flatted';
import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData } from 'n8n-workflow';
import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	IRun,
	IRunExecutionData,
	IWebhookFunctions,
	Workflow,
} from 'n8n-workflow';

import { additionalData, nodeTypeOf } from '../../support/workflow';
import type { Kit, TestNode } from '../../support/workflow';
import type { MemoryResponse } from './memoryHttp';
import { startPackProcess } from './packProcess';
import type { PackProcess } from './packProcess';
import { kitOf, workflowOf } from './parkWorkflow';
import type { HostOptions } from './parkWorkflow';

/** An execution as n8n's database stores it. */
export interface StoredExecution {
	id: string;
	status: 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';
	data: string;
	waitTill?: number;
	run?: IRun;
}

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
	/** Input items of reviewed tools. */
	readonly toolInputs: IDataObject[] = [];
	/** When each run of the Wait node began. */
	readonly waitNodeStarts: number[] = [];
	/** When the status of each execution was requested. */
	readonly statusRequests: Array<{ id: string; requestedAtMs: number }> = [];
	/** Calls of the resume webhook and their responses. */
	readonly calls: Array<{ id: string; status: number }> = [];
	/** Time between a call that ended a wait and the wait's own end, without the calls that tests make. */
	readonly resumedEarlyByMs: number[] = [];
	/** How long the database takes to store a parked execution. */
	storeMs = 300;
	/** How long the database takes to read an execution that is to be resumed. */
	readMs = 20;
	/** Highest number of concurrent calls of the webhook. */
	mostCalls = 0;
	private openRequests = 0;
	/** Whether the webhook is unreachable. */
	unreachable = false;
	/** Whether the credential was deleted. */
	credentialDeleted = false;
	packProcess: PackProcess;
	private processCount = 1;
	private startedCount = 0;
	private readonly timers = new Map<string, NodeJS.Timeout>();
	private pollTimer: NodeJS.Timeout | undefined;

	constructor(
		private readonly nodes: TestNode[],
		private readonly options: HostOptions = {},
	) {
		this.packProcess = startPackProcess(options.resumeAfterMs);
		this.track();
	}

	/** Starts an execution with these items; resolves when it is parked or has ended. */
	async start(items: IDataObject[]): Promise<StoredExecution> {
		const id = `${++this.startedCount}`;
		const workflow = this.workflow();
		const first = workflow.getNode(this.nodes[0]!.name)!;
		const input = items.map((json, item) => ({ json, pairedItem: { item } }));
		const data = createRunExecutionData({
			executionData: {
				contextData: {},
				metadata: {},
				waitingExecution: {},
				waitingExecutionSource: {},
				nodeExecutionStack: [{ node: first, data: { main: [input] }, source: null }],
			},
			resultData: {
				runData: {},
				pinData: first.type === 'twoFactor' ? {} : { [first.name]: input },
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

	/** Kills the process and starts another one with the stored executions. */
	restartProcess(): void {
		this.packProcess.kill();
		this.processCount++;
		for (const execution of this.executions.values()) {
			if (execution.status === 'running') execution.status = 'crashed';
		}
		this.close();
		this.packProcess = startPackProcess(this.options.resumeAfterMs);
		this.track();
	}

	/**
	 * Recovers running executions, as n8n 2.41.1 does at its start in regular mode, shortly after it has resumed overdue ones:
	 * executions that it read as running are marked as crashed, unless they have ended meanwhile.
	 */
	recover(): void {
		const executions = [...this.executions.values()];
		setTimeout(() => {
			const running = executions.filter(({ status }) => status === 'running');
			setTimeout(() => {
				for (const execution of running) {
					const hasEnded = ['success', 'error', 'canceled'].includes(execution.status);
					if (!hasEnded) execution.status = 'crashed';
				}
			}, 2000);
		}, 10);
	}

	close(): void {
		for (const timer of this.timers.values()) clearTimeout(timer);
		this.timers.clear();
		clearInterval(this.pollTimer);
	}

	get base(): string {
		return `${this.address}/webhook-waiting`;
	}

	private get address(): string {
		return `http://n8n-${this.processCount}.test`;
	}

	/** Calls the resume webhook. A call from an earlier process than the current one never gets a response. */
	async respond(options: IHttpRequestOptions, isExternal = false): Promise<MemoryResponse> {
		if (!options.url.startsWith(`${this.address}/`)) await new Promise(() => undefined);
		if (!options.url.startsWith(`${this.base}/`)) return await this.respondToStatusRequest(options);
		this.mostCalls = Math.max(this.mostCalls, ++this.openRequests);
		if (!isExternal) await new Promise((resolve) => setTimeout(resolve, this.readMs));
		return await this.called(options, isExternal).finally(() => this.openRequests--);
	}

	/** Returns the status of an execution, as n8n's forms request it. */
	private async respondToStatusRequest({
		url,
		method,
	}: IHttpRequestOptions): Promise<MemoryResponse> {
		await new Promise((resolve) => setTimeout(resolve, this.readMs));
		const { pathname, searchParams } = new URL(url);
		const [, place, id = '', suffix] = pathname.split('/');
		if (place !== 'form-waiting' || suffix !== 'n8n-execution-status' || method !== 'GET') {
			throw new Error(`${method} ${url} is not played here`);
		}
		if (searchParams.get('signature') !== `token-of-${id}`) return { status: 401, body: 'No' };
		this.statusRequests.push({ id, requestedAtMs: Date.now() });
		if (this.unreachable) return { status: 502, body: 'canceled' };
		return { status: 200, body: this.executions.get(id)?.status ?? 'null' };
	}

	private async called(
		{ url, method }: IHttpRequestOptions,
		stranger: boolean,
	): Promise<MemoryResponse> {
		const { pathname, searchParams } = new URL(url);
		const [, , id = '', segment] = pathname.split('/');
		const [token, behind = ''] = searchParams.get('signature')?.split('/') ?? [];
		const suffix = segment ?? behind;
		const status = this.unreachable ? 502 : this.statusFor(id, suffix, segment ? undefined : token);
		this.calls.push({ id, status });
		if (method !== 'POST' || status !== 200) {
			const running = this.executions.get(id)?.status === 'running';
			const message = running ? `The execution "${id}" is running already.` : 'No';
			return { status, body: { message } };
		}
		const execution = this.executions.get(id)!;
		if (!stranger) this.resumedEarlyByMs.push(execution.waitTill! - Date.now());
		const data = parse(execution.data) as IRunExecutionData;
		data.executionData!.nodeExecutionStack[0]!.node.disabled = true;
		data.waitTill = undefined;
		const runs = data.resultData.runData[data.resultData.lastNodeExecuted!]!;
		const { inputOverride, source } = runs.pop()!;
		if (inputOverride) {
			runs.push({ startTime: 0, executionTime: 0, executionIndex: 0, source, inputOverride });
		}
		const type = nodeTypeOf(this.kit(), this.nodeOf(suffix)!.type);
		const response = await type.webhook!.call({} as IWebhookFunctions);
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

	private nodeOf(id: string): INode | undefined {
		return Object.values(this.workflow().nodes).find((node) => node.id === id);
	}

	/** Checks only the token, one of n8n's two proofs. n8n reads it if the path names no node. */
	private statusFor(id: string, suffix: string, token?: string): number {
		const execution = this.executions.get(id);
		if (!execution) return 404;
		if (execution.status !== 'waiting') return 409;
		const { resultData, resumeToken } = parse(execution.data) as IRunExecutionData;
		const node = this.nodeOf(suffix);
		if (resumeToken && token !== resumeToken) return 401;
		return node && resultData.lastNodeExecuted === node.name ? 200 : 404;
	}

	private async run(
		id: string,
		data: IRunExecutionData,
		workflow = this.workflow(),
	): Promise<StoredExecution> {
		const { packProcess } = this;
		const executionId = this.options.withoutExecutionId ? undefined : id;
		const baseData = { ...additionalData(this.kit()), executionId };
		const extra = {
			...baseData,
			webhookWaitingBaseUrl: this.base,
			formWaitingBaseUrl: `${this.address}/form-waiting`,
			setExecutionStatus: () => undefined,
		};
		const run = await new WorkflowExecute(extra, 'trigger', data).processRunExecutionData(workflow);
		const execution = this.executions.get(id)!;
		if (run.waitTill) await new Promise((resolve) => setTimeout(resolve, this.storeMs));
		if (!packProcess.isAlive) return execution;
		execution.run = run;
		execution.data = stringify(run.data);
		execution.waitTill = run.waitTill?.getTime();
		execution.status = run.waitTill ? 'waiting' : run.data.resultData.error ? 'error' : 'success';
		return execution;
	}

	private track(): void {
		const trackOnce = () => {
			for (const { id, status, waitTill = Infinity } of this.executions.values()) {
				if (status !== 'waiting' || this.timers.has(id)) continue;
				if (waitTill > Date.now() + TRACK_AHEAD_MS) continue;
				const resume = () => {
					this.timers.delete(id);
					this.resumeByTimer(id);
				};
				// A call of the webhook does not clear it, as in n8n.
				this.timers.set(id, setTimeout(resume, waitTill - Date.now()));
			}
		};
		this.pollTimer = setInterval(trackOnce, TRACK_EVERY_MS);
		trackOnce();
	}

	private kit(): Kit {
		return kitOf(this);
	}

	private workflow(): Workflow {
		return workflowOf(this.kit(), this.nodes, this.options);
	}
}
