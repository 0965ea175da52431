import { createHash } from 'crypto';
import { sleep } from 'n8n-workflow';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { decide, FIRST_WAIT_MS, parseRetryAfter } from './backoff';
import type { Patience, Setback } from './backoff';
import { ServiceFailure } from '../errors';
import {
	broken,
	concluded,
	failureOf,
	isHtml,
	isPage,
	POINTLESS,
	redirected,
	unreadable,
	unsent,
} from './failures';
import { queryString, readBaseUrl } from './address';
import { readBody } from './body';
import { exchange } from './exchange';
import { isPaused, pauses } from './pauses';
import { toJson } from './json';
import type { Service } from '../operation';
import { fillPath } from './path';

/** One request, before it is turned into HTTP. */
export interface Request {
	method: IHttpRequestMethods;
	/** A path template and the values of its braces. */
	path: string;
	params?: Record<string, unknown>;
	/** How messages call the path's values. */
	labels?: Record<string, string>;
	query?: Record<string, unknown>;
	/** A JSON value of any kind, sent as it is; `undefined` sends no body. */
	json?: unknown;
	/** A signed token, sent as the whole body. */
	token?: string;
	/** Whether it may be sent again after a failure of the service. */
	repeatable?: boolean;
	/** What happened if it was carried out, such as "the message went out"; for saying that this is not known. */
	effect?: string;
	/** Whether an answer that is a text and not JSON, such as a token, is welcome. */
	text?: boolean;
	/** Answers other than success that are an outcome. */
	accept?: (answer: Answer) => boolean;
}

/** An answer, read. A JSON body is parsed; anything else stays a text. */
export interface Answer {
	status: number;
	headers: Record<string, string | undefined>;
	kind: 'empty' | 'json' | 'text';
	body: unknown;
	/** The size of the body once unpacked. */
	bytes?: number;
}

/** What a service says about a refusal. */
export interface Explanation {
	/** In the service's own words. */
	message?: string;
	/** Its short code. */
	code?: string;
	/** What the user can do about it. */
	advice?: string;
	/** Whether trying again is pointless although the status suggests it. */
	permanent?: boolean;
	/** Whether an answer with a status of success leaves it open if anything was done. */
	unclear?: boolean;
}

/** How requests of one execution are sent. */
export interface Manner extends Patience {
	/** How long one request may take, to the last byte of its answer, in milliseconds. */
	timeLimitMs: number;
	/** Ends waiting and sending at once. */
	signal?: AbortSignal;
}

/** A service at one address with one credential, read once and used for many requests. */
export interface Connection {
	readonly baseUrl: string;
	readonly credential: ICredentialDataDecryptedObject;
	/** What no error may show. */
	readonly secrets: ReadonlySet<string>;
	/** Sends by the rules of trying again. Gives success and accepted answers; throws ServiceFailure or BadInput. */
	send(request: Request, manner: Manner): Promise<Answer>;
	/** Sends once and judges nothing: any answer comes back, only a broken connection throws. Heeds no pause. */
	sendOnce(request: Request, manner: Manner): Promise<Answer>;
	/** For how many milliseconds such requests must not be sent, since the service asked one of them to wait. */
	pausedFor(request: Request): number;
}

type Attempt =
	| { answer: Answer; failure?: undefined }
	| { answer?: Answer; failure: ServiceFailure; setback: Setback };

