import { readFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

/** A server on loopback that forwards everything to another server. */
export interface ForwardingServer {
	url: string;
	/** Methods and addresses of the requests received. */
	forwardedRequests: string[];
	close: () => Promise<void>;
}

/** Forwards a request to an address. */
function forwardRequest(
	incoming: IncomingMessage,
	target: URL,
	response: Parameters<RequestListener>[1],
): void {
	const { method, headers } = incoming;
	const outgoing = sendRequest(target, { method, headers }, (upstream) => {
		response.writeHead(upstream.statusCode!, upstream.headers);
		upstream.pipe(response);
	});
	outgoing.on('error', () => response.destroy());
	incoming.pipe(outgoing);
}

async function startListening(
	server: Server,
	scheme: string,
	forwardedRequests: string[],
): Promise<ForwardingServer> {
	// A server does not track the sockets of tunnels, so it cannot close them itself.
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => sockets.add(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
		forwardedRequests,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Starts an HTTPS front with a self-signed certificate. */
export async function startSelfSignedServer(target: string): Promise<ForwardingServer> {
	const forwardedRequests: string[] = [];
	const read = (name: string) => readFileSync(join(__dirname, 'tls', name));
	const server = createSecureServer(
		{ key: read('key.pem'), cert: read('certificate.pem') },
		(incoming, response) => {
			forwardedRequests.push(`${incoming.method} ${incoming.url}`);
			forwardRequest(incoming, new URL(incoming.url!, target), response);
		},
	);
	return await startListening(server, 'https', forwardedRequests);
}

/** Starts a forward proxy as companies use it: requests with absolute addresses, and CONNECT tunnels for HTTPS. */
export async function startForwardProxy(): Promise<ForwardingServer> {
	const forwardedRequests: string[] = [];
	const server = createServer((incoming, response) => {
		forwardedRequests.push(`${incoming.method} ${incoming.url}`);
		forwardRequest(incoming, new URL(incoming.url!), response);
	});
	server.on('connect', ({ url }, socket, head: Buffer) => {
		forwardedRequests.push(`CONNECT ${url}`);
		const [host, port] = url!.split(':');
		const tunnel = connect(Number(port), host, () => {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			tunnel.write(head);
			tunnel.pipe(socket).pipe(tunnel);
		});
		for (const end of [tunnel, socket]) {
			end.on('error', () => [tunnel, socket].forEach((either) => either.destroy()));
		}
	});
	return await startListening(server, 'http', forwardedRequests);
}
