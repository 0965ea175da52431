import { BadInput, messageWithAdvice, redact, ServiceFailure } from '../errors';
import type { PollFailure, PollResult } from '../watch';
import { parseRetryAfter } from './backoff';
import { findFailure, isUnrecognized } from './checkResponse';
import type { Client, Connection } from './client';
import { UNRECOGNIZED_CODES } from './failures';
import { BLOCKED } from './networkErrors';
import { isCredentialStatus, isGone } from './statuses';
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
	const result = await sendAndRead(client, request, interpret).catch((error: unknown) => {
		if (!(error instanceof ServiceFailure)) throw error;
		return resultWithoutResponse(error);
	});
	return withoutSecrets(result, client.connection);
}

/** The message may become part of an output item, and items are not redacted. */
const withoutSecrets = <Result extends PollResult>(
	result: Result,
	{ secrets }: Pick<Connection, 'secrets'>,
): Result =>
	'message' in result && result.message !== undefined
		? { ...result, message: redact(result.message, secrets) }
		: result;

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

/**
 * Returns the result of a request without a response. If n8n blocked the request, the result includes the advice: the message
 * alone does not say what to do.
 */
function resultWithoutResponse({ message, code = '', advice }: ServiceFailure): PollFailure {
	if (code === BLOCKED) return { kind: 'unavailable', message: messageWithAdvice(message, advice) };
	return { kind: UNRECOGNIZED_CODES.has(code) ? 'unrecognized' : 'unavailable', message };
}

/**
 * Returns the poll result for the failure of a list: invalid input, or a request that failed after its last attempt. Rethrows
 * any other error. n8n shows only the message if publishing fails, so the message includes the advice on invalid input.
 */
export function resultOfError(
	error: unknown,
	connection: Pick<Connection, 'secrets'>,
): PollFailure {
	// Invalid input, such as an ID that cannot be sent, concerns one list alone.
	if (error instanceof BadInput)
		return {
			kind: 'failed',
			message: messageWithAdvice(error.message, error.advice),
			failure: error,
		};
	if (!(error instanceof ServiceFailure)) throw error;
	return withoutSecrets(resultAfterRetries(error), connection);
}

/** Whether the service does not know what a request was about. */
export const isMissing = (error: unknown): error is ServiceFailure =>
	error instanceof ServiceFailure && resultAfterRetries(error).kind === 'missing';

/** The failure does not contain the service's explanation, so the result has no `isPermanent`. */
function resultAfterRetries(failure: ServiceFailure): PollFailure {
	const { message, status, isText, retryAfterMs } = failure;
	if (status === undefined) return resultWithoutResponse(failure);
	if (isCredentialStatus(status)) return { kind: 'credentialRejected', message, failure };
	if (status === 429) return { kind: 'rateLimited', message, retryAfterMs };
	if (status < 300) return { kind: 'unrecognized', message };
	// An error with a text body comes from a proxy in front of the service; such a failure is temporary.
	if (status >= 500 || isText) return { kind: 'unavailable', message, retryAfterMs };
	return isGone(failure) ? { kind: 'missing' } : { kind: 'failed', message, failure };
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
	if (isCredentialStatus(status) || isPermanent)
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
