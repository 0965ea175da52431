import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure, INode } from 'n8n-workflow';

import { adviceForAgent } from './adviceForAgent';
import { maskEncodedSecrets } from './encodedSecrets';
import { namesItem } from './n8n/errorNames';
import { isTool } from './n8n/toolVariants';

/** What went wrong and, if known, what the user can do. */
export interface Problem {
	message: string;
	advice?: string;
}

/** Invalid input; nothing was sent. `advice` tells the user how to fix it. */
export class BadInput extends Error {
	constructor(
		message: string,
		readonly advice?: string,
	) {
		super(message);
		this.name = 'BadInput';
	}
}

/** A cause that the service states: the resource that the node is configured for no longer exists, or a quota is used up. */
type StatedCause = Extract<Failure['cause'], 'configuration-invalid' | 'quota-exhausted'>;

type FailureDetails = Partial<
	Pick<
		ServiceFailure,
		'advice' | 'status' | 'code' | 'uncertain' | 'retryAfterMs' | 'statedCause' | 'isText' | 'body'
	>
>;

/** A failed request, with a message for the user. Contains no data of the request, which may hold secrets. */
export class ServiceFailure extends Error {
	readonly advice?: string;
	/** The status of the response; missing if no response arrived. */
	readonly status?: number;
	/** The service's error code. Without a readable response, one of our own codes. */
	readonly code?: string;
	/** Whether the service may have executed the request despite the failure. */
	readonly uncertain: boolean;
	/** The delay that the service asks for before the next request. */
	readonly retryAfterMs?: number;
	/** Why the request failed, if the service's response shows it and the status does not. */
	readonly statedCause?: StatedCause;
	/** Whether the response was text and not JSON. Text comes from a proxy and is not a statement of the service. */
	readonly isText: boolean;
	/** The response body, for operations that read details from it. */
	readonly body?: unknown;

	constructor(message: string, details: FailureDetails = {}) {
		super(message);
		this.name = 'ServiceFailure';
		this.advice = details.advice;
		this.status = details.status;
		this.code = details.code;
		this.uncertain = details.uncertain === true;
		this.retryAfterMs = details.retryAfterMs;
		this.statedCause = details.statedCause;
		this.isText = details.isText === true;
		// Not enumerable: n8n must not write the body to logs or execution data together with the error.
		Object.defineProperty(this, 'body', { value: details.body, enumerable: false });
	}

	/** Returns a copy with another message or other details. A hand-written copy would miss details that are added later. */
	with({
		message = this.message,
		...changes
	}: FailureDetails & { message?: string }): ServiceFailure {
		return new ServiceFailure(message, { ...this, body: this.body, ...changes });
	}
}

