import type { IncomingMessage } from 'node:http';

/** One request to a route and its outcome. */
export interface ProxiedRequest {
	/** Counted from 1 at each route. */
	number: number;
	method: string;
	/** Path without the segment that identifies the route. */
	path: string;
	headers: IncomingMessage['headers'];
	receivedAtMs: number;
	/** Name of the fault that was applied. */
	fault?: string;
	/** Status of the service's response; missing if the request never reached the service. */
	upstreamStatus?: number;
}

/** A complete response of the service. */
export interface UpstreamResponse {
	status: number;
	headers: IncomingMessage['headers'];
	body: Buffer;
}
