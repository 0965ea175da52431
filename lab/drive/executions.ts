import { unwrap } from '../rest';
import type { RestClient } from '../rest';

/** n8n's largest page. */
const PAGE_SIZE = 100;

/**
 * Lists all executions that match a filter of n8n's REST interface. n8n 2.41.1 sorts a page by the time of the start and
 * continues with the IDs below that of its last row, so its pages repeat and omit executions that did not start in the order
 * of their IDs. Each page that is read here overlaps the previous one by half.
 */
export async function listExecutions<E extends { id: string }>(
	rest: Pick<RestClient, 'get'>,
	filter: { workflowId: string; status?: string[] },
): Promise<E[]> {
	const executions = new Map<string, E>();
	for (let cursor: string | undefined; ;) {
		const params = { filter: JSON.stringify(filter), limit: PAGE_SIZE, cursor };
		const { results, nextCursor } = unwrap<{ results: E[]; nextCursor?: string | null }>(
			(await rest.get('/executions', { params })).data,
		);
		for (const execution of results) executions.set(execution.id, execution);
		if (!nextCursor) return [...executions.values()];
		const idsFromHighest = results.map(({ id }) => Number(id)).sort((a, b) => b - a);
		cursor = cursorBelow(idsFromHighest[PAGE_SIZE / 2]!);
	}
}

/** Returns n8n's cursor for the executions with a lower ID. n8n requires the time but does not use it. */
const cursorBelow = (id: number) =>
	Buffer.from(
		JSON.stringify({ version: 1, v1: { id: `${id}`, timestamp: new Date(0).toISOString() } }),
	).toString('base64url');
