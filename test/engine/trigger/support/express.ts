import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseForm } from 'node:querystring';

/** Parses a body by its content type, as n8n does; other types have no body. */
export function parseBody({ headers }: IncomingMessage, rawBody: Buffer): unknown {
	const contentType = headers['content-type']?.split(';')[0]!.trim().toLowerCase();
	if (rawBody.length === 0) return undefined;
	if (contentType === 'application/json') return JSON.parse(rawBody.toString());
	if (contentType === 'application/x-www-form-urlencoded') return parseForm(rawBody.toString());
	return contentType === 'text/plain' ? rawBody.toString() : undefined;
}

/** Adds the methods of Express responses that nodes use. */
export const toExpressResponse = (response: ServerResponse) =>
	Object.assign(response, {
		status: (code: number) => Object.assign(response, { statusCode: code }),
		set: (headers: Record<string, string>) => response.setHeaders(new Map(Object.entries(headers))),
		json: (value: unknown) => response.end(JSON.stringify(value)),
	});

/** Options of a request to a webhook. */
export interface PostOptions {
	headers?: Record<string, string>;
	/** Index of the node in the workflow. */
	node?: number;
	/** Whether to post to the test URL. */
	test?: boolean;
}
