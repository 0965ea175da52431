// The URLs at which n8n resumes a suspended execution, and reports its status.
//
// Relies on (n8n, dist/webhooks): a call that resumes an execution must have the token in `$execution.resumeUrl`. The node's
//   ID follows the token after a slash (`parseSignatureParam` in waiting-webhooks.js); for an execution without a token, the
//   node's ID is at the end of the path. `getSignedResumeUrl()` is not used: it signs the path of the public URL, and behind
//   a proxy that removes a base path n8n compares the signature with the shorter path and responds 401. The path segment
//   WAITING_FORMS_EXECUTION_STATUS after `$execution.resumeFormUrl` returns the execution's status as text
//   (waiting-forms.js). While n8n starts, it responds 200 with a text (dist/abstract-server.js). A 409 "is running already"
//   means that the execution is not stored as waiting yet, or was resumed and is running.
// Verified on: 2.41.1 (test/e2e/park.e2e.ts, test/e2e/nextMajor.e2e.ts); waiting-webhooks.js of 2.33.7 and 2.40.7 reads the
//   token in the same way. The status was verified on 2.41.1 (test/engine/park/stoppedExecutions.test.ts, test/e2e/park.e2e.ts).
// If absent: n8n rejects the call, and the execution resumes by time, up to five minutes later; polling for a stopped execution
//   continues until the end of its wait.

import { WAITING_FORMS_EXECUTION_STATUS } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

/** Query parameter of the token; n8n-core calls it WAITING_TOKEN_QUERY_PARAM. */
const TOKEN_PARAMETER = 'signature';

/** URLs of an execution at n8n. */
export interface ExecutionUrls {
	/** Token that a call must have; empty if the execution has none. */
	token: string;
	/** URL at which n8n resumes the execution. */
	url: string;
	/** URL at which n8n reports the status of the execution. A call there reads the execution once and starts nothing. */
	statusUrl: string;
}

/** Returns the URLs of this execution, or of another execution of this node. */
export function executionUrlsOf(
	context: IExecuteFunctions,
	other?: { executionId: string; token: string },
): ExecutionUrls {
	const url = urlIn('{{ $execution.resumeUrl }}', context);
	const statusUrl = urlIn('{{ $execution.resumeFormUrl }}', context);
	if (other)
		for (const one of [url, statusUrl]) {
			one.pathname = one.pathname.replace(/[^/]*$/, encodeURIComponent(other.executionId));
			if (other.token) one.searchParams.set(TOKEN_PARAMETER, other.token);
			else one.searchParams.delete(TOKEN_PARAMETER);
		}
	const token = url.searchParams.get(TOKEN_PARAMETER) ?? '';
	const { id } = context.getNode();
	if (token) url.searchParams.set(TOKEN_PARAMETER, `${token}/${id}`);
	else appendSegment(url, id);
	appendSegment(statusUrl, WAITING_FORMS_EXECUTION_STATUS);
	return { token, url: url.href, statusUrl: statusUrl.href };
}

/** Returns the URL at which n8n reports whether it has started completely: beside that of waiting executions. */
export function readinessUrlOf(context: IExecuteFunctions): string {
	const url = urlIn('{{ $execution.resumeUrl }}', context);
	url.pathname = url.pathname.replace(/[^/]*\/[^/]*$/, 'healthz/readiness');
	url.search = '';
	return url.href;
}

/** Returns one of n8n's URLs for this execution. */
const urlIn = (expression: string, context: IExecuteFunctions): URL =>
	new URL(`${context.evaluateExpression(expression, 0)}`);

function appendSegment(url: URL, segment: string): void {
	url.pathname += `/${encodeURIComponent(segment)}`;
}

/** Statuses of ended executions. `null` is the status of an execution that does not exist. */
const ENDED = new Set(['success', 'error', 'crashed', 'canceled', 'null']);

/** Returns the status in n8n's response. While n8n starts, its response is a sentence. */
export const statusIn = ({
	status,
	body,
}: {
	status: number;
	body?: unknown;
}): string | undefined => (status === 200 && /^[a-z]+$/.test(`${body}`) ? `${body}` : undefined);

/** Whether a status means that an execution has ended and cannot be resumed. */
export const isEndedStatus = (status: unknown): boolean => ENDED.has(`${status}`);

/**
 * Whether n8n's response to a resume call is final: the execution resumes, was resumed before or has ended. Otherwise the
 * call must be repeated: the execution may not be stored yet, or n8n may be starting.
 */
export const isResumeSettled = (status: number, message = ''): boolean =>
	[200, 404, 409].includes(status) && !/starting up|running already/i.test(message);
