import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

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
	/** The error body, for operations that read more out of it. */
	readonly body?: unknown;

	constructor(
		message: string,
		details: {
			advice?: string;
			status?: number;
			code?: string;
			uncertain?: boolean;
			body?: unknown;
		} = {},
	) {
		super(message);
		this.name = 'ServiceFailure';
		this.advice = details.advice;
		this.status = details.status;
		this.code = details.code;
		this.uncertain = details.uncertain === true;
		// Not enumerable, so that it never travels into logs or execution data along with the error.
		Object.defineProperty(this, 'body', { value: details.body, enumerable: false });
	}
}

/** Ends a text with one mark of punctuation, whatever a service put there. */
export function sentence(text: string): string {
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

/**
 * Makes one clear n8n error of any failure. It carries neither what was sent nor what was caught, and of the node only
 * what n8n needs to show it, since parameters can hold secrets.
 */
export function toNodeError(
	node: INode,
	failure: unknown,
	itemIndex: number | undefined,
	secrets: Iterable<string> = [],
): NodeApiError | NodeOperationError {
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) return failure;
	const bare: INode = { ...node, parameters: {} };
	const clean = (text?: string) => (text === undefined ? undefined : redact(text, secrets));
	if (failure instanceof ServiceFailure) {
		const message = clean(failure.message)!;
		return new NodeApiError(
			bare,
			{ message },
			{
				message,
				description: clean(failure.advice) ?? '',
				httpCode: failure.status === undefined ? undefined : `${failure.status}`,
				itemIndex,
			},
		);
	}
	const advice = failure instanceof BadInput ? failure.advice : undefined;
	const text = failure instanceof Error ? failure.message : 'Something unexpected went wrong';
	return new NodeOperationError(bare, clean(text)!, { description: clean(advice), itemIndex });
}
