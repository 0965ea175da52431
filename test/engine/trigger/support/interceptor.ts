import type { ServerResponse } from 'node:http';

import { startToyServer } from '../../../support/toy';
import type { ReceivedRequest } from '../../../support/toy';

/** Headers that belong to one connection and are not forwarded. */
const HOP_BY_HOP_HEADERS = ['host', 'connection', 'content-length'];

/** A response that a test sends in place of the service. */
export interface FakeResponse {
	status?: number;
	/** Sent as JSON; a string is sent unchanged. */
	body: unknown;
}

/** A proxy that forwards all requests to a service, except those that the test answers itself. */
export interface Interceptor {
	url: string;
	requests: ReceivedRequest[];
	/** Returns the response to a request, or `undefined` to forward it. */
	respond: (request: ReceivedRequest) => FakeResponse | undefined;
	close(): Promise<void>;
}

/** Starts a proxy in front of a service. */
export async function startInterceptor(target: string): Promise<Interceptor> {
	const toy = await startToyServer();
	const interceptor: Interceptor = {
		url: toy.url,
		requests: toy.requests,
		respond: () => undefined,
		close: toy.close,
	};
	toy.respondWith((request, response) => {
		const fakeResponse = interceptor.respond(request);
		if (fakeResponse) send(response, fakeResponse);
		else void forward(target, request, response);
	});
	return interceptor;
}

function send(response: ServerResponse, { status = 200, body }: FakeResponse): void {
	const type = typeof body === 'string' ? 'text/html' : 'application/json';
	// Node.js caches the Date header with a timer of its own, which would be a second clock where a test accelerates time.
	response.writeHead(status, { 'content-type': type, date: new Date().toUTCString() });
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function forward(
	target: string,
	request: ReceivedRequest,
	response: ServerResponse,
): Promise<void> {
	const { method, url, headers, body } = request;
	const forwardedHeaders = Object.entries(headers).filter(
		([name]) => !HOP_BY_HOP_HEADERS.includes(name),
	);
	const upstreamResponse = await fetch(target + url, {
		method,
		headers: Object.fromEntries(forwardedHeaders) as Record<string, string>,
		...(body && { body }),
	});
	const responseHeaders = ['content-type', 'date', 'retry-after'].flatMap((name) => {
		const value = upstreamResponse.headers.get(name);
		return value === null ? [] : [[name, value]];
	});
	response.writeHead(
		upstreamResponse.status,
		Object.fromEntries(responseHeaders) as Record<string, string>,
	);
	response.end(await upstreamResponse.text());
}
