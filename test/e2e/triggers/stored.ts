import { setTimeout as delay } from 'node:timers/promises';

import type { Cluster } from '../../../lab/queue/cluster';
import { query } from '../../../lab/queue/postgres';
import { startedWith } from './workflows';
import type { Started } from './workflows';

/** So long that what has not started by then is lost, not late, on a machine that is as busy as any. */
const LOST_AFTER_MS = 900_000;
const EXTRA_WITHIN_MS = 7000;

/** An execution with the key that its trigger gave it. */
export interface Stored extends Started {
	key: string;
}

/**
 * Waits until so many executions of the workflows are over, and then a while longer for any that should not be there. It reads
 * PostgreSQL: n8n 2.41.1 hides the data of an execution from everybody who asks for it where its database was out of reach when
 * that started (n8n, modules/redaction/dynamic-credentials-context-hook), which a busy machine is enough for.
 */
export async function settledInDatabase(
	{ postgres }: Cluster,
	workflows: Record<string, { workflow: string }>,
	count: number,
): Promise<Stored[]> {
	const ids = Object.values(workflows).map(({ workflow }) => `'${workflow}'`);
	const where = `"workflowId" IN (${ids.join(', ')})`;
	const over = `SELECT count(*)::int AS count FROM execution_entity WHERE ${where} AND status NOT IN ('new', 'running')`;
	for (const until = Date.now() + LOST_AFTER_MS; Date.now() < until; await delay(1000)) {
		if ((await query<{ count: number }>(postgres, over))[0]!.count >= count) break;
	}
	await delay(EXTRA_WITHIN_MS);
	const sql = `SELECT e.id, e.status, e."deduplicationKey" AS key, d.data FROM execution_entity e LEFT JOIN execution_data d ON d."executionId" = e.id WHERE ${where}`;
	const rows = await query<{ id: number; status: string; key: string; data: string | null }>(
		postgres,
		sql,
	);
	return rows.map(({ id, status, key, data }) => ({
		...(data === null ? { execution: `${id}`, status } : startedWith(`${id}`, status, data)),
		key,
	}));
}
