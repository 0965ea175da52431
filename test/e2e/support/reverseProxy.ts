import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { findFreePort } from '../../../lab/ports';

/** A reverse proxy on loopback that serves n8n below a base path of its own address, as nginx or Traefik do. */
export interface ReverseProxy {
	/** The public address of n8n, with a slash at its end. */
	url: string;
	/** Requests below the base path so far, as "POST /automation/webhook/x 200", without the query. */
	servedRequests: string[];
	/** Sets where n8n listens. */
	forwardTo(n8nPort: number): void;
	close(): Promise<void>;
}

/** Opens a proxy that removes `basePath` from the requests: n8n 2.41.1 uses `N8N_PATH` in its URLs only and serves all routes at its root. */
export async function openReverseProxy(basePath: string): Promise<ReverseProxy> {
	const port = await findFreePort();
	const servedRequests: string[] = [];
	let n8nPort = 0;
	const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
		const { method, headers, url = '' } = incoming;
		if (!url.startsWith(basePath)) return void outgoing.writeHead(404).end();
		const forwardedHeaders = {
			'x-forwarded-for': incoming.socket.remoteAddress,
			'x-forwarded-host': headers.host,
			'x-forwarded-proto': 'http',
		};
		const path = url.slice(basePath.length - 1);
		const options = { host: '127.0.0.1', port: n8nPort, method, path };
		const upstreamRequest = request(
			{ ...options, headers: { ...headers, ...forwardedHeaders } },
			(upstream) => {
				servedRequests.push(`${method} ${url.split('?')[0]} ${upstream.statusCode}`);
				outgoing.writeHead(upstream.statusCode!, upstream.headers);
				upstream.pipe(outgoing);
			},
		);
		upstreamRequest.on('error', () => {
			if (outgoing.headersSent) outgoing.destroy();
			else outgoing.writeHead(502).end();
		});
		incoming.pipe(upstreamRequest);
	};
	const server = createServer(forward);
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${port}${basePath}`,
		servedRequests,
		forwardTo: (newPort) => {
			n8nPort = newPort;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
