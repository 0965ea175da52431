import type { IWebhookFunctions } from 'n8n-workflow';

/** The bytes of a request's body as they came, where n8n keeps them. */
export function rawBodyOf(context: IWebhookFunctions): Buffer | undefined {
	const request: object = context.getRequestObject();
	const rawBody = 'rawBody' in request ? request.rawBody : undefined;
	return Buffer.isBuffer(rawBody) ? rawBody : undefined;
}
