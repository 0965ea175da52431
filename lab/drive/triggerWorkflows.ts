import axios from 'axios';
import { parse } from 'flatted';
import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import type { Lab } from '../lab';
import { unwrap } from '../rest';
import { listExecutions } from './executions';
import type { PlannedId } from './plannedIds';
import { connectTo, publishWorkflow, oneSecondWaitNode } from './workflowParts';

/** The workflows that wait for the two kinds of IDs, by kind. */
export type WatchWorkflows = Record<PlannedId['kind'], { workflowId: string; url: string }>;

/** Executions that are read concurrently. */
const READ_BATCH_SIZE = 10;
/** Wait for executions that should not start, after the expected ones have ended. */
const EXTRA_WAIT_MS = 7000;

const triggerByKind = {
	approval: {
		nodeId: '11111111-0000-4000-8000-000000000001',
		type: 'twoFactorTrigger',
		credential: 'twoFactorApi',
	},
	job: {
		nodeId: '11111111-0000-4000-8000-000000000002',
		type: 'passwordlessIdentityTrigger',
		credential: 'passwordlessIdentityApi',
	},
};

/**
 * Creates and activates one workflow for each kind. After its trigger, each works for a second, so that a kill finds a
 * running execution.
 */
export async function publishWatchWorkflows(
	lab: Lab,
	plannedIds: PlannedId[],
): Promise<WatchWorkflows> {
	const entries = (['approval', 'job'] as const).map(async (kind) => {
		const { nodeId, type, credential } = triggerByKind[kind];
		const ids = plannedIds
			.filter((plannedId) => plannedId.kind === kind && plannedId.isEntered)
			.map(({ id }) => id)
			.join(', ');
		const trigger = {
			id: nodeId,
			name: 'Finished',
			type: `n8n-nodes-gatehouse.${type}`,
			typeVersion: 1,
			position: [0, 0],
			webhookId: `crowd-${kind}`,
			credentials: { [credential]: {} },
			parameters: {
				ids: kind === 'job' ? { rows: [{ ids }] } : ids,
				acceptNewIds: true,
				acceptFromAnybody: true,
				path: 'watch',
				options: { checkEvery: 2 },
			},
		};
		const workflowId = await publishWorkflow(
			lab.rest,
			{
				name: `Crowd of ${kind}s`,
				nodes: [trigger, oneSecondWaitNode(`work-${kind}`)],
				connections: { Finished: connectTo('Work') },
			},
			lab.credentials,
		);
		const url = `${lab.n8nUrl}/webhook/crowd-${kind}/watch`;
		return [kind, { workflowId, url }] as const;
	});
	return Object.fromEntries(await Promise.all(entries)) as WatchWorkflows;
}

/**
 * Submits IDs repeatedly until n8n acknowledges them, because n8n may be down. Each request may take long: on a busy machine,
 * requests that are abandoned and repeated would take all of n8n's time.
 */
export async function submitIds(url: string, ids: string[], deadlineMs: number): Promise<void> {
	while (Date.now() < deadlineMs) {
		const response = await axios
			.post(url, { ids }, { timeout: 60_000, proxy: false, validateStatus: () => true })
			.catch(() => undefined);
		// While n8n starts, it answers every request with success.
		if (typeof (response?.data as { watched?: number } | undefined)?.watched === 'number') return;
		if (response && ![200, 404, 503].includes(response.status)) {
			throw new Error(`${response.status} ${JSON.stringify(response.data)}`);
		}
		await delay(1000);
	}
	throw new Error(`${url} did not accept the IDs in time`);
}

/** Kills n8n and starts it again. Repeats both if n8n does not become ready, as a process manager does. */
export async function killAndRestart(lab: Lab, maxAttempts = 3): Promise<void> {
	try {
		await lab.restart({ kill: 'SIGKILL' });
	} catch (error) {
		if (maxAttempts <= 1) throw error;
		await killAndRestart(lab, maxAttempts - 1);
	}
}

/** One execution: the ID and outcome that it started with, and how it ended. */
export interface StartedExecution {
	executionId: string;
	status: string;
	/** The item that the execution started with; missing if n8n has no data of the execution. */
	item?: IDataObject;
	id?: string;
	outcome?: string;
	error?: string;
}

/**
 * Reads the item that an execution started with, from its result or, if it was killed, from the input that n8n had stored
 * for it.
 */
async function readExecution(
	lab: Pick<Lab, 'rest'>,
	executionId: string,
): Promise<StartedExecution> {
	const { status, data } = unwrap<{ status: string; data: string }>(
		(await lab.rest.get(`/executions/${executionId}`)).data,
	);
	return status === 'running' ? { executionId, status } : parseExecution(executionId, status, data);
}

/** Parses n8n's stored data of an execution: the item that it started with, and its error. */
export function parseExecution(
	executionId: string,
	status: string,
	data: string,
): StartedExecution {
	const { resultData, executionData } = parse(data) as {
		resultData: { runData: Record<string, NodeRun[]>; error?: { message: string } };
		executionData?: { nodeExecutionStack: Array<Pick<NodeRun, 'data'>> };
	};
	// n8n fills in missing data of a killed execution, so the input that the execution began with comes first.
	const runs = [
		...(executionData?.nodeExecutionStack ?? []),
		...(Object.values(resultData.runData)[0] ?? []),
	];
	const items: IDataObject[] = runs.flatMap(({ data: output }) => {
		const json = output?.main[0]?.[0]?.json;
		return json ? [json] : [];
	});
	const item = items.find(({ outcome, change }) => outcome !== undefined || change !== undefined);
	const { id, outcome } = (item ?? {}) as { id?: string; outcome?: string };
	return { executionId, status, item, id, outcome, error: resultData.error?.message };
}

interface NodeRun {
	data?: { main: Array<Array<{ json: IDataObject }>> };
}

/** Reads all executions of a workflow, whatever their status, with the items that they started with. */
export async function readExecutions(
	lab: Pick<Lab, 'rest'>,
	workflowId: string,
): Promise<StartedExecution[]> {
	const ids = (await listExecutions(lab.rest, { workflowId })).map(({ id }) => id);
	const executions: StartedExecution[] = [];
	for (let offset = 0; offset < ids.length; offset += READ_BATCH_SIZE) {
		const batch = ids
			.slice(offset, offset + READ_BATCH_SIZE)
			.map(async (id) => await readExecution(lab, id));
		executions.push(...(await Promise.all(batch)));
	}
	return executions;
}

/**
 * Waits until this many executions have ended or `withinMs` have passed, then a while longer for any that should not exist. The
 * caller checks the count.
 */
export async function waitForExecutions(
	lab: Lab,
	workflows: Record<string, { workflowId: string }>,
	count: number,
	withinMs: number,
): Promise<StartedExecution[]> {
	const deadlineMs = Date.now() + withinMs;
	const workflowIds = Object.values(workflows).map(({ workflowId }) => workflowId);
	const countEnded = async () => {
		const lists = await Promise.all(
			workflowIds.map(
				async (workflowId) =>
					await listExecutions<{ id: string; status: string }>(lab.rest, { workflowId }),
			),
		);
		return lists.flat().filter(({ status }) => status !== 'new' && status !== 'running').length;
	};
	while ((await countEnded()) < count && Date.now() < deadlineMs) await delay(500);
	await delay(EXTRA_WAIT_MS);
	return (await Promise.all(workflowIds.map(async (id) => await readExecutions(lab, id)))).flat();
}
