import { setTimeout as delay } from 'node:timers/promises';

import { parseExecution } from '../../../lab/drive/triggerWorkflows';
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
 * Waits until this many executions of the workflows have started, then until all have ended or no further one ends, and a
 * while longer for any that should not exist. Returns the executions as PostgreSQL stores them.
 */
export async function waitForStoredExecutions(
	{ postgres }: Cluster,
	workflows: Record<string, { workflowId: string }>,
	count: number,
): Promise<StoredExecution[]> {
	// PostgreSQL is read directly, since n8n 2.41.1 shows less if its database was unreachable for a moment, as on a busy
	// machine: it hides the data of executions that started then (n8n, modules/redaction/dynamic-credentials-context-hook).
	// An execution that a worker could not read then stays `new` forever, so the wait has a time limit.
	const ids = Object.values(workflows).map(({ workflowId }) => `'${workflowId}'`);
	const where = `"workflowId" IN (${ids.join(', ')})`;
	const countSql = `SELECT count(*)::int AS "startedCount", (count(*) FILTER (WHERE status NOT IN ('new', 'running')))::int AS "endedCount" FROM execution_entity WHERE ${where}`;
	let [endedCount, deadline] = [0, Date.now() + LOST_AFTER_MS];
	for (; endedCount < count && Date.now() < deadline; await delay(1000)) {
		const [current] = await query<{ startedCount: number; endedCount: number }>(postgres, countSql);
		if (current!.startedCount >= count && current!.endedCount > endedCount)
			deadline = Date.now() + NEXT_ENDS_WITHIN_MS;
		({ endedCount } = current!);
	}
	await delay(EXTRA_WITHIN_MS);
	const sql = `SELECT e.id, e.status, e."deduplicationKey" AS key, d.data FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id WHERE ${where}`;
	const rows = await query<{ id: number; status: string; key: string; data: string | null }>(
		postgres,
		sql,
	);
	return rows.map(({ id, status, key, data }) => ({
		...(data === null ? { executionId: `${id}`, status } : parseExecution(`${id}`, status, data)),
		key,
	}));
}
