import 'reflect-metadata';
import { parse, stringify } from 'flatted';
import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import type {
	IConnections,
	IDataObject,
	IHttpRequestOptions,
	INode,
	IRun,
	IRunExecutionData,
	IWebhookFunctions,
	IWorkflowSettings,
} from 'n8n-workflow';

import { TwoFactorApi } from '../../../credentials/TwoFactorApi.credentials';
import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { additionalData, complete, connectTo, lookUp } from '../../support/workflow';
import type { Kit, TestNode } from '../../support/workflow';
import {
	asReview,
	asTool,
	openTriggers,
	recordingTool,
	ReviewedAgent,
} from '../review/reviewVariants';
import type { Answered } from './memoryHttp';
import { nodesAround } from './nodes';
import { newLife } from './parkFreshPack';
import type { Life } from './parkFreshPack';
import { SERVICE } from './parkService';

/** An execution as n8n's database holds it. */
export interface Stored {
	id: string;
	status: 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';
	data: string;
	waitTill?: number;
	run?: IRun;
}

export interface HostOptions {
	settings?: IWorkflowSettings;
	/** After how long parked executions look again. */
	lookAgainMs?: number;
	/** Whether executions have no id, as those of MCP tools. */
	nameless?: boolean;
	/** Nodes that the node called Agent has for tools. */
	tools?: TestNode[];
	/** Other triggers that are connected to the node called Ask. */
	others?: TestNode[];
	/** Nodes that the tool called Ask has for tools: the reviewed ones. */
	guarded?: TestNode[];
}

const TRACK_EVERY_MS = 60_000;
const TRACK_AHEAD_MS = 70_000;

/**
 * n8n as far as waiting executions see it: its own engine and contexts, a database that stores what rests as n8n stores it,
 * the tracker that goes on by time (and forgets to clear its timers), and the webhook that goes on when it is called.
 */
export class Host {
	readonly executions = new Map<string, Stored>();
	/** What reached the node behind ours, by execution: one entry for each time that it ran. */
	readonly passed = new Map<string, IDataObject[][]>();
	/** The items with which guarded tools were run. */
	readonly ran: IDataObject[] = [];
	/** When each pause of the node of that name began. */
	readonly pauses: number[] = [];
	/** When n8n was asked how each execution is doing. */
	readonly inquiries: Array<{ id: string; at: number }> = [];
	/** The calls of the webhook, and how they were answered. */
	readonly calls: Array<{ id: string; status: number }> = [];
	/** How long before the end of a wait it was ended by a call, of those that were not made by the test. */
	readonly wokenBefore: number[] = [];
	/** How long the database takes to store an execution that rests. */
	storeMs = 300;
	/** How long it takes to read one that is to go on. */
	readMs = 20;
	/** How many calls of the webhook were under way at most. */
	mostCalls = 0;
	private underWay = 0;
	/** Whether nobody gets through to the webhook. */
	unreachable = false;
	/** Whether somebody has deleted the credential. */
	credentialDeleted = false;
	life: Life;
	private lives = 1;
	private started = 0;
	private readonly timers = new Map<string, NodeJS.Timeout>();
	private tracker: NodeJS.Timeout | undefined;

	constructor(
		private readonly nodes: TestNode[],
		private readonly options: HostOptions = {},
	) {
		this.life = newLife(options.lookAgainMs);
		this.track();
	}

