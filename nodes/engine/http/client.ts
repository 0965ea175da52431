import { createHash } from 'crypto';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { BadInput, ServiceFailure } from '../errors';
import { withSignal } from '../n8n/requestSignal';
import { sleep } from '../sleep';
import { queryString, readBaseUrl } from './address';
import { decideRetry, INITIAL_RETRY_DELAY_MS, parseRetryAfter } from './backoff';
import type { FailedAttempt } from './backoff';
import { readBody } from './body';
import { findFailure, isUnrecognized, withoutWrapper } from './checkResponse';
import { exchange } from './exchange';
import type { StreamedResponse } from './exchange';
import { NOT_RETRYABLE, pausedFailure, transportFailure, withRetryNotes } from './failures';
import { toJson } from './json';
import { fillPath } from './path';
import { isPauseTooLong, pauses } from './pauses';
import { withRateLimit } from './rateLimit';
import { isGone } from './statuses';
import type { ServiceResponse, Request, SendOptions, Service } from './types';

/** A service at one base URL with one credential, read once and used for many requests. */
export interface Connection {
	readonly service: Service;
	readonly baseUrl: string;
	readonly credential: ICredentialDataDecryptedObject;
	/** Values that no error may show. */
	readonly secrets: ReadonlySet<string>;
	/** Identifies the account that rate limits apply to: the base URL and a hash of the credential. */
	readonly accountKey: string;
	/** Sends one request through a helper of n8n, with the credential's authentication. */
	readonly transmit: (
		options: IHttpRequestOptions,
		signal: AbortSignal,
	) => Promise<StreamedResponse>;
}

/** Creates a connection from a credential and a function that transmits requests. */
export function connectionOf(
	service: Service,
	credential: ICredentialDataDecryptedObject,
	transmit: Connection['transmit'],
): Connection {
	const baseUrl = readBaseUrl(credential.baseUrl);
	requireApiKey(service, credential);
	const secrets = service.secretFields
		.map((name) => credential[name])
		.filter((value) => typeof value === 'string');
	const hash = createHash('sha256').update(JSON.stringify(credential)).digest('base64');
	const accountKey = `${baseUrl} ${hash}`;
	return { service, baseUrl, credential, secrets: new Set(secrets), accountKey, transmit };
}

/** Throws if the key is empty: services answer with a message about a rejected key. */
function requireApiKey({ secretFields }: Service, { apiKey }: ICredentialDataDecryptedObject) {
	if (!secretFields.includes('apiKey') || (typeof apiKey === 'string' && apiKey.trim() !== ''))
		return;
	throw new BadInput(
		"'API Key' in the credential is empty",
		'Enter the key that the provider of the service gave you. Nothing was sent.',
	);
}

/** Reads the node's credential once and returns the connection that all its requests share. */
export async function connect(
	context: IAllExecuteFunctions,
	service: Service,
): Promise<Connection> {
	const credential = await context.getCredentials(service.credentialType);
	const assigned = context.getNode().credentials?.[service.credentialType];
	const decrypted = {
		credentialsDecrypted: {
			id: assigned?.id ?? '',
			name: assigned?.name ?? '',
			type: service.credentialType,
			data: credential,
		},
	};
	return connectionOf(
		service,
		credential,
		async (options, signal) =>
			await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, signal),
				service.credentialType,
				{
					...options,
					abortSignal: signal,
					skipSslCertificateValidation: ignoresCertificate(credential),
				},
				decrypted,
			),
	);
}

/** Whether TLS certificates are not verified. For credentials saved before the option existed, they are. */
export const ignoresCertificate = ({ ignoreSslIssues }: ICredentialDataDecryptedObject) =>
	ignoreSslIssues === true;

type AttemptResult =
	| { response: ServiceResponse; failure?: undefined }
	| { response?: ServiceResponse; failure: ServiceFailure; failedAttempt: FailedAttempt };

const SHORT_LIMIT_MS = 10_000;

/** Sends requests over a connection, all with the same options. */
export class Client {
	constructor(
		readonly connection: Connection,
		readonly options: SendOptions,
	) {}

	/** Returns a client for the same connection with some options replaced. */
	with(options: Partial<SendOptions>): Client {
		return new Client(this.connection, { ...this.options, ...options });
	}

	/** Returns a client that soon gives up, for optional reads: no user must wait long for one. */
	withShortLimits(): Client {
		const { maxAttempts, timeoutMs, maxRetryDelayMs } = this.options;
		return this.with({
			maxAttempts: Math.min(maxAttempts, 2),
			timeoutMs: Math.min(timeoutMs, SHORT_LIMIT_MS),
			maxRetryDelayMs: Math.min(maxRetryDelayMs, SHORT_LIMIT_MS),
		});
	}