/** Ends a text with one full stop, unless it ends with ! or ?. Texts of services end with no full stop or with several. */
export function toSentence(text: string): string {
	const sentence = text.trim().replace(/\.+$/, '');
	return /[!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Shorter secrets would match parts of ordinary words. */
const MIN_SECRET_LENGTH = 4;

const MASK = '•••';

/** Longer texts are cut: a response may have 50 MB, and the search for encoded secrets would block n8n for long. */
const MAX_TEXT_LENGTH = 100_000;

/**
 * Replaces every secret in a text, whether it is there verbatim or encoded. Secrets are trimmed first, because they are also
 * trimmed before they are sent. Secrets with fewer than four characters are skipped.
 */
export function redact(text: string, secrets: Iterable<string>): string {
	const trimmed = [...secrets]
		.map((secret) => secret.trim())
		.filter(({ length }) => length >= MIN_SECRET_LENGTH);
	let redacted = text;
	// Longest first: a secret may contain another one.
	for (const secret of trimmed.sort((a, b) => b.length - a.length)) {
		// The form in JSON has an exact match, too: it is the most frequent one, and other text may surround it.
		for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) {
			redacted = redacted.replaceAll(form, MASK);
		}
	}
	if (redacted.length > MAX_TEXT_LENGTH) {
		// Cut at a blank, so that no encoded secret is cut in two.
		redacted = `${redacted.slice(0, redacted.lastIndexOf(' ', MAX_TEXT_LENGTH) + 1)}…`;
	}
	return maskEncodedSecrets(redacted, trimmed, MASK, MIN_SECRET_LENGTH);
}

/** Puts the name of the row before a message, unless the message names the row or n8n has named the item in it. */
const withRow = (message: string, row: string | undefined) =>
	row === undefined || message.includes(row) || namesItem(message) ? message : `${row}: ${message}`;

/**
 * Converts a failure to an n8n error with secrets redacted; an n8n error is returned unchanged. The message begins with `row`,
 * the name of the item, and includes the advice where n8n shows the message alone. `note` is a sentence about the other
 * items. The request, the caught error and the node's parameters can hold secrets, so the n8n error contains none of the
 * three.
 */
export function toNodeError(
	node: INode,
	failure: unknown,
	itemIndex: number | undefined,
	secrets: Iterable<string> = [],
	{
		row,
		adviceInMessage = isTool(node),
		note,
	}: { row?: string; adviceInMessage?: boolean; note?: string } = {},
): NodeApiError | NodeOperationError {
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) return failure;
	const nodeWithoutParameters: INode = { ...node, parameters: {} };
	const clean = (text?: string) => (text === undefined ? undefined : redact(text, secrets));
	const { message: ownMessage, advice } = messageAndAdviceOf(failure);
	const adviceWithNote = note === undefined ? advice : withNote(advice, note);
	const text = withRow(ownMessage, row);
	// Many agents receive only the message, so the message includes the advice. For the other agents n8n 2.41.1 appends the
	// description, unless the message already contains it (n8n-core, get-input-connection-data.js).
	const description = clean(
		adviceWithNote && isTool(node) ? adviceForAgent(adviceWithNote) : adviceWithNote,
	);
	const message = adviceInMessage ? messageWithAdvice(clean(text)!, description) : clean(text)!;
	if (failure instanceof ServiceFailure) {
		return new NodeApiError(
			nodeWithoutParameters,
			{ message },
			{
				message,
				description: description ?? '',
				httpCode: failure.status === undefined ? undefined : `${failure.status}`,
				itemIndex,
				failure: n8nFailureOf(failure),
			},
		);
	}
	return new NodeOperationError(nodeWithoutParameters, message, { description, itemIndex });
}

/** Codes of possibly temporary failures in which no response arrived. */
const NO_RESPONSE_CODES = new Set(['TIMEOUT', 'UNREACHABLE', 'BROKEN']);

/** Returns n8n's classification of a failure. Versions of n8n that do not know `failure` ignore it. */
function n8nFailureOf({
	status,
	code,
	uncertain,
	retryAfterMs,
	statedCause,
}: ServiceFailure): Failure | undefined {
	if (statedCause !== undefined) return { cause: statedCause };
	if (status === 429) {
		return { cause: 'rate-limited', ...(retryAfterMs !== undefined && { retryAfterMs }) };
	}
	if (status === 401) return { cause: 'credential-invalid' };
	// `toFailure` marks every 5xx as `uncertain`, except one that the service declares permanent. A permanent 5xx is a
	// rejection, not an outage.
	const isDown =
		status === undefined ? NO_RESPONSE_CODES.has(code ?? '') : status >= 500 && uncertain;
	return isDown ? { cause: 'temporarily-unavailable' } : undefined;
}

function messageAndAdviceOf(failure: unknown): Problem {
	if (failure instanceof ServiceFailure || failure instanceof BadInput) return failure;
	// The error may come from any code, and its message need not be a text.
	const message: unknown = failure instanceof Error ? failure.message : undefined;
	return {
		message:
			typeof message === 'string' && message !== '' ? message : 'Something unexpected went wrong',
	};
}

/** Appends a note about other items to the advice on one item. "Nothing was sent" must not seem to mean all items. */
const withNote = (advice = '', note: string): string =>
	`${advice.replace(/\b(nothing was sent)\b/i, '$1 for this item')} ${note}`.trim();

/** Appends the advice to a message, unless the message ends with it. */
export const messageWithAdvice = (message: string, advice = ''): string =>
	advice.trim() === '' || message.endsWith(advice) ? message : `${toSentence(message)} ${advice}`;
