import type { IHttpRequestOptions } from 'n8n-workflow';
import { createRequire } from 'node:module';

/** A response. */
export interface MemoryResponse {
	status: number;
	body: unknown;
}

type Requests = {
	requests: () => { request: (options: IHttpRequestOptions) => Promise<unknown> };
};
type Container = { get: (type: unknown) => Requests; set: (type: unknown, as: Requests) => void };

// The module instances that n8n's engine uses.
const from = createRequire(require.resolve('n8n-core'));
const { OutboundHttp } = from('@n8n/backend-network') as { OutboundHttp: unknown };
const { Container: container } = from('@n8n/di') as { Container: Container };

/** Responds to n8n's request helpers without a socket, for all tests of a file, so that time can be virtual. */
export function useMemoryHttp(
	respond: (options: IHttpRequestOptions) => Promise<MemoryResponse>,
): void {
	let real: Requests;
	beforeAll(() => {
		real = container.get(OutboundHttp);
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
	afterAll(() => container.set(OutboundHttp, real));
}
