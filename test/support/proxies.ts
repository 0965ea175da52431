import { readFileSync } from 'node:fs';
import { createServer, request as ask } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

/** A server on loopback that forwards everything to another server. */
export interface Front {
	url: string;
	/** Methods and addresses of the requests received. */
	passed: string[];
	close: () => Promise<void>;
}

/** Forwards a request to an address. */
function pass(
	incoming: IncomingMessage,
	target: URL,
	response: Parameters<RequestListener>[1],
): void {
	const { method, headers } = incoming;
	const onward = ask(target, { method, headers }, (upstream) => {
		response.writeHead(upstream.statusCode!, upstream.headers);
		upstream.pipe(response);
	});
	onward.on('error', () => response.destroy());
	incoming.pipe(onward);
}

async function listening(server: Server, scheme: string, passed: string[]): Promise<Front> {
	// A server does not track the sockets of tunnels, so it cannot close them itself.
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => sockets.add(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
		passed,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Starts an HTTPS front with a self-signed certificate. */
export async function selfSigned(target: string): Promise<Front> {
	const passed: string[] = [];
	const read = (name: string) => readFileSync(join(__dirname, 'tls', name));
	const server = createSecureServer(
		{ key: read('key.pem'), cert: read('certificate.pem') },
		(incoming, response) => {
			passed.push(`${incoming.method} ${incoming.url}`);
			pass(incoming, new URL(incoming.url!, target), response);
		},
	);
	return await listening(server, 'https', passed);
}

/** Starts a forward proxy as companies use it: requests with absolute addresses, and CONNECT tunnels for HTTPS. */
export async function forwardProxy(): Promise<Front> {
	const passed: string[] = [];
	const server = createServer((incoming, response) => {
		passed.push(`${incoming.method} ${incoming.url}`);
		pass(incoming, new URL(incoming.url!), response);
	});
	server.on('connect', ({ url }, socket, head: Buffer) => {
		passed.push(`CONNECT ${url}`);
		const [host, port] = url!.split(':');
		const onward = connect(Number(port), host, () => {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			onward.write(head);
			onward.pipe(socket).pipe(onward);
		});
		for (const end of [onward, socket]) {
			end.on('error', () => [onward, socket].forEach((one) => one.destroy()));
		}
	});
	return await listening(server, 'http', passed);
}
