import type { IHttpRequestOptions } from 'n8n-workflow';
import { createRequire } from 'node:module';

/** A response without a socket. A string as body is a web page, anything else is sent as JSON. */
export interface MemoryResponse {
	status: number;
	body: unknown;
}

type HttpService = {
	requests: () => { request: (options: IHttpRequestOptions) => Promise<unknown> };
};
type Container = {
	get: (type: unknown) => HttpService;
	set: (type: unknown, instance: HttpService) => void;
};

// The module instances that n8n's engine uses.
const requireFromN8n = createRequire(require.resolve('n8n-core'));
const { OutboundHttp } = requireFromN8n('@n8n/backend-network') as { OutboundHttp: unknown };
const { Container: container } = requireFromN8n('@n8n/di') as { Container: Container };

/** Responds to n8n's request helpers without a socket, for all tests of a file, so that time can be virtual. */
export function useMemoryHttp(
	respond: (options: IHttpRequestOptions) => Promise<MemoryResponse>,
): void {
	let realHttp: HttpService;
	beforeAll(() => {
		realHttp = container.get(OutboundHttp);
		const request = async (options: IHttpRequestOptions) => {
			const { status, body } = await respond(options);
			// n8n sends a string unchanged.
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			const headers = {
				'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
			};
			return { statusCode: status, headers, body: text };
		};
		container.set(OutboundHttp, { requests: () => ({ request }) });
	});
	afterAll(() => container.set(OutboundHttp, realHttp));
}
