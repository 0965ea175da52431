import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { ProxiedRequest, UpstreamResponse } from './proxiedRequest';

/** One request and the means to spoil its response. */
export interface InterceptedExchange {
	exchange: ProxiedRequest;
	/** The client's connection, for bytes that no HTTP server would send. */
	socket: Socket;
	/** Object for responses that are valid HTTP. */
	response: ServerResponse;
	/** Lets the service carry the request out, and returns its response. */
	sendUpstream: () => Promise<UpstreamResponse>;
	/** Target of redirects to another address. */
	redirectTarget: string;
}

/**
 * The outcome of a fault for the client:
 * - `lost`: no readable response; whether the service carried the request out is unknown
 * - `failing`: a 5xx status
 * - `rateLimited`: 429, so the request was not carried out and may be retried soon
 * - `longRateLimit`: 429 with a pause that exceeds every client's limit
 * - `foreign`: a response that is not the service's
 * - `wrongBody`: 200 with a body that is not a response to a read
 * - `huge`: a body that exceeds every client's limit
 */
type FaultKind =
	'lost' | 'failing' | 'rateLimited' | 'longRateLimit' | 'foreign' | 'wrongBody' | 'huge';

/** One failure of a service, or of the connection to it. */
export interface Fault {
	name: string;
	/** Description for the readers of the table of counts. */
	description: string;
	kind: FaultKind;
	/** Whether only a time limit ends the request. */
	isSlow?: boolean;
	/** Whether the fault spoils only the body, so that it has no effect on a response without a body. */
	affectsBodyOnly?: boolean;
	inject: (exchange: InterceptedExchange) => void | Promise<void>;
}
