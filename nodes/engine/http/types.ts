import type { ICredentialDataDecryptedObject, IHttpRequestMethods } from 'n8n-workflow';

import type { RetryLimits } from './backoff';
import type { PathSegment } from './path';
import type { RecordKind } from './records';

/** Number of the first page of a list; `detect` if it is not known in advance. */
export type FirstPage = 'detect' | 0 | 1;

/** Properties of a service that sending requests depends on. */
export interface Service {
	/** Name for messages, after "the". */
	name: string;
	/** Name of the credential type. */
	credentialType: string;
	/** Names of the credential's fields whose values must never be shown. */
	secretFields: readonly string[];
	/** Advice on a rejected credential, if fields other than the key can make the service reject it. */
	credentialAdvice?: string;
	/** Reads the service's own error body. `request` is the request that the response answers, if known. */
	explain: (response: ServiceResponse, request?: Partial<Request>) => Explanation;
	/** Whether a response with a success status is an error. */
	isFailure?: (response: ServiceResponse) => boolean;
	/** Path parameters with a rate limit per value, such as a person's ID: a pause for one value does not apply to the others. */
	rateLimitedParams?: readonly string[];
	/**
	 * Path parameters that name what the workflow is set up for, such as an event. A 404 about one of these values concerns
	 * the node, not the item.
	 */
	configurationParams?: readonly string[];
	/** Whether errors never quote sent values, because requests contain codes and any data that the user adds. */
	hidesSentValues?: true;
	/** Returns the number of the first page of a list; 1 by default. */
	firstPage?: (credential: ICredentialDataDecryptedObject) => FirstPage;
}

/** One request to a service, independent of n8n's request options. */
export interface Request {
	method: IHttpRequestMethods;
	/** Path template, with placeholders in braces that `params` fills. */
	path: string;
	params?: Record<string, PathSegment>;
	query?: Record<string, unknown>;
	/** Path and query below the base URL, from a link of the service. Replaces those of `path` and `query`. */
	link?: string;
	/** Any JSON value, sent as the body; `undefined` sends no body. */
	json?: unknown;
	/** Signed token, sent as the whole body in place of `json`. */
	token?: string;
	/** Whether the request is idempotent, so that the client may retry it even if the service may have carried it out. */
	idempotent?: boolean;
	/** Effect of the request, such as "the message went out". The error names it if it is unclear whether it happened. */
	effect?: string;
	/**
	 * Content that a success must have: exactly one record, a list, or content of any shape. If the path ends in an ID, the
	 * record must have that ID. A success without the content is a failure; a write may have been carried out. `inspected`
	 * means that the caller checks the contents, with messages of its own.
	 */
	requiredContent?: 'record' | 'list' | 'content' | 'inspected';
	/** Whether the record with the ID in the path may be in a member of any name. Decisions and merges read it by its place. */
	mayBeWrapped?: true;
	/** Returns the ID of a record in the response. */
	identify?: RecordKind['identify'];
	/** Whether a success can be what was requested. Any other counts as damaged, so a retry may help. */
	isRecognized?: (response: ServiceResponse) => boolean;
	/** Whether to return a response that would otherwise be a failure. */
	accept?: (response: ServiceResponse) => boolean;
}

/** Response of a service with its body read: JSON is parsed, anything else stays text. */
export type ServiceResponse = ResponseBody & {
	status: number;
	headers: Record<string, string | undefined>;
	/** Size of the body after decompression. */
	bytes?: number;
};

export type ResponseBody =
	| { kind: 'empty'; body?: undefined }
	| { kind: 'json'; body: unknown }
	| { kind: 'text'; body: string };

/** Details of an error, from the service's response. */
export interface Explanation {
	/** The service's own message. */
	message?: string;
	/** The service's error code. */
	code?: string;
	/** Advice for the user. */
	advice?: string;
	/** Names of the fields that the service rejects, as in its response. The message then quotes their values. */
	fields?: string[];
	/** Whether a retry would fail although the status suggests one. */
	isPermanent?: boolean;
	/** Whether a response with a success status leaves open whether the request was carried out. */
	isUncertain?: boolean;
}

/** Numbers about the requests of one run. */
export interface RequestStats {
	/** Requests sent, retries included. */
	requests: number;
	retries: number;
	/** Time spent waiting because a service limits the rate. */
	pausedMs: number;
}

/** Options for sending requests. */
export interface SendOptions extends RetryLimits {
	/** Timeout of one attempt, to the last byte of its response, in milliseconds. */
	timeoutMs: number;
	/** Aborts waiting and sending at once. */
	signal?: AbortSignal;
	/** Called when the service rejects a request with 429 and the client will retry it. */
	onRateLimited?: () => void;
	/** Counts what the client does. */
	stats?: RequestStats;
	/** Resolves when the client may process a response. It spaces out the processing of responses that arrive together. */
	eventLoopGate?: () => Promise<void>;
}
