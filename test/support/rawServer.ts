import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The start of a response's headers, not yet terminated. */
export const RESPONSE_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Sends bytes; resolves with whether the client is still connected. */
export type WriteBytes = (bytes: Buffer | string) => Promise<boolean>;

/**
 * A TCP server that sends the bytes a test chooses and records how many were sent and when the client closed the connection.
 */
export class RawServer {
	bytesSent = 0;
	disconnects = 0;
	private readonly sockets = new Set<Socket>();

	private constructor(private readonly server: Server) {}

	static async start(respond: (write: WriteBytes) => Promise<void>) {
		const tcpServer = createServer();
		const rawServer = new RawServer(tcpServer);
		tcpServer.on('connection', (socket) => {
			rawServer.sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				rawServer.disconnects++;
				// Releases a writer that waits for `drain`.
				socket.emit('drain');
			});
			socket.once('data', () => {
				void respond(async (bytes) => {
					if (socket.destroyed) return false;
					rawServer.bytesSent += bytes.length;
					if (!socket.write(bytes)) await waitForEvent(socket, 'drain');
					return !socket.destroyed;
				});
			});
		});
		await new Promise<void>((resolve) => tcpServer.listen(0, '127.0.0.1', resolve));
		return rawServer;
	}

	get url() {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	close() {
		for (const socket of this.sockets) socket.destroy();
		this.server.close();
	}
}

const waitForEvent = async (socket: Socket, event: string) =>
	await new Promise<void>((resolve) => socket.once(event, () => resolve()));

/** Sends a head and then one chunk at a time until the client closes the connection. */
export const sendSlowly = (head: string, chunk: string) => async (write: WriteBytes) => {
	await write(head);
	while (await write(chunk)) await delay(200);
};