	/**
	 * Sends a request, with retries. Returns a success or a response that the request accepts; throws ServiceFailure or BadInput,
	 * or the signal's reason.
	 */
	async send(request: Request): Promise<ServiceResponse> {
		const { signal, maxAttempts, maxRetryDelayMs } = this.options;
		const { service } = this.connection;
		const queueKey = this.queueKeyOf(request);
		const ticket = pauses.ticket();
		let waitBudgetMs = maxAttempts * maxRetryDelayMs;
		let mayHaveSucceeded = false;
		for (let attempt = 1; ; attempt++) {
			signal?.throwIfAborted();
			const startedAt = pauses.now();
			const limits = { maxRetryDelayMs, until: startedAt + waitBudgetMs };
			const release = await pauses
				.enter(queueKey, ticket, limits, signal)
				.catch((error: unknown) => {
					throw isPauseTooLong(error)
						? pausedFailure(error.waitMs, attempt - 1, service, this.options)
						: error;
				});
			const pausedMs = pauses.now() - startedAt;
			waitBudgetMs -= pausedMs;
			if (this.options.stats) this.options.stats.pausedMs += pausedMs;
			let result: AttemptResult | undefined;
			try {
				result = await this.attempt(request);
			} finally {
				release(isHealthy(result?.response));
			}
			if (!result.failure) return result.response;
			const { response, failure, failedAttempt } = result;
			// An earlier attempt whose response was lost may have deleted the record. "Not found" is then a success.
			if (mayHaveSucceeded && request.method === 'DELETE' && response && isGone(response)) {
				return { ...response, status: 200, kind: 'empty', body: undefined };
			}
			mayHaveSucceeded ||= failure.uncertain;
			const decision = decideRetry(
				failedAttempt,
				attempt,
				request.idempotent === true,
				this.options,
			);
			if (!decision.shouldRetry) throw withRetryNotes(failure, attempt, decision, request);
			if (this.options.stats) this.options.stats.retries++;
			// All requests under the same limit wait for this pause, and this request waits in their queue. It extends the pause
			// that `sendOnce` has begun, because the delay grows with each attempt.
			if (failedAttempt.status === 429) {
				this.options.onRateLimited?.();
				pauses.pause(queueKey, decision.waitMs);
			} else await sleep(decision.waitMs, signal);
		}
	}

	/**
	 * Sends a request once, without waiting for a pause. Returns a response of any status. Throws ServiceFailure if no
	 * response arrives, BadInput, or the signal's reason. A 429 starts a pause for the requests that `send` sends.
	 */
	async sendOnce(request: Request): Promise<ServiceResponse> {
		const { baseUrl, service, transmit } = this.connection;
		const options = httpOptions(baseUrl, request, this.options);
		let response: ServiceResponse;
		if (this.options.stats) this.options.stats.requests++;
		try {
			const { body, ...received } = await exchange(
				async (signal) => await transmit(options, signal),
				this.options,
			);
			await this.options.eventLoopGate?.();
			response = withRateLimit({ ...received, ...readBody(body) }, Date.now());
		} catch (error) {
			this.options.signal?.throwIfAborted();
			throw transportFailure(error, service, this.options);
		}
		if (response.status === 429) {
			const retryAfterMs = parseRetryAfter(response.headers['retry-after'], Date.now());
			pauses.pause(this.queueKeyOf(request), retryAfterMs ?? INITIAL_RETRY_DELAY_MS);
		}
		return response;
	}

	/** Returns how many milliseconds remain of the service's pause that applies to this request; 0 without a pause. */
	remainingPauseMs(request: Request): number {
		return pauses.remainingPauseMs(this.queueKeyOf(request));
	}

	/** Makes one attempt. Returns the response, or the failure and the facts that decide on a retry. */
	private async attempt(request: Request): Promise<AttemptResult> {
		const { service, baseUrl } = this.connection;
		const received = await this.sendOnce(request).catch(returnServiceFailure);
		if (received instanceof ServiceFailure) {
			return {
				failure: received,
				failedAttempt: { isPermanent: NOT_RETRYABLE.has(received.code ?? '') },
			};
		}
		const response = withoutWrapper(received, request);
		const failure = findFailure(response, request, service, baseUrl);
		if (!failure) return { response };
		const failedAttempt: FailedAttempt = {
			status: isUnrecognized(response, request) ? undefined : response.status,
			retryAfter: response.headers['retry-after'],
			isPermanent: response.kind !== 'text' && service.explain(response).isPermanent,
		};
		return { response, failure, failedAttempt };
	}

	/**
	 * Returns the key that requests under the same rate limit share: account, method and path template, plus the path values
	 * that the service limits separately, such as a person's ID.
	 */
	private queueKeyOf({ method, path, params = {} }: Request): string {
		const { accountKey, service } = this.connection;
		const { rateLimitedParams = [] } = service;
		const limitNames = rateLimitedParams.filter((name) => path.includes(`{${name}}`));
		const limitValues = limitNames.map((name) => params[name]);
		return [accountKey, method, path, ...limitValues].join(' ');
	}
}

/** Whether a response, even an error, shows that the service is neither rate-limited nor unavailable. */
const isHealthy = (response: ServiceResponse | undefined) =>
	response !== undefined && response.status !== 429 && response.status < 500;

function returnServiceFailure(error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	throw error;
}

function httpOptions(
	baseUrl: string,
	request: Request,
	{ timeoutMs }: SendOptions,
): IHttpRequestOptions {
	const path = fillPath(request.path, request.params ?? {});
	const query = queryString(request.query ?? {});
	const headers: Record<string, string> = {
		Accept: 'application/json, application/jwt;q=0.9, */*;q=0.1',
	};
	let body: string | undefined;
	if (request.token !== undefined) {
		headers['Content-Type'] = 'application/jwt';
		body = request.token;
	} else if (request.json !== undefined) {
		headers['Content-Type'] = 'application/json';
		body = toJson(request.json);
	}
	return {
		method: request.method,
		url: baseUrl + (request.link ?? path + query),
		headers,
		body,
		encoding: 'stream',
		timeout: timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}
