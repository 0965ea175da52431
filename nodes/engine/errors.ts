import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure, INode } from 'n8n-workflow';

import { adviceForAgent } from './asTool';
import { namesItem } from './n8n/errorNames';
import { isTool } from './n8n/toolVariants';

/** Input that cannot be sent; nothing was. The advice says what to do about it. */
export class BadInput extends Error {
	constructor(
		message: string,
		readonly advice?: string,
	) {
		super(message);
		this.name = 'BadInput';
	}
}

/** A request that did not succeed, in words for the user. Holds nothing of the request itself. */
export class ServiceFailure extends Error {
	readonly advice?: string;
	/** The status of the answer; absent when there was none. */
	readonly status?: number;
	/** The service's own short code for what is wrong. */
	readonly code?: string;
	/** Whether the request may have been carried out all the same. */
	readonly uncertain: boolean;
	/** How long the service asks to wait, in milliseconds. */
	readonly retryAfterMs?: number;
	/** The error body, for operations that read more out of it. */
	readonly body?: unknown;

	constructor(
		message: string,
		details: {
			advice?: string;
			status?: number;
			code?: string;
			uncertain?: boolean;
			retryAfterMs?: number;
			body?: unknown;
		} = {},
	) {
		super(message);
		this.name = 'ServiceFailure';
		this.advice = details.advice;
		this.status = details.status;
		this.code = details.code;
		this.uncertain = details.uncertain === true;
		this.retryAfterMs = details.retryAfterMs;
		// Not enumerable, so that it never travels into logs or execution data along with the error.
		Object.defineProperty(this, 'body', { value: details.body, enumerable: false });
	}
}

/** Ends a text with one mark of punctuation, whatever a service put there. */
export function toSentence(text: string): string {
	const words = text.trim().replace(/\.+$/, '');
	return /[!?]$/.test(words) ? words : `${words}.`;
}

/** Replaces every secret in a text, with or without the blanks around it: it is sent without them. */
export function redact(text: string, secrets: Iterable<string>): string {
	let redacted = text;
	for (const given of secrets) {
		const secret = given.trim();
		if (secret.length < 4) continue;
		for (const form of new Set([
			secret,
			encodeURIComponent(secret),
			JSON.stringify(secret).slice(1, -1),
		])) {
			redacted = redacted.split(form).join('•••');
		}
	}
	return redacted;
}

/** Says which item a message is about, as n8n writes it: counted from 0. */
const withItemIndex = (message: string, index: number) =>
	namesItem(message) ? message : `${message} [item ${index}]`;

/**
 * Makes one clear n8n error of any failure. It names its item where that is one of many. It carries neither what was sent nor
 * what was caught, and of the node only what n8n needs to show it, since parameters can hold secrets.
 */
export function toNodeError(
	node: INode,
	failure: unknown,
	itemIndex: number | undefined,
	secrets: Iterable<string> = [],
	{ isOneOfMany = false } = {},
): NodeApiError | NodeOperationError {
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) return failure;
	const nodeWithoutParameters: INode = { ...node, parameters: {} };
	const clean = (text?: string) => (text === undefined ? undefined : redact(text, secrets));
	const { message: said, advice: given } = messageAndAdviceOf(failure);
	const text = isOneOfMany && itemIndex !== undefined ? withItemIndex(said, itemIndex) : said;
	// Many agents get nothing but the message. For others n8n adds the advice to it, unless the same words stand there.
	const advice = clean(given && isTool(node) ? adviceForAgent(given) : given);
	const message = isTool(node) ? withAdvice(clean(text)!, advice) : clean(text)!;
	if (failure instanceof ServiceFailure) {
		return new NodeApiError(
			nodeWithoutParameters,
			{ message },
			{
				message,
				description: advice ?? '',
				httpCode: failure.status === undefined ? undefined : `${failure.status}`,
				itemIndex,
				failure: n8nFailureOf(failure),
			},
		);
	}
	return new NodeOperationError(nodeWithoutParameters, message, { description: advice, itemIndex });
}

/** Our codes for a service that gave no answer and may come back. */
const NO_RESPONSE_CODES = new Set(['TIMEOUT', 'UNREACHABLE', 'BROKEN']);

/** Why a request failed, in the words that n8n has for it; a version that has none passes over them. */
function n8nFailureOf({
	status,
	code,
	uncertain,
	retryAfterMs,
}: ServiceFailure): Failure | undefined {
	if (status === 429) {
		return { cause: 'rate-limited', ...(retryAfterMs !== undefined && { retryAfterMs }) };
	}
	if (status === 401) return { cause: 'credential-invalid' };
	// What a service says will never work is no weather.
	const isDown =
		status === undefined ? NO_RESPONSE_CODES.has(code ?? '') : status >= 500 && uncertain;
	return isDown ? { cause: 'temporarily-unavailable' } : undefined;
}

/** What a failure says, and what to do about it. */
function messageAndAdviceOf(failure: unknown): { message: string; advice?: string } {
	if (failure instanceof ServiceFailure || failure instanceof BadInput) return failure;
	return {
		message: failure instanceof Error ? failure.message : 'Something unexpected went wrong',
	};
}

/** A message with its advice behind it, once. */
const withAdvice = (message: string, advice = ''): string =>
	advice.trim() === '' || message.endsWith(advice) ? message : `${toSentence(message)} ${advice}`;
