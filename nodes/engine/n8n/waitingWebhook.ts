// The URLs at which n8n resumes a suspended execution, and reports its status.
//
// Relies on (n8n, dist/webhooks): a call that resumes an operation `sendAndWait` must have the signature of
//   `getSignedResumeUrl()`. For other operations it must have the token in `$execution.resumeUrl`, and the path ends with the
//   node's ID (waiting-webhooks.js). The path segment WAITING_FORMS_EXECUTION_STATUS after `$execution.resumeFormUrl` returns
//   the execution's status as text (waiting-forms.js). While n8n starts, it responds 200 with a text (dist/abstract-server.js).
//   409 "is running already": the execution is not stored as waiting yet, or was resumed and is running.
// Verified on: 2.33.7, 2.40.7, 2.41.1 (test:generations: resumed by webhook); the status on 2.41.1 (test/engine/park/stopped.test.ts,
//   test/e2e/park.e2e.ts).
// If absent: n8n rejects the call, and the execution resumes by time, up to five minutes later; polling for a stopped execution
//   continues until the end of its wait.

import { SEND_AND_WAIT_OPERATION, WAITING_FORMS_EXECUTION_STATUS } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

/** Returns the URL at which n8n resumes this execution. */
export function resumeUrlOf(context: IExecuteFunctions): string {
	if (context.getNodeParameter('operation', 0) === SEND_AND_WAIT_OPERATION) {
		return context.getSignedResumeUrl();
	}
	return appendSegment('{{ $execution.resumeUrl }}', context.getNode().id, context);
}

/** Returns the URL at which n8n reports the status of this execution. A call there reads the execution once and starts nothing. */
export const statusUrlOf = (context: IExecuteFunctions): string =>
	appendSegment('{{ $execution.resumeFormUrl }}', WAITING_FORMS_EXECUTION_STATUS, context);

/** Returns one of n8n's URLs for this execution with a segment added to its path. */
function appendSegment(expression: string, segment: string, context: IExecuteFunctions): string {
	const url = new URL(`${context.evaluateExpression(expression, 0)}`);
	url.pathname += `/${encodeURIComponent(segment)}`;
	return url.href;
}

/** Statuses of ended executions. `null` is that of an execution that does not exist. */
const ENDED = new Set(['success', 'error', 'crashed', 'canceled', 'null']);

/** Whether a status means that an execution has ended; resuming it is impossible. */
export const isEndedStatus = (status: unknown): boolean => ENDED.has(`${status}`);

/**
 * Whether n8n's answer to a resume call is final: the execution resumes, was resumed before or has ended. Otherwise the call must
 * be repeated: the execution may not be stored yet, or n8n may be starting.
 */
export const isResumeSettled = (status: number, message = ''): boolean =>
	[200, 404, 409].includes(status) && !/starting up|running already/i.test(message);
