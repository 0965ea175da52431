// The signal that aborts a request.
//
// Relies on: `httpRequestWithAuthentication` replaces `abortSignal` with `this.getExecutionCancelSignal()` where the context
//   has one (n8n-core, dist/execution-engine/node-execution-context/utils/request-helpers/authentication.js).
// Verified on: 2.41.1.
// If absent: an n8n that keeps `abortSignal` gets the same signal there. If n8n took its signal from elsewhere, a request would
//   stay open after its time limit until the response headers arrive; `exchange` returns in time and closes the response.

import type { IAllExecuteFunctions } from 'n8n-workflow';

/** Returns a context whose requests are aborted by this signal instead of the execution's own signal. */
export const withSignal = <Context extends IAllExecuteFunctions>(
	context: Context,
	signal: AbortSignal,
): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