	/** Starts an execution with these items; resolves when it rests or is over. */
	async start(items: IDataObject[]): Promise<Stored> {
		const id = `${++this.started}`;
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

	/** Somebody stops an execution that rests. */
	cancel(id: string): void {
		this.executions.get(id)!.status = 'canceled';
	}

	/** The process is killed, and another one takes over with what is stored. */
	die(): void {
		this.life.die();
		this.lives++;
		for (const execution of this.executions.values()) {
			if (execution.status === 'running') execution.status = 'crashed';
		}
		this.close();
		this.life = newLife(this.options.lookAgainMs);
		this.track();
	}

	/**
	 * Goes through what was running, as n8n 2.41.1 does at its start in regular mode, shortly after it has resumed what is overdue:
	 * what it read as running is marked as crashed, unless it has ended meanwhile.
	 */
	recover(): void {
		const all = [...this.executions.values()];
		setTimeout(() => {
			const running = all.filter(({ status }) => status === 'running');
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
		clearInterval(this.tracker);
	}

	get base(): string {
		return `${this.address}/webhook-waiting`;
	}

	private get address(): string {
		return `http://n8n-${this.lives}.test`;
	}

	/** A call of the webhook at which n8n goes on; whoever calls another life than this one waits for ever. */
	async answer(options: IHttpRequestOptions, stranger = false): Promise<Answered> {
		if (!options.url.startsWith(`${this.address}/`)) await new Promise(() => undefined);
		if (!options.url.startsWith(`${this.base}/`)) return await this.inquiry(options);
		this.mostCalls = Math.max(this.mostCalls, ++this.underWay);
		if (!stranger) await new Promise((resolve) => setTimeout(resolve, this.readMs));
		return await this.called(options, stranger).finally(() => this.underWay--);
	}

	/** How an execution is doing: n8n's forms ask so. */
	private async inquiry({ url, method }: IHttpRequestOptions): Promise<Answered> {
		await new Promise((resolve) => setTimeout(resolve, this.readMs));
		const { pathname, searchParams } = new URL(url);
		const [, place, id = '', suffix] = pathname.split('/');
		if (place !== 'form-waiting' || suffix !== 'n8n-execution-status' || method !== 'GET') {
			throw new Error(`${method} ${url} is not played here`);
		}
		if (searchParams.get('signature') !== `token-of-${id}`) return { status: 401, body: 'No' };
		this.inquiries.push({ id, at: Date.now() });
		if (this.unreachable) return { status: 502, body: 'canceled' };
		return { status: 200, body: this.executions.get(id)?.status ?? 'null' };
	}

	private async called({ url, method }: IHttpRequestOptions, stranger: boolean): Promise<Answered> {
		const { pathname, searchParams } = new URL(url);
		const [, , id = '', segment] = pathname.split('/');
		const [token, behind = ''] = searchParams.get('signature')?.split('/') ?? [];
		const suffix = segment ?? behind;
		const status = this.unreachable ? 502 : this.refusal(id, suffix, segment ? undefined : token);
		this.calls.push({ id, status });
		if (method !== 'POST' || status !== 200) {
			const running = this.executions.get(id)?.status === 'running';
			const message = running ? `The execution "${id}" is running already.` : 'No';
			return { status, body: { message } };
		}
		const execution = this.executions.get(id)!;
		if (!stranger) this.wokenBefore.push(execution.waitTill! - Date.now());
		const data = parse(execution.data) as IRunExecutionData;
		data.executionData!.nodeExecutionStack[0]!.node.disabled = true;
		data.waitTill = undefined;
		const runs = data.resultData.runData[data.resultData.lastNodeExecuted!]!;
		const { inputOverride, source } = runs.pop()!;
		if (inputOverride) {
			runs.push({ startTime: 0, executionTime: 0, executionIndex: 0, source, inputOverride });
		}
		const type = lookUp(this.kit(), this.nodeOf(suffix)!.type);
		const answered = await type.webhook!.call({} as IWebhookFunctions);
		// n8n claims it in the database: of two who come at once, one is too late.
		if (this.executions.get(id)?.status !== 'waiting') return { status: 409, body: {} };
		execution.status = 'running';
		void this.run(id, data);
		return { status: 200, body: answered.webhookResponse as unknown };
	}

	/** Goes on by time, as the tracker does; only if the execution rests. */
	goOn(id: string): void {
		const execution = this.executions.get(id);
		if (execution?.status !== 'waiting') return;
		execution.status = 'running';
		void this.run(id, parse(execution.data) as IRunExecutionData);
	}

	private nodeOf(id: string): INode | undefined {
		return Object.values(this.workflow().nodes).find((node) => node.id === id);
	}

	/** Of the two kinds of proof only the token is played, which n8n reads where the path has no node. */
	private refusal(id: string, suffix: string, token?: string): number {
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
	): Promise<Stored> {
		const { life } = this;
		const executionId = this.options.nameless ? undefined : id;
		const more = { ...additionalData(this.kit()), executionId };
		const extra = {
			...more,
			webhookWaitingBaseUrl: this.base,
			formWaitingBaseUrl: `${this.address}/form-waiting`,
			setExecutionStatus: () => undefined,
		};
		const run = await new WorkflowExecute(extra, 'trigger', data).processRunExecutionData(workflow);
		const execution = this.executions.get(id)!;
		if (run.waitTill) await new Promise((resolve) => setTimeout(resolve, this.storeMs));
		if (!life.alive) return execution;
		execution.run = run;
		execution.data = stringify(run.data);
		execution.waitTill = run.waitTill?.getTime();
		execution.status = run.waitTill ? 'waiting' : run.data.resultData.error ? 'error' : 'success';
		return execution;
	}

	private track(): void {
		const look = () => {
			for (const { id, status, waitTill = Infinity } of this.executions.values()) {
				if (status !== 'waiting' || this.timers.has(id)) continue;
				if (waitTill > Date.now() + TRACK_AHEAD_MS) continue;
				const resume = () => {
					this.timers.delete(id);
					this.goOn(id);
				};
				// Not cleared by a call of the webhook, as n8n does not either.
				this.timers.set(id, setTimeout(resume, waitTill - Date.now()));
			}
		};
		this.tracker = setInterval(look, TRACK_EVERY_MS);
		look();
	}

	private kit(): Kit {
		// n8n 2.41.1 says so (credentials-helper).
		const gone = 'Credential with ID "twoFactorApi" does not exist for type "twoFactorApi".';
		const credential = { baseUrl: SERVICE, apiKey: 'key-0123456789', headerName: 'Key' };
		const read = () => {
			if (this.credentialDeleted) throw new Error(gone);
			return credential;
		};
		return {
			nodes: {
				...this.life.nodes,
				...nodesAround(this),
				twoFactorTool: asTool(this.life.nodes.twoFactor),
				twoFactorHitlTool: asReview(this.life.nodes.twoFactor),
				...openTriggers,
				reviewedAgent: ReviewedAgent,
				eventRegistrationTool: asTool(EventRegistration),
				'test.recordingTool': recordingTool(this.ran),
			},
			credentials: [TwoFactorApi],
			secrets: Object.defineProperty({}, 'twoFactorApi', { get: read }),
		};
	}

	private workflow(): Workflow {
		const kit = this.kit();
		const { tools = [], others = [], guarded = [] } = this.options;
		const connections: IConnections = Object.fromEntries(
			this.nodes.slice(1).map(({ name }, index) => [this.nodes[index]!.name, connectTo(name)]),
		);
		for (const { name } of tools) connections[name] = connectTo('Agent', 'ai_tool');
		for (const { name } of others) connections[name] = connectTo('Ask');
		for (const { name } of guarded) connections[name] = connectTo('Ask', 'ai_tool');
		return new Workflow({
			id: 'test',
			name: 'Test',
			active: true,
			nodes: [...this.nodes, ...tools, ...others, ...guarded].map((node, index) =>
				complete(node, index, kit),
			),
			connections,
			nodeTypes: {
				getByName: (name) => lookUp(kit, name),
				getByNameAndVersion: (name) => lookUp(kit, name),
				getKnownTypes: () => ({}),
			},
			settings: { executionOrder: 'v1', timezone: 'UTC', ...this.options.settings },
		});
	}
}
