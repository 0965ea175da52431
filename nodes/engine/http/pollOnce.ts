import { redact, ServiceFailure, toSentence } from '../errors';
import type { PollFailure, PollResult } from '../watch';
import { parseRetryAfter } from './backoff';
import { findFailure, isUnrecognized } from './checkResponse';
import type { Client } from './client';
import { UNRECOGNIZED_CODES } from './failures';
import { BLOCKED } from './networkErrors';
import type { ServiceResponse, Request, SendOptions, Service } from './types';

/** One attempt per request, since the watcher or the poller decides about retries. */
export const POLL_SEND_OPTIONS: SendOptions = {
	maxAttempts: 1,
	maxRetryDelayMs: 0,
	timeoutMs: 30_000,
};

/**
 * How to poll an ID, and how to interpret the response. `interpret` receives only successes and responses that the request's
 * `accept` allows. `subject` is the user who is expected to decide, if known.
 */
export interface PollDefinition {
	request: (id: string) => Request;
	interpret: (response: ServiceResponse, id: string, subject?: string) => PollResult;
	/** Whether `interpret` depends on the subject. If so, the same ID with another subject needs another poll. */
	dependsOnSubject?: true;
}

type InterpretResponse = (response: ServiceResponse) => PollResult | Promise<PollResult>;

/**
 * Polls one ID once; the watcher decides about retries. Failures of the service become results. The function throws only
 * other errors, such as the cancellation of the execution.
 */
export async function pollOnce(
	client: Client,
	request: Request,
	interpret: InterpretResponse,
): Promise<PollResult> {
	const result = await sendAndRead(client, request, interpret).catch(toPollResult);
	// The message may become part of an output item, and items are not redacted.
	return 'message' in result && result.message !== undefined
		? { ...result, message: redact(result.message, client.connection.secrets) }
		: result;
}

async function sendAndRead(
	client: Client,
	request: Request,
	read: InterpretResponse,
): Promise<PollResult> {
	// In response to an earlier request, the service asked for a pause. Nothing is sent until the pause ends.
	const retryAfterMs = client.remainingPauseMs(request);
	if (retryAfterMs > 0) return { kind: 'rateLimited', retryAfterMs };
	const response = await client.sendOnce(request);
	const { service, baseUrl } = client.connection;
	const failure = findFailure(response, request, service, baseUrl);
	return failure ? resultOfSinglePoll(failure, response, request, service) : await read(response);
}

function toPollResult(error: unknown): PollFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	return resultWithoutResponse(error);
}

/**
 * Returns the result of a request without a response. If n8n blocked the request, the result includes the advice: the message
 * alone does not say what to do.
 */
function resultWithoutResponse({ message, code = '', advice = '' }: ServiceFailure): PollFailure {
	if (code === BLOCKED) return { kind: 'unavailable', message: `${toSentence(message)} ${advice}` };
	return { kind: UNRECOGNIZED_CODES.has(code) ? 'unrecognized' : 'unavailable', message };
}

/**
 * Returns the poll result for a request that failed after its last attempt, as for the lists of a trigger. The failure does
 * not contain the service's explanation, so the result has no `isPermanent`.
 */
export function resultAfterRetries(failure: ServiceFailure): PollFailure {
	const { message, status, isText, retryAfterMs } = failure;
	if (status === undefined) return resultWithoutResponse(failure);
	if (status === 401 || status === 403) return { kind: 'credentialRejected', message, failure };
	if (status === 429) return { kind: 'rateLimited', message, retryAfterMs };
	if (status < 300) return { kind: 'unrecognized', message };
	// An error with a text body comes from a proxy in front of the service; such a failure is temporary.
	if (status >= 500 || isText) return { kind: 'unavailable', message, retryAfterMs };
	return status === 404 || status === 410
		? { kind: 'missing' }
		: { kind: 'failed', message, failure };
}

/**
 * Returns the poll result for a response that the request of an ID does not accept. The request accepts its 404 and 410
 * itself where they mean that the ID is missing, so here they are failures.
 */
function resultOfSinglePoll(
	failure: ServiceFailure,
	response: ServiceResponse,
	request: Request,
	service: Service,
): PollFailure {
	const { message } = failure;
	const { status, headers, kind } = response;
	const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
	const isPermanent = kind !== 'text' && service.explain(response).isPermanent;
	// `isPermanent` comes from the service's `explain`: a retry would fail whatever the status suggests, as for a suspended
	// account. Such a failure concerns all IDs until the account or credential changes, so it is handled like a rejection.
	if (status === 401 || status === 403 || isPermanent)
		return { kind: 'credentialRejected', message, failure, isPermanent };
	if (status === 429) return { kind: 'rateLimited', message, retryAfterMs };
	// A success with text instead of JSON is damaged. One that contradicts itself may be temporary, unless the service's own
	// rules make it a rejection. An error with a text comes from a proxy, and is temporary.
	const success = status >= 200 && status < 300;
	const isRejection = !isUnrecognized(response, request) && service.isFailure?.(response);
	if (success && (kind === 'text' || !isRejection)) return { kind: 'unrecognized', message };
	if (status >= 500 || kind === 'text') return { kind: 'unavailable', message, retryAfterMs };
	return { kind: 'failed', message, failure };
}
