// Protects signature checks at webhooks: the pack gets the bytes of a request from n8n exactly as they were sent.
import type { IWebhookFunctions } from 'n8n-workflow';

import { rawBodyOf } from '../../../nodes/engine/n8n/rawBody';
import { runInN8n, itWithN8n } from './installed';

itWithN8n("n8n's middleware keeps the bytes of a body, which rawBodyOf returns", () => {
	const received = runInN8n(`
		const { Readable } = require('node:stream');
		const { rawBodyReader, parseBody } = load('./dist/middlewares/body-parser.js');
		const text = '{ "id":  "1" }';
		const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
		const request = Object.assign(Readable.from([Buffer.from(text)]), { headers });
		rawBodyReader(request, {}, () => undefined);
		await parseBody(request);
		return { rawBody: request.rawBody.toString('latin1'), isBuffer: Buffer.isBuffer(request.rawBody) };
	`) as { rawBody: string; isBuffer: boolean };
	const request = received.isBuffer ? { rawBody: Buffer.from(received.rawBody, 'latin1') } : {};
	const context = { getRequestObject: () => request } as unknown as IWebhookFunctions;
	expect(rawBodyOf(context)?.toString()).toBe('{ "id":  "1" }');
});
