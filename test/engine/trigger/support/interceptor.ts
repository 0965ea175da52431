import type { ServerResponse } from 'node:http';

import { startToyServer } from '../../../support/toy';
import type { ReceivedRequest } from '../../../support/toy';

/** Headers that belong to one connection and are not forwarded. */
const HOP_BY_HOP_HEADERS = ['host', 'connection', 'content-length'];

/** Headers of the service's response that the proxy passes on. */
const FORWARDED_RESPONSE_HEADERS = ['content-type', 'date', 'retry-after'];

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
export async function startInterceptor(serviceUrl: string): Promise<Interceptor> {
	const server = await startToyServer();
	const interceptor: Interceptor = {
		url: server.url,
		requests: server.requests,
		respond: () => undefined,
		close: server.close,
	};
	server.respondWith((request, response) => {
		const fakeResponse = interceptor.respond(request);
		if (fakeResponse) sendFakeResponse(response, fakeResponse);
		else void forwardRequest(serviceUrl, request, response);
	});
	return interceptor;
}

function sendFakeResponse(response: ServerResponse, { status = 200, body }: FakeResponse): void {
	const contentType = typeof body === 'string' ? 'text/html' : 'application/json';
	// Node.js caches the Date header with a timer of its own, which would be a second clock where a test accelerates time.
	response.writeHead(status, { 'content-type': contentType, date: new Date().toUTCString() });
	response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function forwardRequest(
	serviceUrl: string,
	request: ReceivedRequest,
	response: ServerResponse,
): Promise<void> {
	const { method, url, headers, body } = request;
	const forwardedHeaders = Object.entries(headers).filter(
		([name]) => !HOP_BY_HOP_HEADERS.includes(name),
	);
	const upstreamResponse = await fetch(serviceUrl + url, {
		method,
		headers: Object.fromEntries(forwardedHeaders) as Record<string, string>,
		...(body && { body }),
	});
	const responseHeaders = FORWARDED_RESPONSE_HEADERS.flatMap((name) => {
		const value = upstreamResponse.headers.get(name);
		return value === null ? [] : [[name, value]];
	});
	response.writeHead(
		upstreamResponse.status,
		Object.fromEntries(responseHeaders) as Record<string, string>,
	);
	response.end(await upstreamResponse.text());
}
