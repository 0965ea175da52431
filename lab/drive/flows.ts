import axios from 'axios';
import { parse } from 'flatted';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Lab } from '../lab';
import { unwrap } from '../rest';
import { seededUserIds } from './twoFactorClient';
import { connectTo, publishWorkflow } from './workflowParts';

/** A node of a workflow. */
export interface FlowNode {
	name: string;
	type?: string;
	typeVersion?: number;
	parameters: object;
	[more: string]: unknown;
}

/** Sends an approval request to the seeded user who has the app, and waits for the decision. */
export const approvalNode = (
	name: string,
	parameters: object = {},
	nodeFields: object = {},
): FlowNode => ({
	name,
	type: 'n8n-nodes-gatehouse.twoFactor',
	credentials: { twoFactorApi: {} },
	...nodeFields,
	parameters: {
		resource: 'approvalRequest',
		operation: 'sendAndWait',
		twofactorId: `${seededUserIds.withApp}`,
		message: `${name}?`,
		outputs: 'one',
		...parameters,
	},
});

/** A node that does nothing. Its run shows that the execution reached the node. */
export const recordingNode: FlowNode = {
	name: 'Next',
	type: 'n8n-nodes-base.noOp',
	parameters: {},
};

/** A published workflow: a chain of nodes behind a webhook. */
export class Flow {
	private constructor(
		private readonly lab: Lab,
		readonly id: string,
		private readonly url: string,
	) {}

	/** Creates and publishes a workflow. `connectionOverrides` replace the connections of the nodes that they name. */
	static async open(
		lab: Lab,
		nodes: FlowNode[],
		settings: object = {},
		webhookParameters: object = {},
		connectionOverrides: Record<string, unknown> = {},
	): Promise<Flow> {
		const webhookId = randomUUID();
		const webhookNode: FlowNode = {
			name: 'Call',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId,
			parameters: { path: webhookId, httpMethod: 'POST', ...webhookParameters },
		};
		return await Flow.publish(lab, [webhookNode, ...nodes], webhookId, {
			settings,
			connectionOverrides,
		});
	}

	/** Creates and publishes a workflow behind a public Chat Trigger. */
	static async openChat(lab: Lab, nodes: FlowNode[], parameters: object = {}): Promise<Flow> {
		const webhookId = randomUUID();
		const chatNode: FlowNode = {
			name: 'Chat',
			type: '@n8n/n8n-nodes-langchain.chatTrigger',
			typeVersion: 1.4,
			webhookId,
			parameters: { public: true, mode: 'webhook', ...parameters },
		};
		return await Flow.publish(lab, [chatNode, ...nodes], `${webhookId}/chat`, {});
	}

	private static async publish(
		lab: Lab,
		nodes: FlowNode[],
		webhookPath: string,
		{
			settings = {},
			connectionOverrides = {},
		}: { settings?: object; connectionOverrides?: Record<string, unknown> },
	): Promise<Flow> {
		const positionedNodes = nodes.map((node, index) => ({
			id: randomUUID(),
			typeVersion: 1,
			position: [220 * index, 0],
			...node,
		}));
		const id = await publishWorkflow(
			lab.rest,
			{
				name: webhookPath,
				nodes: positionedNodes as never,
				connections: {
					...Object.fromEntries(
						nodes
							.slice(1)
							.map(({ name }, index) => [positionedNodes[index]!.name, connectTo(name)]),
					),
					...connectionOverrides,
				},
				settings: { ...settings },
			},
			lab.credentials,
		);
		return new Flow(lab, id, `${lab.n8nUrl}/webhook/${webhookPath}`);
	}

	/** Calls the webhook and returns its response. n8n registers webhooks shortly after it publishes: until then it responds 404. */
	async call(body: object = {}): Promise<{ status: number; data: unknown }> {
		const options = { proxy: false, timeout: 600_000, validateStatus: () => true } as const;
		return await waitFor(30_000, async () => {
			const { status, data } = await axios.post<unknown>(this.url, body, options);
			return status === 404 ? undefined : { status, data };
		});
	}

	/** Starts an execution and returns it. */
	async start(body: object = {}): Promise<Run> {
		const earlierIds = new Set((await this.listRuns()).map(({ id }) => id));
		await this.call(body);
		const id = await waitFor(30_000, async () =>
			(await this.listRuns()).map((run) => run.id).find((runId) => !earlierIds.has(runId)),
		);
		return new Run(this.lab, id);
	}

	private async listRuns(): Promise<Array<{ id: string }>> {
		const filter = JSON.stringify({ workflowId: this.id });
		const { data } = await this.lab.rest.get('/executions', { params: { filter, limit: 100 } });
		return unwrap<{ results: Array<{ id: string }> }>(data).results;
	}
}

interface NodeRun {
	data?: { main?: Array<Array<{ json: Record<string, unknown> }> | null> };
	hints?: Array<{ message: string }>;
	startTime: number;
}

/** One execution. */
export class Run {
	constructor(
		private readonly lab: Lab,
		readonly id: string,
	) {}

	async status(): Promise<string> {
		return (await this.read()).status;
	}

	/** Returns the time at which n8n's timer resumes the execution, in ms since 1970. */
	async resumesAt(): Promise<number> {
		return Date.parse(`${(await this.read()).waitTill}`);
	}

	/** Waits for a status. */
	async waitForStatus(status: string, withinMs = 30_000): Promise<this> {
		await waitFor(withinMs, async () => ((await this.status()) === status ? true : undefined));
		return this;
	}

	/** Returns the runs of a node. */
	async nodeRuns(node: string): Promise<NodeRun[]> {
		const { data } = await this.read();
		const { resultData } = parse(data) as { resultData: { runData: Record<string, NodeRun[]> } };
		return resultData.runData[node] ?? [];
	}

	/** Returns the items that a node has output, in all of its runs and on all outputs. */
	async items(node: string): Promise<Array<Record<string, unknown>>> {
		const runs = await this.nodeRuns(node);
		return runs.flatMap(({ data }) =>
			(data?.main ?? []).flatMap((items) => items ?? []).map(({ json }) => json),
		);
	}

	async stop(): Promise<void> {
		await this.lab.rest.post(`/executions/${this.id}/stop`);
	}

	private async read(): Promise<{ status: string; data: string; waitTill?: string }> {
		return unwrap((await this.lab.rest.get(`/executions/${this.id}`)).data);
	}
}

/** Calls `find` until it returns something. */
export async function waitFor<T>(
	timeoutMs: number,
	find: () => Promise<T | undefined>,
): Promise<T> {
	for (const deadline = Date.now() + timeoutMs; ; await delay(200)) {
		const found = await find();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`It did not happen within ${timeoutMs / 1000} s`);
	}
}

/** Returns the IDs of the approval requests that the sandbox has received, oldest first. */
export function listApprovalIds({ sandbox }: Lab): string[] {
	const approvals = sandbox.control('twoFactor', 'approvals', {}) as Array<{ uuid: string }>;
	return approvals.map(({ uuid }) => uuid);
}
