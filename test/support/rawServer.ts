import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The start of a response's headers, not yet terminated. */
export const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Sends bytes; resolves with whether the client is still connected. */
export type Write = (bytes: Buffer | string) => Promise<boolean>;

/**
 * A TCP server that sends the bytes a test chooses and records how many were sent and when the client closed the connection.
 */
export class RawServer {
	sent = 0;
	hungUp = 0;
	private readonly sockets = new Set<Socket>();

	private constructor(private readonly server: Server) {}

	static async start(talk: (write: Write) => Promise<void>) {
		const tcp = createServer();
		const raw = new RawServer(tcp);
		tcp.on('connection', (socket) => {
			raw.sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				raw.hungUp++;
				// Releases a writer that waits for `drain`.
				socket.emit('drain');
			});
			socket.once('data', () => {
				void talk(async (bytes) => {
					raw.sent += bytes.length;
					if (socket.destroyed) return false;
					if (!socket.write(bytes)) await once(socket, 'drain');
					return !socket.destroyed;
				});
			});
		});
		await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
		return raw;
	}

	get url() {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	close() {
		for (const socket of this.sockets) socket.destroy();
		this.server.close();
	}
}

const once = async (socket: Socket, event: string) =>
	await new Promise<void>((resolve) => socket.once(event, () => resolve()));

/** Sends a head and then one chunk at a time until the client closes the connection. */
export const dribbling = (head: string, drop: string) => async (write: Write) => {
	await write(head);
	while (await write(drop)) await delay(200);
};