/** Reads the credential once and gives the connection that all requests share. */
export async function connect(
	context: IAllExecuteFunctions,
	service: Service,
): Promise<Connection> {
	const credential = await context.getCredentials(service.credential);
	const baseUrl = readBaseUrl(credential.baseUrl);
	const assigned = context.getNode().credentials?.[service.credential];
	const decrypted = {
		credentialsDecrypted: {
			id: assigned?.id ?? '',
			name: assigned?.name ?? '',
			type: service.credential,
			data: credential,
		},
	};
	const secrets = new Set(
		service.secrets.map((name) => credential[name]).filter((value) => typeof value === 'string'),
	);

	const credentialHash = createHash('sha256').update(JSON.stringify(credential)).digest('base64');
	/** What is limited together: each path of the service for itself, and what one person alone can be bothered with. */
	const lineOf = ({ method, path, params = {} }: Request) => {
		const alone = (service.limitedBy ?? []).filter((name) => path.includes(`{${name}}`));
		const whose = alone.map((name) => `${params[name] as string}`.trim());
		return [baseUrl, credentialHash, method, path, ...whose].join(' ');
	};

	const sendOnce: Connection['sendOnce'] = async (request, manner) => {
		const options = httpOptions(baseUrl, request, manner);
		let answer: Answer;
		try {
			const { body, ...received } = await exchange(
				async (signal) =>
					await context.helpers.httpRequestWithAuthentication.call(
						withSignal(context, signal),
						service.credential,
						{ ...options, abortSignal: signal },
						decrypted,
					),
				manner,
			);
			answer = { ...received, ...readBody(body) };
		} catch (error) {
			manner.signal?.throwIfAborted();
			throw broken(error, service, manner);
		}
		if (answer.status === 429) {
			const asked = parseRetryAfter(answer.headers['retry-after'], Date.now());
			pauses.pause(lineOf(request), asked ?? FIRST_WAIT_MS);
		}
		return answer;
	};

	/** One try: an answer to give back, or the failure and what it means for another try. */
	const attempt = async (request: Request, manner: Manner): Promise<Attempt> => {
		const answer = await sendOnce(request, manner).catch(asFailure);
		if (answer instanceof ServiceFailure) {
			return { failure: answer, setback: { permanent: POINTLESS.has(answer.code ?? '') } };
		}
		const failure = judge(answer, request, service, baseUrl);
		if (!failure) return { answer };
		const setback: Setback = {
			status: isDamaged(answer, request) ? undefined : answer.status,
			retryAfter: answer.headers['retry-after'],
			permanent: answer.kind !== 'text' && service.explain(answer).permanent,
		};
		return { answer, failure, setback };
	};

	const send: Connection['send'] = async (request, manner) => {
		const { signal, tries, longestWaitMs } = manner;
		const line = lineOf(request);
		const ticket = pauses.ticket();
		let patienceMs = tries * longestWaitMs;
		let maybeDone = false;
		for (let tried = 1; ; tried++) {
			signal?.throwIfAborted();
			const began = pauses.now();
			const patience = { longestWaitMs, until: began + patienceMs };
			const leave = await pauses.enter(line, ticket, patience, signal).catch((error: unknown) => {
				throw isPaused(error) ? unsent(error.waitMs, tried - 1, service, manner) : error;
			});
			patienceMs -= pauses.now() - began;
			let outcome: Attempt | undefined;
			try {
				outcome = await attempt(request, manner);
			} finally {
				leave(isCalm(outcome?.answer));
			}
			if (!outcome.failure) return outcome.answer;
			const { answer, failure, setback } = outcome;
			// What an earlier try deleted is gone for this one: the answer to that try was lost, not the effect.
			if (maybeDone && request.method === 'DELETE' && answer && isGone(answer)) {
				return { ...answer, status: 200, kind: 'empty', body: undefined };
			}
			maybeDone ||= failure.uncertain;
			const decision = decide(setback, tried, request.repeatable === true, manner);
			if (!decision.again) throw concluded(failure, tried, decision, request);
			// Whoever is told to slow down tells all others, and waits with them.
			if (setback.status === 429) pauses.pause(line, decision.waitMs);
			else await sleep(decision.waitMs, signal);
		}
	};

	const pausedFor: Connection['pausedFor'] = (request) => pauses.waitFor(lineOf(request));

	return { baseUrl, credential, secrets, send, sendOnce, pausedFor };
}

/** Whether an answer, of whatever kind, shows a service that has nothing against being asked. */
const isCalm = (answer: Answer | undefined) =>
	answer !== undefined && answer.status !== 429 && answer.status < 500;

/** A text is from something that stands before the service, and knows nothing of what the service holds. */
const isGone = ({ status, kind }: Answer) => (status === 404 || status === 410) && kind !== 'text';

/** n8n puts the signal of the execution in place of ours, wherever it finds one: so it finds ours. */
const withSignal = (context: IAllExecuteFunctions, signal: AbortSignal): IAllExecuteFunctions =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } });

function asFailure(error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	throw error;
}

/** Gives the failure that an answer stands for, or nothing if it is a success or an accepted outcome. */
export function judge(
	answer: Answer,
	request: Request,
	service: Service,
	baseUrl: string,
): ServiceFailure | undefined {
	if (request.accept?.(answer)) return undefined;
	const { status } = answer;
	if (status >= 300 && status < 400) {
		const path = fillPath(request.path, request.params ?? {});
		return redirected(answer, service, baseUrl + path, path);
	}
	if (status < 200 || status >= 300) return failureOf(answer, service);
	if (request.method === 'HEAD' && isHtml(answer)) return unreadable(answer, service, true);
	if (answer.kind === 'text')
		return request.text && !isPage(answer) ? undefined : failureOf(answer, service);
	if (isDamaged(answer, request)) return unreadable(answer, service);
	return service.refuses?.(answer) ? failureOf(answer, service) : undefined;
}

/**
 * Whether an answer calls itself a success and holds nothing that could be one: a text that is no page, or, where a record or
 * a list was asked for, neither of them. What reads nothing must not look as if there were nothing.
 */
export function isDamaged(answer: Answer, { method, repeatable }: Request): boolean {
	const { status, kind, body } = answer;
	if (status >= 300 || status === 204) return false;
	if (kind === 'text') return !isPage(answer);
	const reads = method === 'GET' || (method === 'POST' && repeatable === true);
	return reads && !couldBeRead(body);
}

/** Whether a body can be a record or a list of records; a list may be empty, but not hold anything else instead. */
function couldBeRead(body: unknown): boolean {
	if (!Array.isArray(body)) return typeof body === 'object' && body !== null;
	return (
		body.length === 0 ||
		body.some((entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry))
	);
}

function httpOptions(baseUrl: string, request: Request, manner: Manner): IHttpRequestOptions {
	const path = fillPath(request.path, request.params ?? {}, request.labels);
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
		url: baseUrl + path + query,
		headers,
		body,
		encoding: 'stream',
		timeout: manner.timeLimitMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}
