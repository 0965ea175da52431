import { parse } from 'flatted';
import { setTimeout as delay } from 'node:timers/promises';

import { unwrap } from '../../../lab/rest';
import type { RestClient } from '../../../lab/rest';

type Json = Record<string, unknown>;

interface Item {
	json: Json;
	binary?: Record<string, { data: string; fileName?: string; mimeType: string; id?: string }>;
}

interface ExecutionData {
	resultData: {
		error?: { message: string };
		runData: Record<string, Array<{ data?: { main?: Array<Item[] | null> } }>>;
	};
}

/** An execution that has ended, as n8n stored it. */
export interface EndedExecution {
	id: string;
	workflowId: string;
	status: string;
	mode: string;
	/** Error message in one line. */
	error?: string;
	/** The items that a node returned: on all outputs, or on one of them. 0 is the first, the error output comes last. */
	items(node: string, output?: number): Item[];
	json(node: string, output?: number): Json[];
	/** Whether the node ran. */
	ran(node: string): boolean;
	/** Whether any node ran. */
	hasRuns: boolean;
}

/** Presses "Execute workflow", starting from the trigger of that name, and returns the execution's ID. */
export async function execute(rest: RestClient, workflowId: string, from: string): Promise<string> {
	const body = { triggerToStartFrom: { name: from } };
	const { data } = await rest.post(`/workflows/${workflowId}/run`, body);
	return unwrap<{ executionId: string }>(data).executionId;
}

const END_STATUSES = ['success', 'error', 'crashed', 'canceled'];

/** Waits until an execution has ended, in success or not, and reads it. */
export async function waitForEnd(
	rest: RestClient,
	executionId: string,
	withinMs = 60_000,
): Promise<EndedExecution> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const { data } = await rest.get(`/executions/${executionId}`);
		const execution = unwrap<{ status: string; data: string; workflowId: string; mode: string }>(
			data,
		);
		const hasEnded = END_STATUSES.includes(execution.status);
		const ended = hasEnded ? parseExecution(executionId, execution) : undefined;
		// n8n 1.123 stores the status before the data. Seen once: a successful execution in which no node had run.
		if (ended && (ended.status !== 'success' || ended.hasRuns)) return ended;
		if (Date.now() > deadline) {
			throw new Error(`Execution ${executionId} is still ${execution.status} after ${withinMs} ms`);
		}
		await delay(250);
	}
}

/** IDs of the workflow's executions, newest first. n8n lists an execution twice if its status changes during the read. */
export async function listExecutionIds(rest: RestClient, workflowId: string): Promise<string[]> {
	const params = { filter: JSON.stringify({ workflowId }), limit: 50 };
	const { data } = await rest.get('/executions', { params });
	const { results } = unwrap<{ results: Array<{ id: string }> }>(data);
	return [...new Set(results.map(({ id }) => `${id}`))];
}

function parseExecution(
	id: string,
	execution: { status: string; data: string; workflowId: string; mode: string },
): EndedExecution {
	// n8n stores runs in flatted's format.
	const { resultData } = parse(execution.data) as ExecutionData;
	const items = (node: string, output?: number) =>
		(resultData.runData[node] ?? []).flatMap(({ data: { main = [] } = {} }) =>
			(output === undefined ? main.flat() : (main[output] ?? [])).filter((item) => item !== null),
		);
	return {
		id,
		workflowId: execution.workflowId,
		status: execution.status,
		mode: execution.mode,
		error: resultData.error?.message,
		items,
		json: (node, output) => items(node, output).map(({ json }) => json),
		ran: (node) => resultData.runData[node] !== undefined,
		hasRuns: Object.keys(resultData.runData).length > 0,
	};
}

/** Calls `check` until it returns a value. */
export async function pollUntil<T>(
	description: string,
	check: () => T | undefined | Promise<T | undefined>,
	withinMs = 60_000,
): Promise<T> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const value = await check();
		if (value !== undefined) return value;
		if (Date.now() > deadline) throw new Error(`${description}: not within ${withinMs} ms`);
		await delay(100);
	}
}
