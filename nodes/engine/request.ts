import { sleep } from 'n8n-workflow';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { decide } from './backoff';
import type { Patience, Setback } from './backoff';
import { BadInput, ServiceFailure } from './errors';
import {
	broken,
	concluded,
	failureOf,
	isHtml,
	isPage,
	redirected,
	unreadable,
	UNSENDABLE,
} from './failures';
import { toJson } from './json';
import type { Service } from './operation';
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
	/** How long to wait for one answer, in milliseconds. */
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
	/** Sends once and judges nothing: any answer comes back, only a broken connection throws. */
	sendOnce(request: Request, manner: Manner): Promise<Answer>;
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

	const sendOnce: Connection['sendOnce'] = async (request, manner) => {
		const options = httpOptions(baseUrl, request, manner);
		try {
			const response = await context.helpers.httpRequestWithAuthentication.call(
				context,
				service.credential,
				options,
				decrypted,
			);
			return { ...readBody(response.body), status: response.statusCode, headers: response.headers };
		} catch (error) {
			manner.signal?.throwIfAborted();
			throw broken(error, service, manner);
		}
	};

	/** One try: an answer to give back, or the failure and what it means for another try. */
	const attempt = async (request: Request, manner: Manner): Promise<Attempt> => {
		const answer = await sendOnce(request, manner).catch(asFailure);
		if (answer instanceof ServiceFailure) {
			return { failure: answer, setback: { permanent: answer.code === UNSENDABLE } };
		}
		const failure = judge(answer, request, service, baseUrl);
		if (!failure) return { answer };
		const damaged = answer.status < 300 && answer.kind === 'text' && !isPage(answer);
		const setback: Setback = {
			status: damaged ? undefined : answer.status,
			retryAfter: answer.headers['retry-after'],
			permanent: answer.kind !== 'text' && service.explain(answer).permanent,
		};
		return { answer, failure, setback };
	};

	const send: Connection['send'] = async (request, manner) => {
		let maybeDone = false;
		for (let tried = 1; ; tried++) {
			manner.signal?.throwIfAborted();
			const outcome = await attempt(request, manner);
			if (!outcome.failure) return outcome.answer;
			const { answer, failure, setback } = outcome;
			// What an earlier try deleted is gone for this one: the answer to that try was lost, not the effect.
			if (maybeDone && request.method === 'DELETE' && answer && isGone(answer)) {
				return { ...answer, status: 200, kind: 'empty', body: undefined };
			}
			maybeDone ||= failure.uncertain;
			const decision = decide(setback, tried, request.repeatable === true, manner);
			if (!decision.again) throw concluded(failure, tried, decision, request);
			await sleep(decision.waitMs, manner.signal);
		}
	};

	return { baseUrl, credential, secrets, send, sendOnce };
}

/** A text is from something that stands before the service, and knows nothing of what the service holds. */
const isGone = ({ status, kind }: Answer) => (status === 404 || status === 410) && kind !== 'text';

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
	return service.refuses?.(answer) ? failureOf(answer, service) : undefined;
}

/** Takes a base address with a trailing slash or none, and says what is wrong with one that is not an address. */
export function readBaseUrl(given: unknown): string {
	const text = typeof given === 'string' ? given.trim() : '';
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
		throw new BadInput(
			text
				? 'The base address in the credential is not a web address'
				: 'The credential has no base address',
			'Open the credential and put in the address of the service, for example https://api.example.com',
		);
	}
	return text.replace(/\/+$/, '');
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
		encoding: 'text',
		timeout: manner.timeLimitMs,
		abortSignal: manner.signal,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

function queryString(query: Record<string, unknown>): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined && value !== null && value !== '') search.append(name, `${value}`);
	}
	const text = search.toString();
	return text && `?${text}`;
}

/** Reads a raw body: JSON where it is JSON, a text otherwise. */
export function readBody(raw: unknown): Pick<Answer, 'kind' | 'body'> {
	if (raw === undefined || raw === null || raw === '') return { kind: 'empty', body: undefined };
	if (typeof raw !== 'string') return { kind: 'json', body: raw };
	try {
		return { kind: 'json', body: JSON.parse(raw) };
	} catch {
		return raw.trim() === '' ? { kind: 'empty', body: undefined } : { kind: 'text', body: raw };
	}
}
