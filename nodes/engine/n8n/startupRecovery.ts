// How n8n treats suspended executions while it starts.
//
// Relies on: n8n resumes overdue executions (`WaitTracker.init` in n8n, dist/commands/start.js) before its crash recovery
//   has run (`performStartupRecovery` in n8n, dist/eventbus/message-event-bus/message-event-bus.js, called from
//   dist/server.js). The recovery reads which executions are running and marks them as crashed a moment later. An execution
//   that was suspended again in between is marked too, and never resumes. An execution that still runs stores its result
//   afterwards. `GET /healthz/readiness` responds `{ "status": "ok" }` only after the recovery (`markAsReady` in dist/server.js,
//   `setupHealthCheck` in dist/abstract-server.js), and 503 with `{ "status": "error" }` before. Contexts have `instanceSettings.instanceType`, outside their public type (n8n-core,
//   dist/execution-engine/node-execution-context/node-execution-context.js).
// Verified on: 2.41.1.
// If absent: without `instanceType` no execution waits blocking, and an execution can be marked as crashed at a start (1 of
//   150; n8n's own Wait node is affected too). With the order reversed, the blocking wait is needless and harmless. If the
//   readiness cannot be read (N8N_ENDPOINT_HEALTH, a proxy, SSRF protection), the blocking wait lasts RECOVERY_MS.

import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Time after the first resume of a process in which its recovery may still mark running executions as crashed, if n8n does not
 * report whether it is ready.
 */
export const RECOVERY_MS = 60_000;

/** A first resume that comes later than this after the pack was loaded is unrelated to the start of n8n. */
export const FIRST_RESUME_WITHIN_MS = 120_000;

/**
 * Whether this process runs the recovery. n8n's main process does; a worker of queue mode does not. On a worker, a blocking
 * wait would take one of its few places.
 */
export const runsRecovery = (
	context: IExecuteFunctions & { instanceSettings?: { instanceType?: string } },
): boolean => context.instanceSettings?.instanceType === 'main';

/**
 * Returns whether n8n has started completely, by its response; undefined if the response does not say. A proxy may answer with
 * a page of its own.
 */
export function readinessIn(response: { status: number; body?: unknown }): boolean | undefined {
	const { status: statement } = (response.body ?? {}) as { status?: unknown };
	if (response.status === 200 && statement === 'ok') return true;
	return response.status === 503 && statement === 'error' ? false : undefined;
}
