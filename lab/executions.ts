import { unwrap, type RestClient } from './rest';

/** One run of a workflow, as n8n lists it. */
export interface Execution {
	id: string;
	workflowId: string;
	status: 'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';
	mode: string;
}

/** One item that a node gave out. */
export interface OutputItem {
	json: Record<string, unknown>;
	binary?: Record<string, unknown>;
	pairedItem?: unknown;
	error?: unknown;
}

interface NodeRun {
	data?: { main?: Array<OutputItem[] | null> };
	error?: { message: string; description?: string };
}

/** A run with what each node gave out. */
export interface ExecutionDetail extends Execution {
	/** Items of a node's last run, from one of its outputs. */
	itemsOf(node: string, output?: number): OutputItem[];
	/** The error that a node ended with, if it did. */
	errorOf(node: string): { message: string; description?: string } | undefined;
	/** The error that ended the run, if one did. */
	error?: { message: string; description?: string };
	/** Names of the nodes that ran. */
	ran: string[];
}

const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Reads n8n's stored form, in which every object and text is kept once and referred to by its place. */
export function unflatten(text: string): unknown {
	const stored = JSON.parse(text) as unknown[];
	const known = new Map<number, unknown>();
	const read = (place: number): unknown => {
		if (known.has(place)) return known.get(place);
		const value = stored[place];
		if (typeof value !== 'object' || value === null) return value;
		const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		known.set(place, copy);
		for (const [key, part] of Object.entries(value)) {
			(copy as Record<string, unknown>)[key] = typeof part === 'string' ? read(Number(part)) : part;
		}
		return copy;
	};
	return read(0);
}

/** The runs of a workflow, newest first. */
export async function listExecutions(rest: RestClient, workflowId: string): Promise<Execution[]> {
	const filter = JSON.stringify({ workflowId });
	const { data } = await rest.get('/executions', { params: { filter, limit: 100 } });
	return unwrap<{ results: Execution[] }>(data).results;
}

/** One run with its data. */
export async function getExecution(rest: RestClient, id: string): Promise<ExecutionDetail> {
	const found = unwrap<Execution & { data: string }>((await rest.get(`/executions/${id}`)).data);
	const { data, ...execution } = found;
	const { resultData = {} } = unflatten(data) as {
		resultData?: { runData?: Record<string, NodeRun[]>; error?: NodeRun['error'] };
	};
	const runs = resultData.runData ?? {};
	return {
		...execution,
		itemsOf: (node, output = 0) => runs[node]?.at(-1)?.data?.main?.[output] ?? [],
		errorOf: (node) => runs[node]?.at(-1)?.error,
		error: resultData.error,
		ran: Object.keys(runs),
	};
}

/** Waits until a run is over and gives it. */
export async function finishedExecution(
	rest: RestClient,
	id: string,
	timeout = 60_000,
): Promise<ExecutionDetail> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const { data } = await rest.get(`/executions/${id}`, { validateStatus: () => true });
		const status = (data as { data?: Execution }).data?.status;
		if (status && !['new', 'running', 'waiting'].includes(status))
			return await getExecution(rest, id);
		if (Date.now() > deadline)
			throw new Error(`Execution ${id} is still ${status} after ${timeout} ms`);
		await pause(200);
	}
}

/** Waits until a workflow has had that many runs that are over, and gives them, oldest first. */
export async function finishedExecutions(
	rest: RestClient,
	workflowId: string,
	count: number,
	timeout = 60_000,
): Promise<ExecutionDetail[]> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const all = await listExecutions(rest, workflowId);
		const over = all.filter(({ status }) => !['new', 'running', 'waiting'].includes(status));
		if (over.length >= count) {
			return await Promise.all(over.reverse().map(async ({ id }) => await getExecution(rest, id)));
		}
		if (Date.now() > deadline) {
			throw new Error(
				`${over.length} of ${count} runs of ${workflowId} are over after ${timeout} ms`,
			);
		}
		await pause(200);
	}
}

/** Starts a stored workflow by hand from one of its triggers and gives the run's id. */
export async function runWorkflow(
	rest: RestClient,
	workflowId: string,
	trigger: string,
): Promise<string> {
	const { data } = await rest.post(`/workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: trigger },
	});
	return unwrap<{ executionId: string }>(data).executionId;
}
