import axios from 'axios';
import type { AxiosError } from 'axios';
import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval } from '../../../lab/drive/approvalsAndJobs';
import { readExecutions } from '../../../lab/drive/triggerWorkflows';
import type { StartedExecution } from '../../../lab/drive/triggerWorkflows';
import { activateWorkflow, createWorkflow, deactivateWorkflow } from '../../../lab/workflows';
import { seededUserIds } from '../../sandbox/twoFactor.fixture';
import { waitForEnd } from '../examples/runs';
import type { InstallHost } from './host';
import { packageTrials } from './packageTrials';
import type { PackageTrial } from './packageTrials';

const TIMEOUT_MS = 90_000;

let nodeCount = 0;
const createNode = (name: string, type: string, overrides: object) => ({
	id: `55555555-0000-4000-8000-${String(++nodeCount).padStart(12, '0')}`,
	...{ name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...overrides },
});

/** Creates and publishes a workflow; returns its ID. */
async function openWorkflow(
	host: InstallHost,
	nodes: Array<ReturnType<typeof createNode>>,
): Promise<string> {
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index]!.name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	const file = {
		name: `Trial ${++nodeCount}`,
		nodes,
		connections,
		settings: { executionOrder: 'v1' },
	};
	const { id } = await createWorkflow(host.rest, file, host.credentials);
	await activateWorkflow(host.rest, id).catch((error: AxiosError<{ message?: string }>) => {
		throw new Error(error.response?.data.message ?? error.message);
	});
	return id;
}

const postTo = async (url: string, body: object) =>
	await axios.post<Record<string, unknown>>(url, body, {
		...{ proxy: false, timeout: 60_000, validateStatus: () => true },
	});

/** Waits until a webhook can be called: n8n reports a workflow as published before that. */
async function waitUntilRegistered(url: string): Promise<void> {
	await pollUntil(url, async () => (await postTo(url, {})).status !== 404);
}

/** Opens a workflow that runs a read when it is called; returns a function that calls it. */
export async function openRead(host: InstallHost, packageName: string, key: string) {
	const { read, credential, requiredField } = packageTrials[key]!;
	const webhookId = `read-${++nodeCount}`;
	await openWorkflow(host, [
		createNode('Called', 'n8n-nodes-base.webhook', {
			typeVersion: 2,
			webhookId,
			parameters: { httpMethod: 'POST', path: webhookId, responseMode: 'lastNode' },
		}),
		createNode('Read', `${packageName}.${key}`, {
			parameters: read,
			credentials: { [credential]: {} },
		}),
	]);
	const url = `${host.n8n.url}/webhook/${webhookId}`;
	await waitUntilRegistered(url);
	return async () => {
		const { status, data } = await postTo(url, {});
		if (status !== 200 || !(requiredField in data)) {
			throw new Error(`${packageName}.${key} answered ${status}: ${JSON.stringify(data)}`);
		}
	};
}

/**
 * Asks on the phone from a workflow, waits until the execution has the expected status, approves, and returns the items of both
 * outputs. With _Always Output Data_, n8n would add an empty item to the first.
 */
export async function sendAndWait(
	host: InstallHost,
	packageName: string,
	meanwhile?: 'waiting' | 'running',
): Promise<{ notApproved: unknown[]; approved: unknown[] }> {
	const webhookId = `ask-${++nodeCount}`;
	const parameters = {
		...{ resource: 'approvalRequest', operation: 'sendAndWait', message: 'May it open?' },
		twofactorId: `${seededUserIds.withApp}`,
	};
	const workflow = await openWorkflow(host, [
		createNode('Called', 'n8n-nodes-base.webhook', {
			...{ typeVersion: 2, webhookId, parameters: { httpMethod: 'POST', path: webhookId } },
		}),
		createNode('Ask', `${packageName}.twoFactor`, {
			parameters,
			credentials: { twoFactorApi: {} },
			alwaysOutputData: true,
		}),
	]);
	await waitUntilRegistered(`${host.n8n.url}/webhook/${webhookId}`);
	let approvalId: string | undefined;
	await pollUntil('the question', () => {
		const pending = host.sandbox.control('twoFactor', 'approvals', { status: 'pending' });
		approvalId = (pending as Array<{ uuid: string }>)[0]?.uuid;
		return approvalId !== undefined;
	});
	// By the second poll of the request, the node has parked the execution if it can.
	const countPolls = () =>
		host.sandbox.requestLog.entries().filter(({ path }) => path.endsWith(`/${approvalId}`)).length;
	await pollUntil('the first polls', () => countPolls() >= 2);
	if (meanwhile !== undefined) {
		await pollUntil(`an execution that is ${meanwhile}`, async () => {
			const [execution] = await readExecutions(host, workflow);
			return execution?.status === meanwhile;
		});
	}
	decideApproval(host.sandbox, approvalId!, 'approved');
	const [execution] = await readExecutions(host, workflow);
	const { json } = await waitForEnd(host.rest, execution!.executionId);
	return { notApproved: json('Ask', 0), approved: json('Ask', 1) };
}

