// The bytes of a webhook call.
//
// Relies on: n8n's middleware leaves `rawBody` on the request (n8n, dist/middlewares/body-parser.js: `rawBodyReader`).
// Verified on: 2.20.12, 2.33.7, 2.40.7, 2.41.1 (test:generations: IDs are submitted to triggers, signed).
// If absent: signatures are checked against the JSON that the pack's own nodes would have written; other callers that format
//   their JSON differently are rejected with 403.

import type { IWebhookFunctions } from 'n8n-workflow';

/** Returns the bytes of a request's body; undefined if n8n does not keep them. */
export function rawBodyOf(context: IWebhookFunctions): Buffer | undefined {
	const request: object = context.getRequestObject();
	const rawBody = 'rawBody' in request ? request.rawBody : undefined;
	return Buffer.isBuffer(rawBody) ? rawBody : undefined;
}
