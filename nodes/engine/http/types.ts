import type { ICredentialDataDecryptedObject, IHttpRequestMethods } from 'n8n-workflow';

import type { RetryLimits } from './backoff';

/** The number of the first page of a list: known, or to be found out. */
export type FirstPage = 'detect' | 0 | 1;

/** What an exchange with a service must know of it. */
export interface Service {
	/** How messages name it, for example "toy service". */
	name: string;
	/** The name of the credential type. */
	credential: string;
	/** The names of the credential's fields that must never be shown. */
	secrets: readonly string[];
	/** Reads the service's own error body. */
	explain: (answer: Answer) => Explanation;
	/** Tells a refusal that comes with a status of success. */
	refuses?: (answer: Answer) => boolean;
	/** Path values that the service limits apart, such as one person's: a pause for one of them is none for the others. */
	limitedBy?: readonly string[];
	/** The number of the first page of a list; 1 where the service leaves no doubt. */
	firstPage?: (credential: ICredentialDataDecryptedObject) => FirstPage;
}

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
	/** Whether a success holds what was asked for; one that does not is damaged, and worth another try. */
	expects?: (answer: Answer) => boolean;
	/** What a read asks for: exactly one record, or content of any shape. A success without it is an error. */
	wants?: 'record' | 'content';
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

/** How requests are sent. */
export interface SendOptions extends RetryLimits {
	/** How long one request may take, to the last byte of its answer, in milliseconds. */
	timeLimitMs: number;
	/** Ends waiting and sending at once. */
	signal?: AbortSignal;
	/** Hears that the service asked to slow down. */
	slowedDown?: () => void;
	/** Says when an answer may be taken up, where many come together. */
	inTurn?: () => Promise<void>;
}
