import { setTimeout as delay } from 'node:timers/promises';

import { readStartItem } from '../../../lab/drive/triggerWorkflows';
import type { StartedExecution } from '../../../lab/drive/triggerWorkflows';
import type { Cluster } from '../../../lab/queue/cluster';
import { query } from '../../../lab/queue/postgres';

/** Time after which an execution that has not started counts as lost, even on a slow machine. */
const LOST_AFTER_MS = 900_000;
/** Time limit for the next execution to end. */
const NEXT_ENDS_WITHIN_MS = 180_000;
/** Time in which executions that should not exist would start. */
const EXTRA_WITHIN_MS = 7000;

/** An execution with the key that its trigger gave it. */
export interface StoredExecution extends StartedExecution {
	key: string;
}

/**
 * Waits until this many executions of the workflows have started, then until all have ended or the number of ended ones stays
 * the same, and a while longer for any that should not exist. It reads PostgreSQL, since n8n 2.41.1 shows less after its database was unreachable for
 * a moment, which happens on a busy machine: it hides the data of executions that started then (n8n,
 * modules/redaction/dynamic-credentials-context-hook), and one that a worker could not read stays `new` for ever.
 */
export async function waitForStoredExecutions(
	{ postgres }: Cluster,
	workflows: Record<string, { workflow: string }>,
	count: number,
): Promise<StoredExecution[]> {
	const ids = Object.values(workflows).map(({ workflow }) => `'${workflow}'`);
	const where = `"workflowId" IN (${ids.join(', ')})`;
	const countSql = `SELECT count(*)::int AS started, (count(*) FILTER (WHERE status NOT IN ('new', 'running')))::int AS over FROM execution_entity WHERE ${where}`;
	let [endedCount, deadline] = [0, Date.now() + LOST_AFTER_MS];
	for (; endedCount < count && Date.now() < deadline; await delay(1000)) {
		const [current] = await query<{ started: number; over: number }>(postgres, countSql);
		if (current!.started >= count && current!.over > endedCount)
			deadline = Date.now() + NEXT_ENDS_WITHIN_MS;
		({ over: endedCount } = current!);
	}
	await delay(EXTRA_WITHIN_MS);
	const sql = `SELECT e.id, e.status, e."deduplicationKey" AS key, d.data FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id WHERE ${where}`;
	const rows = await query<{ id: number; status: string; key: string; data: string | null }>(
		postgres,
		sql,
	);
	return rows.map(({ id, status, key, data }) => ({
		...(data === null ? { execution: `${id}`, status } : readStartItem(`${id}`, status, data)),
		key,
	}));
}
