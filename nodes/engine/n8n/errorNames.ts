// n8n's errors, recognized by their class names and messages: n8n exports no classes to compare them with.
//
// Relies on: `CredentialNotFoundError` (n8n, dist/errors/credential-not-found.error.js), `ExecutionNotFoundError` (n8n,
//   dist/errors/execution-not-found-error.js), `…CancelledError` (n8n-workflow, dist/cjs/errors/execution-cancelled.error.js),
//   `SsrfBlockedIpError`, `SsrfBlockedHostnameError` (@n8n/backend-network, dist/ssrf), `[item 0]` at the end of messages
//   (n8n-workflow, dist/cjs/errors/node-operation.error.js and expression errors).
// Verified on: 2.41.1.
// If absent: a trigger whose credential was deleted keeps polling with the old one; a start that n8n carried out and then
//   cancelled counts as rejected, so the trigger requests it again with the same key and n8n drops the duplicate; a request
//   that n8n blocked is reported as a broken connection; a message names its item twice.

const namesOf = (error: Error) => [error.name, error.constructor.name];

/** Whether a credential no longer exists. An unavailable database causes another error. */
export const isDeletedCredential = (error: unknown): boolean =>
	error instanceof Error &&
	(error.constructor.name === 'CredentialNotFoundError' ||
		/^Credential with ID .* (does not exist|was not found)/.test(error.message));

/** Whether n8n started the workflow before it rejected the start: the run was cancelled, timed out or left no record. */
export const hadWorkflowStarted = (error: unknown): boolean =>
	error instanceof Error && namesOf(error).some((name) => /Cancelled|ExecutionNotFound/.test(name));

const BLOCKED_NAMES = new Set(['SsrfBlockedIpError', 'SsrfBlockedHostnameError']);

/**
 * Members of an error that can hold the wrapped error. The response in the error is excluded, because the service wrote it.
 */
interface Wrapping {
	name?: unknown;
	cause?: unknown;
	errorResponse?: unknown;
}

/**
 * Whether n8n's SSRF protection blocked the request. Searches wrapped errors at any depth: before the request, n8n throws
 * the error itself; while connecting, axios wraps it; and n8n wraps either of these in a NodeApiError.
 */
export function isBlockedBySsrfProtection(error: unknown): boolean {
	const relatedErrors = new Set<unknown>([error]);
	for (const at of relatedErrors) {
		const { name, cause, errorResponse } = Object(at) as Wrapping;
		if (BLOCKED_NAMES.has(`${name}`)) return true;
		if (cause !== undefined) relatedErrors.add(cause);
		if (errorResponse !== undefined) relatedErrors.add(errorResponse);
	}
	return false;
}

const NAMES_ITEM = /\bitem \d+\]$/;

/** Whether n8n has already added the item to a message, as it does to errors of expressions. */
export const namesItem = (message: string): boolean => NAMES_ITEM.test(message);