/** Runs an operation that fails for an input item, with an error output. Returns the items of both outputs. */
export async function failToErrorOutput(host: InstallHost, packageName: string, input: object) {
	const webhookId = `fail-${++nodeCount}`;
	const workflow = await openWorkflow(host, [
		createNode('Called', 'n8n-nodes-base.webhook', {
			...{ typeVersion: 2, webhookId, parameters: { httpMethod: 'POST', path: webhookId } },
		}),
		createNode('Input', 'n8n-nodes-base.set', {
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify(input) },
		}),
		createNode('Get', `${packageName}.twoFactor`, {
			parameters: { resource: 'approvalRequest', operation: 'get', uuid: 'nothing-has-this' },
			credentials: { twoFactorApi: {} },
			onError: 'continueErrorOutput',
		}),
	]);
	await waitUntilRegistered(`${host.n8n.url}/webhook/${webhookId}`);
	await pollUntil('the execution', async () => (await readExecutions(host, workflow)).length > 0);
	const [execution] = await readExecutions(host, workflow);
	const run = await waitForEnd(host.rest, execution!.executionId);
	return { success: run.json('Get', 0), failed: run.json('Get', 1) };
}

/** A workflow that a trigger starts. */
export class OpenTrigger {
	private readonly names: string[] = [];

	private constructor(
		private readonly host: InstallHost,
		readonly workflow: string,
		private readonly trial: PackageTrial,
		private readonly url: string,
	) {}

	static async open(host: InstallHost, packageName: string, key: string): Promise<OpenTrigger> {
		const trial = packageTrials[key]!;
		const webhookId = `watch-${++nodeCount}`;
		const entriesBefore = host.sandbox.requestLog.entries().length;
		const workflow = await openWorkflow(host, [
			createNode('Finished', `${packageName}.${key}Trigger`, {
				...{ webhookId, parameters: { path: 'watch', ...trial.trigger } },
				credentials: { [trial.credential]: {} },
			}),
		]);
		const url = `${host.n8n.url}/webhook/${webhookId}/watch`;
		const { follows } = trial;
		if (follows === undefined) await waitUntilRegistered(url);
		else {
			// The trigger reports changes after its first poll.
			await pollUntil('its first poll', () => {
				const newEntries = host.sandbox.requestLog.entries().slice(entriesBefore);
				return newEntries.some(({ path }) => path.endsWith(follows));
			});
		}
		return new OpenTrigger(host, workflow, trial, url);
	}

	/** Creates a pending record and submits it. The trigger must accept the only request. */
	async begin(): Promise<void> {
		const name = await this.trial.begin(this.host);
		this.names.push(name);
		if (this.trial.follows !== undefined) return;
		const { status, data } = await postTo(this.url, { id: name });
		if (status !== 200) throw new Error(`The webhook answered ${status} ${JSON.stringify(data)}`);
	}

	/** Completes all pending records. Returns the names of the actual and the expected starts. */
	async finish(): Promise<{ started: string[]; expected: string[] }> {
		for (const name of this.names) await this.trial.finish(this.host, name);
		await pollUntil('all executions', async () => {
			const executions = await this.readStarted();
			return (
				executions.length >= this.names.length &&
				executions.every(({ status }) => status !== 'running')
			);
		});
		const names = (await this.readStarted()).map(({ status, item }) =>
			status === 'success' ? readStartName(item) : status,
		);
		return { started: names.sort(), expected: [...this.names].sort() };
	}

	async close(): Promise<void> {
		await deactivateWorkflow(this.host.rest, this.workflow);
	}

	private async readStarted(): Promise<StartedExecution[]> {
		return await readExecutions(this.host, this.workflow);
	}
}

/** Names the person or ID that an execution was started for. */
const readStartName = (item: StartedExecution['item']) =>
	`${item?.email ?? item?.Email ?? item?.id}`;

async function pollUntil(
	description: string,
	check: () => boolean | Promise<boolean>,
): Promise<void> {
	for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await delay(300)) {
		if (await check()) return;
	}
	throw new Error(`${description}: not within ${TIMEOUT_MS} ms`);
}
