import axios from 'axios';
import { parse } from 'flatted';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { createApprovals } from '../../../lab/drive/approvalsAndJobs';
import { listExecutions } from '../../../lab/drive/executions';
import { Flow, recordingNode, Run, waitFor } from '../../../lab/drive/flows';
import { killAndRestart, readExecutions } from '../../../lab/drive/triggerWorkflows';
import { TwoFactorClient } from '../../../lab/drive/twoFactorClient';
import { connectTo, oneSecondWaitNode, publishWorkflow } from '../../../lab/drive/workflowParts';
import type { Lab } from '../../../lab/lab';
import { unwrap } from '../../../lab/rest';
import { activateWorkflow, deactivateWorkflow } from '../../../lab/workflows';
import type { Driver, ExecutionState, StagedFault, StartItem, TriggerNode } from './driver';
import { askingNode, RESUME_AFTER_MS } from './nodes';

const ACTIVATION_MS = 60_000;
const SLOW_MS = 8000;
const httpOptions = { proxy: false, timeout: 60_000, validateStatus: () => true } as const;

interface PublishedTrigger {
	url: string;
	type: TriggerNode['type'];
	isPublished: boolean;
}

/** Drives a real n8n. The histories of one lab follow each other; each has a driver of its own. */
export class RealDriver implements Driver {
	readonly resumeAfterMs = RESUME_AFTER_MS;
	private readonly triggers = new Map<string, PublishedTrigger>();

	constructor(private readonly lab: Lab) {
		lab.sandbox.faultRules.clear();
	}

	get sandbox() {
		return this.lab.sandbox;
	}

	async createRequest(): Promise<string> {
		return (await createApprovals(new TwoFactorClient(this.sandbox), 1))[0]!;
	}

	failNext({ operation, kind, retryAfter }: StagedFault): void {
		const rule = { service: 'twoFactor', operation, times: 1 } as const;
		if (kind === 'lost')
			this.sandbox.faultRules.add({ ...rule, kind: 'drop', afterExecution: true });
		else if (kind === 'slow') this.sandbox.faultRules.add({ ...rule, kind, delayMs: SLOW_MS });
		else this.sandbox.faultRules.add({ ...rule, kind, retryAfter });
	}

	async createTrigger({ type, parameters }: TriggerNode): Promise<string> {
		const { rest, credentials, n8nUrl } = this.lab;
		const webhookId = randomUUID();
		const typeName = type.replace(/^./, (first) => first.toLowerCase());
		const trigger = {
			id: randomUUID(),
			name: 'Trigger',
			type: `n8n-nodes-gatehouse.${typeName}`,
			typeVersion: 1,
			position: [0, 0],
			webhookId,
			credentials: { [typeName.replace('Trigger', 'Api')]: {} },
			parameters,
		};
		const id = await publishWorkflow(
			rest,
			{
				name: webhookId,
				nodes: [trigger, oneSecondWaitNode(randomUUID())],
				connections: { Trigger: connectTo('Work') },
			},
			credentials,
		);
		const url = `${n8nUrl}/webhook/${webhookId}/watch`;
		this.triggers.set(id, { url, type, isPublished: true });
		await this.untilActive();
		return id;
	}

	async publish(workflow: string): Promise<void> {
		await activateWorkflow(this.lab.rest, workflow);
		this.triggers.get(workflow)!.isPublished = true;
		await this.untilActive();
	}

	async unpublish(workflow: string): Promise<void> {
		await deactivateWorkflow(this.lab.rest, workflow);
		const trigger = this.triggers.get(workflow)!;
		trigger.isPublished = false;
		if (trigger.type === 'TwoFactorTrigger')
			await waitFor(ACTIVATION_MS, async () =>
				(await this.check(trigger.url)) ? undefined : true,
			);
	}

	async post(workflow: string, body: object): Promise<number> {
		return (await axios.post(this.triggers.get(workflow)!.url, body, httpOptions)).status;
	}

	async countStarts(): Promise<number> {
		return (
			await this.ofEachTrigger(
				async (id) => await listExecutions(this.lab.rest, { workflowId: id }),
			)
		).length;
	}

	async listStarts(): Promise<StartItem[]> {
		const executions = await this.ofEachTrigger(async (id) => await readExecutions(this.lab, id));
		return executions.map(({ item }) => item);
	}

	private async ofEachTrigger<T>(list: (id: string) => Promise<T[]>): Promise<T[]> {
		return (await Promise.all([...this.triggers.keys()].map(list))).flat();
	}

	async startExecution(message: string, nodeFields: object): Promise<string> {
		const { parameters, ...fields } = askingNode(message, nodeFields);
		const node = {
			name: 'Ask',
			type: 'n8n-nodes-gatehouse.twoFactor',
			credentials: { twoFactorApi: {} },
			...fields,
			parameters,
		};
		const flow = await Flow.open(this.lab, [node, recordingNode]);
		return (await flow.start()).id;
	}

	async readExecution(id: string): Promise<ExecutionState> {
		const { status, data } = await this.readStored(id);
		const { resultData } = parse(data) as { resultData: { error?: { message: string } } };
		return {
			status,
			error: resultData.error?.message,
			output: await new Run(this.lab, id).items('Next'),
		};
	}

	async stopExecution(id: string): Promise<void> {
		await new Run(this.lab, id).stop();
	}

	async callResume(
		id: string,
		{ count, hasToken }: { count: number; hasToken: boolean },
	): Promise<number[]> {
		const { data, workflowData } = await this.readStored(id);
		const { resumeToken } = parse(data) as { resumeToken: string };
		const node = workflowData.nodes.find(({ name }) => name === 'Ask')!;
		const params = { signature: `${hasToken ? resumeToken : 'no-token'}/${node.id}` };
		const url = `${this.lab.n8nUrl}/webhook-waiting/${id}`;
		const call = async () => (await axios.post(url, {}, { ...httpOptions, params })).status;
		return await Promise.all(Array.from({ length: count }, call));
	}

	private async readStored(id: string): Promise<{
		status: string;
		data: string;
		workflowData: { nodes: Array<{ id: string; name: string }> };
	}> {
		return unwrap((await this.lab.rest.get(`/executions/${id}`)).data);
	}

	async kill(): Promise<void> {
		await this.lab.n8n.stop('SIGKILL');
	}

	async start(): Promise<void> {
		await killAndRestart(this.lab);
		await this.untilActive();
	}

	async restart(): Promise<void> {
		await this.lab.restart();
		await this.untilActive();
	}

	async pass(ms: number): Promise<void> {
		await delay(ms);
	}

	/** Waits until all published triggers run: n8n reports a workflow as published earlier. */
	private async untilActive(): Promise<void> {
		const sinceMs = Date.now() - 1000;
		for (const { url, type, isPublished } of this.triggers.values()) {
			if (!isPublished) continue;
			await waitFor(ACTIVATION_MS, async () => {
				const isActive =
					type === 'TwoFactorTrigger'
						? await this.check(url)
						: this.sandbox.requestLog
								.entries({ service: 'eventRegistration' })
								.some(({ path, at }) => path.endsWith('/registrations') && at > sinceMs);
				return isActive ? true : undefined;
			});
		}
	}

	/** Whether a trigger says that it accepts IDs. */
	private async check(url: string): Promise<boolean> {
		const { status, data } = await axios.post<{ watched?: number }>(url, { ids: [] }, httpOptions);
		return status === 200 && data.watched !== undefined;
	}
}
